"""Where a name stands as a word: the first step of finding what means a symbol.

What is found may be in a comment or a string, or mean something else (see `occurrences.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.symbols.stretches import stretches
from ptx_ls.source import Range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.semantics.analysis import LocatedSymbol
    from ptx_ls.syntax.document import Document

_BEFORE: Final = re.compile(r"(?<![\w$%.])(?<!::)", re.ASCII).match
_BEHIND: Final = re.compile(r"(?![\w$]|::)", re.ASCII).match
_NUMBER: Final = re.compile(r"\d{1,9}+(?![\w$]|::)", re.ASCII).match
"""What stands around a word; an expression of its own for each name would take longer to compile
than a function takes to search."""
_LINES_OF_STEP: Final = 4096
"""Lines that are searched as one text."""


class Sought(NamedTuple):
    """A symbol whose occurrences are looked for.

    `name`: as written; one register of a range (`%r7` of `%r<10>`), or the symbol's own. `is_bank`:
    the symbol is a range, and all of its registers are meant. `is_module`: it is seen in the whole
    module. Lines (first, stop) that may mean it are those of `function`, where it is declared, if
    nothing but that and debug data may, and those `elsewhere`.
    """

    declared: LocatedSymbol
    name: str
    is_bank: bool
    is_module: bool
    function: tuple[int, int] | None
    elsewhere: tuple[tuple[int, int], ...]

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """All lines that may mean it, in order."""
        if self.function is None:
            return self.elsewhere
        return tuple(sorted([self.function, *self.elsewhere]))


def candidates(
    lines: Sequence[str], first: int, wanted: Sought, should_stop: Callable[[], bool]
) -> list[Range]:
    """Places in lines where the name stands as a word, comments and strings included.

    `first` is the number of the first of them. Looks at nothing else, so any thread may call it;
    when told to stop, it returns what it has.
    """
    name = wanted.name
    found: list[Range] = []
    for begin in range(0, len(lines), _LINES_OF_STEP):
        if should_stop():
            break
        some = lines[begin : begin + _LINES_OF_STEP]
        if name not in "".join(some):
            continue
        for number, text in enumerate(some, first + begin):
            if name in text:
                found += [Range.on_line(number, *span) for span in _matches(text, wanted)]
    return _with_own(found, wanted, first, first + len(lines))


def candidates_in_function(document: Document, wanted: Sought) -> list[Range]:
    """The same in the lines `wanted.function`, from text that is kept. Main thread only.

    A second search of the same function takes a tenth of the time of the first one.
    """
    if wanted.function is None:
        return []
    first, stop = wanted.function
    index = wanted.declared.region
    found: list[Range] = []
    line = document.outline.regions[index].start
    for stretch in stretches(document, index):
        end_line = line + len(stretch.lines)
        if first < end_line and line < stop and wanted.name in stretch.text:
            for start, end in _matches(stretch.text, wanted):
                number = bisect_right(stretch.offsets, start) - 1
                begin = stretch.offsets[number]
                if first <= line + number < stop:
                    found.append(Range.on_line(line + number, start - begin, end - begin))
        line = end_line
    return _with_own(found, wanted, first, stop)


def all_candidates(document: Document, wanted: Sought) -> list[Range]:
    """All of them in a document, in order. Main thread only."""
    found = candidates_in_function(document, wanted)
    for first, stop in wanted.elsewhere:
        found += candidates(document.lines[first:stop], first, wanted, lambda: False)
    return sorted(set(found)) if wanted.elsewhere else found


def _matches(text: str, wanted: Sought) -> Iterator[tuple[int, int]]:
    """Where the words begin and end."""
    name = wanted.name
    behind = _NUMBER if wanted.is_bank else _BEHIND
    at = text.find(name)
    while at >= 0:
        rest = behind(text, at + len(name))
        if rest is not None and _BEFORE(text, at):
            yield at, rest.end()
        at = text.find(name, at + 1)


def _with_own(found: list[Range], wanted: Sought, first: int, stop: int) -> list[Range]:
    """The places with where a range is declared, which is written without a number."""
    own = wanted.declared.range
    if wanted.is_bank and first <= own.start.line < stop:
        return sorted({*found, own})
    return found
