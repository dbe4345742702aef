from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.dumps import Dump, dump_begin, dump_in
from ptx_ls.source.lines import split_lines
from tests.support.dumps import ELF, PTX_HEAD, module

PIECES = (
    *("\n", "\r\n", "Fatbin ptx code:", "Fatbin elf code:", "=====", "member a.o:", "arch = sm_80"),
    *(".version 8.0", "ret;", " "),
)


def check_dump(text: str, *names: str) -> Dump:
    """Fails unless a text has modules with these names; returns its parts."""
    found = dump_in(text)
    assert found is not None
    assert [each.name for each in found.modules] == list(names)
    check_places(text, found)
    return found


def check_places(text: str, found: Dump) -> None:
    """Fails unless each module is in the text where it says, and only modules are not masked."""
    lines, masked = split_lines(text), split_lines(found.masked)
    assert len(masked) == len(lines)
    rows: set[int] = set()
    for each in found.modules:
        inner = split_lines(each.text)
        stop = each.first_line + len(inner) - (inner[-1] == "")
        assert "".join(lines[each.first_line : stop]) == each.text
        assert rows.isdisjoint(range(each.first_line, stop))
        rows.update(range(each.first_line, stop))
    for row, line in enumerate(masked):
        assert line == lines[row] if row in rows else not line.strip()


def test_modules_of_a_fat_binary() -> None:
    found = check_dump(module("sm_80") + ELF + module("sm_90a"), "m.cu, sm_80", "m.cu, sm_90a")
    first, second = found.modules
    assert first.first_line == 10
    assert first.text.startswith(".version 9.0\n.target sm_80\n")
    assert "Fatbin" not in first.text + second.text


def test_modules_of_an_archive() -> None:
    text = "member /tmp/lib.a:a.o:\n" + module("sm_80") + "member /tmp/lib.a:b.o:\n"
    (only,) = check_dump(text + module("sm_80").replace("identifier = m.cu\n", ""),
                         "m.cu, sm_80", "sm_80").modules[1:]  # fmt: skip
    assert only.text.startswith(".version")


def test_other_line_ends() -> None:
    check_dump(module("sm_80").replace("\n", "\r\n"), "m.cu, sm_80")


def test_a_head_alone() -> None:
    check_dump(PTX_HEAD.format(target="sm_80"), "m.cu, sm_80")
    check_dump("Fatbin ptx code:\n====\n\n", "unnamed")


def test_output_without_ptx() -> None:
    check_dump(ELF)
    check_dump("\nmember a.o:\n\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        ".version 8.0\n",
        "// Fatbin ptx code:\n// ====\n",
        ".version 8.0\n\nFatbin ptx code:\n====\n",
        "Fatbin ptx code:\n",
        "Fatbin ptx code:\n\n",
        "Fatbin ptx:\n====\n",
        "member of a family\n",
    ],
)
def test_other_texts(text: str) -> None:
    assert dump_in(text) is None
    assert dump_begin(split_lines(text)) is None


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30).map("".join))
def test_any_text(text: str) -> None:
    found = dump_in(text)
    assert (found is not None) == (dump_begin(split_lines(text)) is not None)
    if found is not None:
        check_places(text, found)
