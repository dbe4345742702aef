"""The collective instructions of a function, and who surely does not execute them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.collectives.kinds import OPCODES, CollectiveKind, kind_of
from ptx_ls.semantics.calls.call_sites import call_sites
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Record, Shape
from ptx_ls.threads.uniformity.executing_threads import is_surely_divided
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.levels import ALL_LANES, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ptx_ls.lint.rule import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.uniformity.executing_threads import ThreadSet
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.threads.uniformity.launches import BlockShape

_CALL: Final = "call"


class CollectiveStatement(NamedTuple):
    """A collective instruction."""

    found: Found
    kind: CollectiveKind


class DividedGroup(NamedTuple):
    """A group of threads of which only some execute an instruction.

    Attributes:
        level: what the group is.
        threads: those that may execute it, as bits from the start of the group.
        missing: live threads that surely do not.
        size: the number of threads of the group.
        first: the first thread of the group in its block.
    """

    level: Level
    threads: int
    missing: int
    size: int
    first: int


class FunctionCollectives:
    """The collective instructions of a function."""

    def __init__(self, uniformity: FunctionUniformity, plain: frozenset[str]) -> None:
        """`plain`: functions that have no collective instructions."""
        self.uniformity, self._text = uniformity, uniformity.flow.text
        self._plain = plain
        self._masks: dict[FunctionPosition, int | None] = {}
        self._similar_sets: dict[tuple[str, int | None, BlockShape], frozenset[ThreadSet]] = {}

    @cached_property
    def _kinds(self) -> dict[Shape, CollectiveKind]:
        kinds = {each: kind_of(each) for each in self._text.shapes_of(OPCODES)}
        return {shape: kind for shape, kind in kinds.items() if kind is not None}

    @cached_property
    def statements(self) -> tuple[CollectiveStatement, ...]:
        """All collective instructions, in order."""
        return tuple(self.of_kinds(lambda _: True))

    def of_kinds(
        self, is_wanted: Callable[[CollectiveKind], bool]
    ) -> Iterator[CollectiveStatement]:
        """Yields the collective instructions whose kind is wanted, in order."""
        kinds = {shape: kind for shape, kind in self._kinds.items() if is_wanted(kind)}
        for each in self._text.instructions(kinds.keys()):
            if isinstance(each.record, Shape):
                yield CollectiveStatement(each, kinds[each.record])

    @cached_property
    def divisible(self) -> tuple[CollectiveStatement, ...]:
        """Those for which the index of a thread may decide whether it executes them."""
        kinds, may_be_divided = self._kinds, self.uniformity.may_be_divided
        return tuple(
            [
                CollectiveStatement(each, kinds[each.record])
                for each in self._text.statements(self._divisible_rows())
                if isinstance(each.record, Shape)
                and each.record in kinds
                and may_be_divided(each, kinds[each.record].group)
            ]
        )

    def _divisible_rows(self) -> list[int]:
        """Returns the lines that may have a statement of `divisible`.

        Of lines that are in a block as a whole, only those with a guard are examined one by one.
        """
        uniformity, text = self.uniformity, self._text
        if not (self._kinds and uniformity.is_known):
            return []
        groups: dict[Record, set[Level | None]] = {}
        for shape, kind in self._kinds.items():
            for record in text.with_shapes({shape}):
                groups.setdefault(record, set()).add(None if shape.guard else kind.group)
        rows = text.lines_of(groups.keys())
        if uniformity.flow.blocks.starts is None:
            return rows
        return [
            row
            for row, _, record in text.rows(rows)
            if any(
                group is None or uniformity.may_run_divided(FunctionPosition((row, 0)), group)
                for group in groups[record]
            )
        ]

    @cached_property
    def has_calls(self) -> bool:
        """Whether another function may have collective instructions, too."""
        if not self._plain:
            return self._text.has_opcodes((_CALL,))
        return any(call.name.text not in self._plain for _, call in call_sites(self._text))

    def division(self, found: Found, level: Level) -> DividedGroup | None:
        """Returns a group of which live threads surely do not execute a statement with others."""
        if self.uniformity.surely(found) >= level:
            return None
        divisions: Iterator[DividedGroup] = iter(())
        for shape, own in self.uniformity.threads_of(found):
            if level is Level.WARPGROUP and shape.n_threads < shape.group(level):
                continue  # such a block cannot execute it at all
            if not is_surely_divided(own, shape, level):
                return None
            divisions = self._divisions(shape, own, level)
        return next(divisions, None)

    def _divisions(self, shape: BlockShape, own: ThreadSet, level: Level) -> Iterator[DividedGroup]:
        size = shape.group(level)
        for first in range(0, shape.n_threads, size):
            count = min(size, shape.n_threads - first)
            group = ((1 << count) - 1) << first
            missing = group & ~own.threads & own.alive
            if own.threads & group and missing:
                yield DividedGroup(
                    level, (own.threads & group) >> first, missing >> first, count, first
                )

    def absent(self, statement: CollectiveStatement) -> DividedGroup | None:
        """Returns a warp of which the mask of a statement names live lanes that do not execute it.

        None if that is not sure, or if they may execute another one with the same mask.
        """
        uniformity = self.uniformity
        if statement.kind.mask is None or uniformity.surely(statement.found) >= Level.WARP:
            return None
        mask = self._mask(statement)
        if mask is None:
            return None
        found = None
        for shape, own in self.uniformity.threads_of(statement.found):
            warps = [*self._divisions(shape, own, Level.WARP)]
            named = [each for each in warps if each.missing & mask & ALL_LANES]
            n_warps = sum(bool(own.threads & each) for each in shape.groups(Level.WARP))
            is_sure = len(named) == n_warps or own.together >= Level.CTA
            if not named or not is_sure or self._has_partner(statement, shape, own, Level.WARP):
                return None
            found = named[0]._replace(missing=named[0].missing & mask)
        return found

    def unmet(self, statement: CollectiveStatement, level: Level) -> DividedGroup | None:
        """Returns a divided group whose other threads do not meet it at another statement."""
        division = self.division(statement.found, level)
        if division is None or self.has_calls:
            return None
        for shape, own in self.uniformity.threads_of(statement.found):
            if self._has_partner(statement, shape, own, level):
                return None
        return division

    def _has_partner(
        self, statement: CollectiveStatement, shape: BlockShape, own: ThreadSet, level: Level
    ) -> bool:
        """Whether other threads of the same groups may execute a similar statement meanwhile."""
        if self.has_calls:
            return True
        missing = 0
        for group in shape.groups(level):
            missing |= group & ~own.threads & own.alive if own.threads & group else 0
        for theirs in self._similar(statement, shape):
            is_common = not own.threads & ~theirs.threads
            if theirs.threads & missing and not (is_common and theirs.together >= Level.CTA):
                return True
        return False

    def _similar(self, statement: CollectiveStatement, shape: BlockShape) -> frozenset[ThreadSet]:
        """Returns the sets of threads that execute statements at which threads may meet."""
        mask = self._mask(statement)
        key = _meeting_key(statement.kind), mask, shape
        if key not in self._similar_sets:
            similar = [each for each in self.statements if _meeting_key(each.kind) == key[0]]
            if mask is not None:
                similar = [each for each in similar if self._mask(each) in (mask, None)]
            sets = [dict(self.uniformity.threads_of(each.found)) for each in similar]
            self._similar_sets[key] = frozenset(each[shape] for each in sets)
        return self._similar_sets[key]

    def _mask(self, statement: CollectiveStatement) -> int | None:
        """Returns the lanes that the mask of a statement names; None without a constant mask."""
        operand, place = statement.kind.mask, statement.found.start
        if operand is None:
            return None
        if place not in self._masks:
            value = self.uniformity.values.operand(statement.found, operand)
            self._masks[place] = value.constant
        return self._masks[place]

    def others_return(self, found: Found, level: Level) -> bool:
        """Whether the threads that do not execute a statement run other code with those that do.

        If a branch sends them to an exit, nothing waits for them, even if both exit there.
        """
        uniformity = self.uniformity
        guard, control = uniformity.guard_of(found), uniformity.control
        if guard is not None and uniformity.read(guard).at_most < level:
            return True
        block = uniformity.values.graph.number_at(found.start)
        meetings = {*range(len(control.successors))} - control.exits
        return block is not None and any(
            control.meeting_point(each) in meetings
            for each in control.deciding(block)
            if uniformity.branch(each).at_most < level
        )


def _meeting_key(kind: CollectiveKind) -> str:
    """Returns what is the same for instructions at which threads may meet."""
    if kind.action:
        return "barrier of the block"
    if kind.needs_whole_block:
        return "barrier of the cluster"
    return kind.opcode if kind.mask is None else f"{kind.opcode.partition('.')[0]} with a mask"


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _collectives_of(uniformity: FunctionUniformity, plain: frozenset[str]) -> FunctionCollectives:
    return FunctionCollectives(uniformity, plain)


def function_collectives(seen: CheckInput) -> FunctionCollectives:
    """Returns the collective instructions of a function; the same object for the last ones."""
    module = seen.module
    uniformity = function_uniformity(seen.function, module)
    return _collectives_of(uniformity, module.plain_functions)
