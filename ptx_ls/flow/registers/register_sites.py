"""Finds the statements of a function that use a register, and whether they read or write it.

The text is searched for the name, so that this is fast even in a long function. Results are cached
by register.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.flow.registers.register_flow import RegisterFlow, Site
from ptx_ls.semantics.instructions.accesses import accesses_in
from ptx_ls.semantics.symbols.region_text import region_text, single
from ptx_ls.syntax.offsets import along, shifted, slice_lines
from ptx_ls.syntax.record import INSTRUCTIONS, Kind, MultiLine, Record, Shape
from ptx_ls.syntax.record_lines import run_start
from ptx_ls.syntax.statements import BLANKS
from ptx_ls.syntax.written.names import plain_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.instructions.accesses import NameAccess
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.symbols import Scope, Symbol

_PART_OF_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")


_Way: TypeAlias = tuple[bool, bool, bool]
"""Whether a statement reads a register, writes it, and kills its value."""
_UNUSED: Final[_Way] = (False, False, False)


class Sites:
    """The uses of registers in a function, found on demand.

    `flows`: the flows of registers, by their names and the places of their declarations.
    """

    def __init__(self, function: Function, facts: RegionFacts) -> None:
        self._function, self._facts = function, facts
        self.flows: dict[tuple[str, FunctionPosition], RegisterFlow] = {}
        self._kept: dict[tuple[str, FunctionPosition], tuple[Site, ...]] = {}
        self._first: dict[tuple[str, FunctionPosition], tuple[Site, ...]] = {}
        """The sites found for registers whose sites have not all been searched for."""
        self._has_blocks = facts.has_blocks

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sites)
            and self._function is other._function
            and self._facts == other._facts
        )

    __hash__ = None  # type: ignore[assignment]  # facts have none

    def of(self, name: str, symbol: Symbol) -> tuple[Site, ...]:
        """Returns the sites of a register in order; `symbol` is its declaration."""
        key = name, symbol.start
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = tuple(self._all(name, symbol))
        return found

    def some(self, name: str, symbol: Symbol, most: int) -> tuple[Site, ...]:
        """Returns the first sites of a register in order, at most `most` + 1."""
        key = name, symbol.start
        known = self._kept.get(key) or self._first.get(key, ())
        if not known or (key not in self._kept and len(known) <= most):
            known = tuple(islice(self._all(name, symbol), most + 1))
            (self._kept if len(known) <= most else self._first)[key] = known
        return known[: most + 1]

    def between(self, name: str, symbol: Symbol, first: int, stop: int) -> list[Site]:
        """Returns the sites of a register that touch lines [first, stop), in order."""
        begin, end = self._within(name, symbol)
        found = self._found(name, symbol, first, stop)
        stop = stop if end is None else min(stop, end)
        return [site for site in found if site.end[0] >= first and begin <= site.start[0] < stop]

    def lines(self, name: str, first: int = 0, stop: int | None = None) -> Iterator[int]:
        """Yields the lines of the function that contain a name, even if only in a comment.

        May omit lines outside of [first, stop).
        """
        base, previous = 0, -1
        for chunk in self._function.leaves():
            if stop is not None and base >= stop:
                break
            if base + chunk.extent.lines >= first and name in chunk.text:
                offsets = [0, *accumulate(map(len, chunk.lines))]
                for offset in _places(name, chunk.text):
                    line = base + bisect_right(offsets, offset) - 1
                    if line != previous:
                        yield line
                    previous = line
            base += chunk.extent.lines

    def _within(self, name: str, symbol: Symbol) -> tuple[int, int | None]:
        """Returns the lines [first, stop) that may use a register; `stop` is None for the end."""
        if not self._has_blocks:
            return 0, None
        scope: Scope | None = self._facts.scope_at(along(symbol.start, 1))
        while scope is not None and scope.find(name) != symbol:
            scope = scope.parent
        if scope is None or scope.end is None or scope is self._facts.scope:
            return 0, None
        return scope.start[0], scope.end[0] + 1

    def _all(self, name: str, symbol: Symbol) -> Iterator[Site]:
        """Yields the sites of a register in the block that declares it, in order."""
        first, stop = self._within(name, symbol)
        for site in self._found(name, symbol, first, stop):
            if site.start[0] >= first and (stop is None or site.start[0] < stop):
                yield site

    def _found(
        self, name: str, symbol: Symbol, first: int = 0, stop: int | None = None
    ) -> Iterator[Site]:
        previous: Record | None = None
        text = region_text(self._function)
        records, lines = text.records, text.lines
        ways: dict[tuple[Shape, tuple[int, ...]], _Way] = {}
        dotted = f"{name}."  # with a component
        for line in self.lines(name, first, stop):
            read = records[line]
            if isinstance(read, MultiLine):
                if read is not previous:
                    yield from self._of_run(read, line, name, symbol)
            elif isinstance(read, Shape) and (names := plain_names(read, lines[line])):
                row = lines[line]
                numbers = tuple(
                    [
                        number
                        for number, each in enumerate(names)
                        if each == name or each.startswith(dotted)
                    ]
                )
                way = ways.get((read, numbers))
                if way is None:
                    way = ways[read, numbers] = _way(name, accesses_in(read, row))
                if way != _UNUSED:
                    start = len(row) - len(row.lstrip(BLANKS))
                    place = on_row(line, start, len(row.rstrip(BLANKS)))
                    if self._means(name, place[0], symbol):
                        yield Site(*place, *way)
            elif isinstance(read, Shape) or read.kind is Kind.BROKEN:
                found = single(lines[line], read, line)
                place = found.start, found.end
                yield from self._of_statement(read, found.text, place, name, symbol)
            previous = read

    def _of_run(self, run: MultiLine, line: int, name: str, symbol: Symbol) -> Iterator[Site]:
        text = region_text(self._function)
        start_of_run = FunctionPosition((run_start(text.records, line), 0))
        for piece in run.pieces:
            if piece.record.kind in INSTRUCTIONS:
                start, end = (shifted(at, start_of_run) for at in (piece.start, piece.end))
                own = slice_lines(text.lines, start, end)
                if name in own:
                    yield from self._of_statement(piece.record, own, (start, end), name, symbol)

    def _of_statement(
        self, record: Record, text: str, place: FunctionSpan, name: str, symbol: Symbol
    ) -> Iterator[Site]:
        way = _way(name, accesses_in(record, text))
        if way != _UNUSED and self._means(name, place[0], symbol):
            yield Site(*place, *way)

    def _means(self, name: str, start: FunctionPosition, symbol: Symbol) -> bool:
        """Whether a name at a place means a register, rather than another one in a block."""
        if not self._has_blocks:
            return True
        scope = self._facts.scope_at(start)
        found = scope.lookup(name, start) or scope.lookup(name)
        return found is None or found is symbol or found == symbol


def _way(name: str, accesses: Iterable[NameAccess]) -> _Way:
    """Returns how an instruction uses a name, which it may contain more than once."""
    is_read = is_write = kills = False
    for used in accesses:
        if used.name == name:
            is_read |= used.access.is_read
            is_write |= used.access.is_write
            is_whole = not (used.is_conditional or used.access.is_partial)
            kills |= used.access.is_write and is_whole
    return is_read, is_write, kills


def _places(name: str, text: str) -> Iterator[int]:
    """Yields the offsets of a name in a text, but not within longer names."""
    size = len(name)
    offset = text.find(name)
    while offset >= 0:
        before = text[offset - 1] if offset else ""
        after = text[offset + size : offset + size + 1]
        if after not in _PART_OF_NAME and before not in _PART_OF_NAME and before != "%":
            yield offset
        offset = text.find(name, offset + size)
