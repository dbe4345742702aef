"""One function of a large text before the rest is read: what stands at the cursor comes first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.document import Document
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS: Final = (".entry", ".func")
_HEAD: Final = re.compile(
    r"[ \t]*+(?:\.(?:visible|extern|weak)[ \t]++)?(\.(?:entry|func))(?![\w$])", re.ASCII
).match
_COUNTED: Final = 1 << 16
"""Characters whose lines are counted together on the way to one."""
_LONGEST_HEADER: Final = 1 << 18
_MOST_LINES: Final = 100_000
_WINDOW: Final = 1 << 18
"""Characters that are searched for a head together."""
_FEW: Final = 1000
_CALL: Final = "call"
_NO_RETURN: Final = ".noreturn"


def glimpse(text: str, line: int) -> Document | None:
    """A document of the module's header and the function around a line; the others are left out.

    None if the line is in the body of no function, or if what stands elsewhere may say how this one
    is read.
    """
    if "\r" in text or _has_block_comment(text):
        return None
    offset = _offset_of(text, line)
    if offset is None:
        return None
    start = _head_before(text, offset)
    header_end = next(_heads(text, 0, min(len(text), _LONGEST_HEADER)), None)
    if start is None or header_end is None:
        return None
    stop = next(_heads(text, max(offset, start + 1), len(text)), len(text))
    header = split_lines(text[:header_end])[:-1] if header_end < start else []
    body = split_lines(text[start:stop])
    if len(body) > _MOST_LINES or (_CALL in text[start:stop] and _NO_RETURN in text):
        return None
    n_left_out = line - text.count("\n", start, offset) - len(header)
    reader = Reader()
    lines = [*header, *body]
    found = Document.of(lines, reader.read_all(lines), reader, (len(header), n_left_out))
    within = line - n_left_out
    region = found.outline.regions[found.outline.region_at(within)]
    is_inside = region.kind is Kind.FUNCTION and region.close is not None
    return found if is_inside and region.start <= within <= (region.close or 0) else None


def _has_block_comment(text: str) -> bool:
    """As `"/*" in text`, which is slow to find nothing: slashes are many, asterisks few."""
    place = text.find("*")
    for _ in range(_FEW):
        if place < 0:
            return False
        if text[place - 1] == "/":
            return True
        place = text.find("*", place + 1)
    return "/*" in text


def _offset_of(text: str, line: int) -> int | None:
    """Where a line begins; None if there are fewer."""
    offset, left = 0, line
    while left:
        stop = offset + _COUNTED
        n_lines = text.count("\n", offset, stop)
        if n_lines >= left:
            while left:
                offset = text.find("\n", offset) + 1
                left -= 1
        elif stop >= len(text):
            return None
        else:
            offset, left = stop, left - n_lines
    return offset


def _head_before(text: str, offset: int) -> int | None:
    """Where the last line begins that is a function's head, at `offset` or before."""
    stop = text.find("\n", offset) + 1 or len(text)
    while stop:
        start = text.rfind("\n", 0, max(0, stop - _WINDOW)) + 1
        found = list(_heads(text, start, stop))
        if found:
            return found[-1]
        stop = start
    return None


def _heads(text: str, start: int, stop: int) -> Iterator[int]:
    """Where lines begin that are heads of functions, from the line at `start` on."""
    while start < stop:
        end = text.find("\n", start + _WINDOW) + 1 or len(text)
        for place in sorted(_places(text, start, min(end, stop))):
            line = text.rfind("\n", 0, place) + 1
            match = _HEAD(text, line)
            if line >= start and match is not None and match.start(1) == place:
                yield line
        start = end


def _places(text: str, start: int, stop: int) -> Iterator[int]:
    for word in _WORDS:
        place = text.find(word, start, stop)
        while place >= 0:
            yield place
            place = text.find(word, place + 1, stop)
