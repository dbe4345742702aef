"""Mistakes in the instructions of each chunk of a function, and those that an edit leaves valid.

The result of a chunk depends on its text, on the module and the checker, and on the declarations of
the names in it. So after an edit elsewhere, only chunks that use a name that is declared in other
ways than before have to be checked again.
"""

from __future__ import annotations

from itertools import takewhile
from operator import is_
from typing import TYPE_CHECKING, Final, Self
from weakref import ref

from ptx_ls.document.facts import StoredFact
from ptx_ls.semantics.symbols.declaring_rows import declaring_rows
from ptx_ls.semantics.symbols.symbols import KINDS_BY_DIRECTIVE
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Kind, MultiLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.chunk_rows import PlacedChunk
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.symbols import Facts
    from ptx_ls.syntax.record import Record, Shape

_SIMPLE: Final = (Kind.LABEL, Kind.DIRECTIVE, Kind.DECLARATION)
"""Kinds of statements that open or close no scope."""
_LISTS: Final = tuple(KINDS_BY_DIRECTIVE.values())
"""Kinds of labels that name a directive, which depends on the lines between the two."""
_DIGITS: Final = "0123456789"


class WrongLine(NamedTuple):
    """A line with a single instruction, and its mistakes."""

    line: str
    record: Shape
    mismatches: tuple[Mismatch, ...]


class CheckedPart(NamedTuple):
    """The mistakes in a chunk, or in all of a function.

    `bad`: its lines with mistakes, by number. `names`: the names that were looked up one by one,
    without numbers at their ends, each between two spaces.
    """

    mismatches: tuple[Mismatch, ...]
    bad: Mapping[int, WrongLine]
    names: str

    def has_one_of(self, names: Iterable[str]) -> bool:
        """Whether one of these names was looked up."""
        return any(f" {name} " in self.names for name in names)


class CheckedFunction(NamedTuple):
    """The checked parts of a function, and everything that they depend on.

    `lists`: the names of labels that name a directive.
    """

    parts: tuple[PlacedChunk, ...]
    found: tuple[CheckedPart, ...]
    module: ModuleFacts
    checker: InstructionChecker
    facts: ref[RegionFacts]
    banks: Mapping[str, Facts]
    ranges: tuple[tuple[str, int], ...]
    lists: frozenset[str]

    @classmethod
    def of(
        cls,
        parts: tuple[PlacedChunk, ...],
        found: Sequence[CheckedPart],
        module: ModuleFacts,
        checker: InstructionChecker,
        facts: RegionFacts,
    ) -> Self:
        """Returns the checked parts of a function with these declarations."""
        known = ref(facts), facts.banks, facts.ranges, _lists_of(facts)
        return cls(parts, tuple(found), module, checker, *known)

    def bad_of(self, number: int, first: int, facts: RegionFacts) -> Mapping[int, WrongLine]:
        """Returns the known mistakes on the lines of an edited part that begins on row `first`.

        They are valid for lines that are as they were, while the declarations are the same.
        """
        if self.facts() is not facts:
            return {}
        if not self.parts:
            return self.found[0].bad
        is_same = number < len(self.parts) and self.parts[number].first == first
        return self.found[number].bad if is_same else {}

    def valid_for(
        self, parts: Sequence[PlacedChunk], facts: RegionFacts
    ) -> Sequence[CheckedPart | None]:
        """Returns the result of each of the parts that an edit left, or None if it is unknown."""
        n_before, n_after = len(self.parts), len(parts)
        if not n_before:
            return [None] * n_after
        n_head = _n_same(zip(self.parts, parts, strict=False))
        n_most = min(n_before, n_after) - n_head
        n_tail = min(n_most, _n_same(zip(reversed(self.parts), reversed(parts), strict=False)))
        unknown: list[CheckedPart | None] = [None] * (n_after - n_head - n_tail)
        if self.facts() is facts:
            changed: frozenset[str] | None = frozenset()
        else:
            edited = self.parts[n_head : n_before - n_tail], parts[n_head : n_after - n_tail]
            changed = self._changed(*edited, facts)
        if changed is None:
            return [None] * n_after
        has_moved = n_tail > 0 and self.parts[-1].first != parts[-1].first
        head, tail = self.found[:n_head], self.found[n_before - n_tail :]
        is_same = self.facts() is facts
        return [
            *_usable(head, changed, is_same=is_same),
            *unknown,
            *_usable(tail, changed, is_same=is_same and not has_moved),
        ]

    def _changed(
        self, before: Sequence[PlacedChunk], after: Sequence[PlacedChunk], facts: RegionFacts
    ) -> frozenset[str] | None:
        """Returns names, without numbers at their ends, that may mean something else.

        Returns None if everything may. `before` and `after`: the chunks that an edit replaced, and
        the new ones.
        """
        if self.banks != facts.banks or self.ranges != facts.ranges:
            return None
        old, new = (
            [each for _, chunk in chunks for each in _declaring_lines(chunk)]
            for chunks in (before, after)
        )
        changed = set(self.lists | _lists_of(facts))
        if old != new:
            if [it for it in old if not it.is_simple] != [it for it in new if not it.is_simple]:
                return None
            changed.update(*[names_in(each.line) for each in (*old, *new)])
        return frozenset([name.rstrip(_DIGITS) for name in changed])


