"""Names of source files, as `.file` gives them to `.loc`."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ptx_ls.syntax.document import Document

_FILE: Final = re.compile(r"\s*+\.file\s++(\d++)\s++\"([^\"]*+)\"").match
_EDGE: Final = 3000
"""Lines at the start and the end of a document that are searched: compilers put them there."""


def name_of(document: Document, number: str) -> str:
    """The file of that number; "" if no `.file` near the edges of the document names it."""
    lines = document.lines
    head = range(min(_EDGE, len(lines)))
    tail = range(max(len(head), len(lines) - _EDGE), len(lines))
    for line in chain(reversed(tail), head):
        text = lines[line]
        if ".file" in text:
            match = _FILE(text)
            if match is not None and match[1] == number:
                return match[2]
    return ""
