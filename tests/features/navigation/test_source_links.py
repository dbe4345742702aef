"""Links to sources: `«text»` is linked to what the expectation says."""

from __future__ import annotations

import re

from ptx_ls.document.document import Document
from ptx_ls.features.navigation.source_links import file_names, location_links
from tests.support.answers import links_of

MARK = re.compile("[«»]")


def check_links(marked: str, *expected: str) -> None:
    """Checks which places are linked, and to what."""
    document = Document.read(MARK.sub("", marked))
    found = links_of(document)
    lines = MARK.sub("", marked).split("\n")
    for link in reversed(found):
        (row, start), (_, end) = link.range
        text = lines[row]
        lines[row] = f"{text[:start]}«{text[start:end]}»{text[end:]}"
    assert "\n".join(lines) == marked
    assert [f"{link.name}:{link.line}:{link.column}" for link in found] == list(expected)


def test_files_and_places() -> None:
    check_links(
        ".entry k()\n{\n.loc «1 37 5»\n.loc 3 1 1 // 1 2 3\n"
        ".loc «2 4 6», function_name $L, inlined_at «1 8 9»\nret;\n}\n"
        '.file 1 "«/src/a.cu»"\n.file 2 "«lib/b.cuh»"\n',
        "/src/a.cu:37:5",
        "lib/b.cuh:4:6",
        "/src/a.cu:8:9",
        "/src/a.cu:0:0",
        "lib/b.cuh:0:0",
    )


def test_lines_for_other_tools() -> None:
    check_links(
        '# 12 "«a.cu»"\n#include "«b.ptx»"\n#include <«c.h»>\n@include "«d.ptx»"\n# nothing\n',
        "a.cu:12:0",
        "b.ptx:0:0",
        "c.h:0:0",
        "d.ptx:0:0",
    )


def test_no_more_than_an_editor_can_use() -> None:
    document = Document.read('.file 1 "a.cu"\n' + ".loc 1 2 3\n" * 20_000)
    assert len(location_links(document, file_names(document))) == 5000