CHECKED: Final = StoredFact["Function", CheckedFunction, tuple[()]]("checked instructions")
"""The mistakes in each instruction of a function, so that an edit needs few checks."""


def checked_before(
    function: Function | None, module: ModuleFacts, checker: InstructionChecker
) -> CheckedFunction | None:
    """Returns what was found with this module and checker before the last edit, if known."""
    before = None if function is None else CHECKED.latest(function)
    if before is None or before.module is not module or before.checker is not checker:
        return None
    return before


def _n_same(pairs: Iterable[tuple[PlacedChunk, PlacedChunk]]) -> int:
    """Returns how many of the first pairs are of the same chunk."""
    return sum(1 for _ in takewhile(lambda pair: is_(pair[0].chunk, pair[1].chunk), pairs))


def _usable(
    parts: Iterable[CheckedPart], changed: frozenset[str], *, is_same: bool
) -> Iterator[CheckedPart | None]:
    """Yields the parts that are still valid; `is_same`: whether no declaration or row changed.

    Mistakes refer to places, so with another place or declaration they are found again.
    """
    for part in parts:
        is_valid = is_same or not part.mismatches
        yield part if is_valid and not (changed and part.has_one_of(changed)) else None


def _lists_of(facts: RegionFacts) -> frozenset[str]:
    return frozenset([symbol.name for symbol in facts.declared if symbol.kind in _LISTS])


class _DeclaringLine(NamedTuple):
    """A line that may declare something, without white space around it, and how it was read."""

    line: str
    kinds: tuple[object, ...]
    is_simple: bool


def _declaring_lines(chunk: Chunk) -> Iterator[_DeclaringLine]:
    lines, records = chunk.lines, chunk.records
    previous: Record | None = None
    for row in declaring_rows(chunk).all:
        read = records[row]
        is_run, is_next = isinstance(read, MultiLine), read is previous
        kinds: tuple[object, ...] = (read.kind,)
        if isinstance(read, MultiLine) and not is_next:
            kinds = tuple([(it.record.kind, it.start, it.end) for it in read.pieces])
        yield _DeclaringLine(lines[row].strip(), kinds, not is_run and read.kind in _SIMPLE)
        previous = read


def as_names(names: Iterable[str]) -> str:
    """Returns names as they are kept with a part; they may have components, such as `%tid.x`."""
    kept = {name.partition(".")[0].rstrip(_DIGITS) for name in names}
    return f" {' '.join(sorted(kept))} " if kept else ""
