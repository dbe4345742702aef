"""Finds a name as a whole word, which is the first step in finding the occurrences of a symbol.

A place found may be in a comment or a string, or mean another symbol (see `occurrences.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ptx_ls.document.cancellation import check_cancelled
from ptx_ls.source import Range
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.written.names import spans_of_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.semantics.analysis import LocatedSymbol
    from ptx_ls.source import LineSpan

_MAX_DIGITS: Final = 9
"""Maximum number of digits in the number of a register."""
_PORTION: Final = 4096
"""Number of lines to search at a time."""


class Sought(NamedTuple):
    """A symbol whose occurrences are searched for.

    `name`: one register of a range (`%r7` of `%r<10>`), or the name of the symbol itself.
    `is_bank`: whether the symbol is a range, and all of its registers are meant. `is_module`:
    whether it is visible in the whole module. `function`: the lines (first, stop) of the function
    or block in which a local symbol is visible; None for others. `elsewhere`: other lines in which
    it may occur.
    """

    declared: LocatedSymbol
    name: str
    is_bank: bool
    is_module: bool
    function: LineSpan | None
    elsewhere: tuple[LineSpan, ...]

    @property
    def spans(self) -> tuple[LineSpan, ...]:
        """All lines in which it may occur, in order."""
        if self.function is None:
            return self.elsewhere
        return tuple(sorted([self.function, *self.elsewhere]))


def candidates(document: Document, wanted: Sought) -> list[Range]:
    """Returns the ranges in a document where the name is a word, in order.

    They may be in comments and strings.
    """
    found = candidates_in_function(document, wanted)
    for first, stop in wanted.elsewhere:
        found += candidates_in(document.lines[first:stop], first, wanted)
    return sorted(set(found)) if wanted.elsewhere else found


def candidates_in(lines: Sequence[str], first: int, wanted: Sought) -> list[Range]:
    """Returns the candidates in the given lines; `first` is the number of the first one."""
    name = wanted.name
    found: list[Range] = []
    for begin in range(0, len(lines), _PORTION):
        check_cancelled()
        some = lines[begin : begin + _PORTION]
        if name not in "".join(some):
            continue
        for number, text in enumerate(some, first + begin):
            if name in text:
                found += [Range.on_line(number, *span) for span in _matches(text, wanted)]
    return _with_own(found, wanted, first, first + len(lines))


def candidates_in_function(document: Document, wanted: Sought) -> list[Range]:
    """Returns the candidates in `wanted.function`, the lines of a function; none if it is None."""
    if wanted.function is None:
        return []
    first, stop = wanted.function
    located = document.functions[wanted.declared.region]
    found: list[Range] = []
    for start, chunk in located.chunks():
        end_line = start.line + chunk.extent.lines + 1
        if first < end_line and start.line < stop and wanted.name in chunk.text:
            offsets = [0, *accumulate(map(len, chunk.lines))]
            for begin, end in _matches(chunk.text, wanted):
                row = bisect_right(offsets, begin) - 1
                margin = offsets[row] - (0 if row else start.column)
                if first <= start.line + row < stop:
                    line = start.line + row
                    found.append(Range.on_line(line, begin - margin, end - margin))
    return _with_own(found, wanted, first, stop)


def _matches(text: str, wanted: Sought) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each name in a text that may mean the symbol."""
    for start, end in spans_of_name(text, wanted.name):
        rest = text[start + len(wanted.name) : end]
        is_register = rest.isdecimal() and len(rest) <= _MAX_DIGITS
        if is_register if wanted.is_bank else not rest:
            yield start, end


def _with_own(found: list[Range], wanted: Sought, first: int, stop: int) -> list[Range]:
    """Adds the declaration of a bank, in which no number follows the name."""
    own = wanted.declared.range
    if wanted.is_bank and first <= own.start.line < stop:
        return sorted({*found, own})
    return found
