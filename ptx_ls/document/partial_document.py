"""Reads a single function of a large text, for a request that should not wait for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.branch import of_one_root
from ptx_ls.document.chunk import lines_of
from ptx_ls.document.cutting import chunks_of
from ptx_ls.document.document import Document
from ptx_ls.document.function import Function, functions_of
from ptx_ls.syntax.plain.heads import head_at
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import BLANK, Kind, MultiLine

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS: Final = (".entry", ".func")
_CHARACTERS_COUNTED_TOGETHER: Final = 1 << 16
"""Number of characters in which lines are counted at a time."""
_MAX_HEADER_LENGTH: Final = 1 << 18
_MAX_FUNCTION_LINES: Final = 100_000
_SEARCHED_TOGETHER: Final = 1 << 18
"""Number of characters in which heads are searched for at a time."""
_MAX_ASTERISKS: Final = 1000
_LINES_OF_BLANK_FUNCTION: Final = 4096
_CALL: Final = "call"
_NO_RETURN: Final = ".noreturn"


def partial_document(text: str, line: int) -> Document | None:
    """Returns a document with the header and the function around a line; other lines are blank.

    Returns None if the line is not in the body of a function, or if other text may affect how the
    function is read.
    """
    if "\r" in text or _has_block_comment(text):
        return None
    offset = _offset_of(text, line)
    if offset is None:
        return None
    start = _head_before(text, offset)
    header_end = next(_heads(text, 0, min(len(text), _MAX_HEADER_LENGTH)), None)
    if start is None or header_end is None:
        return None
    stop = next(_heads(text, max(offset, start + 1), len(text)), len(text))
    header, body = lines_of(text[:header_end]), lines_of(text[start:stop])
    is_unknown_call = _CALL in text[start:stop] and _NO_RETURN in text
    if len(body) > _MAX_FUNCTION_LINES or is_unknown_call:
        return None
    reader = Reader()
    n_header = len(header)
    records = reader.read_all([*header, *body])
    if (
        header
        and isinstance(records[n_header], MultiLine)
        and (records[n_header] is records[n_header - 1])
    ):
        return None
    functions = [
        Function.of(chunks_of(header, records[:n_header])),
        *_blank(line - text.count("\n", start, offset) - n_header),
        *functions_of(chunks_of(body, records[n_header:])),
        *_blank(text.count("\n", stop)),
    ]
    found = Document(*of_one_root(functions, 0), reader)
    located = found.located_on(line)
    is_inside = located.head is Kind.FUNCTION and located.close is not None
    return found if is_inside and located.first_line <= line <= (located.close or 0) else None


def _blank(n_lines: int) -> Iterator[Function]:
    """Yields functions of `n_lines` blank lines, nearly all of them the same object.

    So the facts of nearly all of them are computed once.
    """
    n_functions, n_left = divmod(n_lines, _LINES_OF_BLANK_FUNCTION)
    yield from [_blank_function(_LINES_OF_BLANK_FUNCTION)] * n_functions
    if n_left:
        yield _blank_function(n_left)


def _blank_function(n_lines: int) -> Function:
    return Function.of(chunks_of(["\n"] * n_lines, [BLANK] * n_lines))


def _has_block_comment(text: str) -> bool:
    """Whether a text contains `/*`; searches for the asterisk, which is rarer than the slash."""
    place = text.find("*")
    for _ in range(_MAX_ASTERISKS):
        if place < 0:
            return False
        if text[place - 1] == "/":
            return True
        place = text.find("*", place + 1)
    return "/*" in text


def _offset_of(text: str, line: int) -> int | None:
    """Returns the offset of a line; None if the text has fewer lines."""
    offset, left = 0, line
    while left:
        stop = offset + _CHARACTERS_COUNTED_TOGETHER
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
    """Returns the start of the last line with a function head that is not after `offset`."""
    stop = text.find("\n", offset) + 1 or len(text)
    while stop:
        start = text.rfind("\n", 0, max(0, stop - _SEARCHED_TOGETHER)) + 1
        found = list(_heads(text, start, stop))
        if found:
            return found[-1]
        stop = start
    return None


def _heads(text: str, start: int, stop: int) -> Iterator[int]:
    """Yields the starts of the lines with function heads, from the line at `start` on."""
    while start < stop:
        end = text.find("\n", start + _SEARCHED_TOGETHER) + 1 or len(text)
        for place in sorted(_places(text, start, min(end, stop))):
            line = text.rfind("\n", 0, place) + 1
            match = head_at(text, line)
            if line >= start and match is not None and match.start(1) == place:
                yield line
        start = end


def _places(text: str, start: int, stop: int) -> Iterator[int]:
    for word in _WORDS:
        place = text.find(word, start, stop)
        while place >= 0:
            yield place
            place = text.find(word, place + 1, stop)
