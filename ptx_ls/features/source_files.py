"""Debug information in words: names of source files, strings of `.debug_str`."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ptx_ls.syntax.document import Document

_FILE: Final = re.compile(r"\s*+\.file\s++(\d++)\s++\"([^\"]*+)\"").match
_BYTES: Final = re.compile(
    r"[^/]*?\.b8\s++((?:\s*+(?:0[xX][\da-fA-F]++|0|[1-9]\d*+)\s*+,?)+)"
).match
_LONGEST: Final = 1000
"""Lines that one string takes at most; compilers write one byte a line."""
_EDGE: Final = 3000
"""Lines at the start and the end of a document that are searched: compilers put them there."""


def string_at(document: Document, line: int) -> str:
    """The string whose bytes `.b8` lines give from a line on, up to the zero; "" for none."""
    found = bytearray()
    for text in document.lines[line : line + _LONGEST]:
        match = _BYTES(text)
        if match is None:
            continue
        for number in match[1].split(","):
            byte = int(number.strip() or "0", 0) & 0xFF
            if not byte:
                return found.decode("utf-8", "replace")
            found.append(byte)
    return ""


def name_of(document: Document, number: str) -> str:
    """The file of that number; "" if no `.file` near the edges of the document names it."""
    found = directive_of(document, number)
    return found[1] if found is not None else ""


def directive_of(document: Document, number: str) -> tuple[int, str] | None:
    """Line of the `.file` of that number and the name it gives; None if none is near the edges."""
    lines = document.lines
    head = range(min(_EDGE, len(lines)))
    tail = range(max(len(head), len(lines) - _EDGE), len(lines))
    for line in chain(reversed(tail), head):
        text = lines[line]
        if ".file" in text:
            match = _FILE(text)
            if match is not None and match[1] == number:
                return line, match[2]
    return None
