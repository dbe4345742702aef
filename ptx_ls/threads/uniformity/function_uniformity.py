"""Answers which threads of a function agree, on demand; see the package."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS
from ptx_ls.threads.uniformity.control import ControlStructure
from ptx_ls.threads.uniformity.evaluation import FoundLevel, LevelEvaluation
from ptx_ls.threads.uniformity.executing_threads import (
    ExecutingThreads,
    ThreadSet,
    is_surely_divided,
)
from ptx_ls.threads.uniformity.index_levels import IndexLevels, may_agree
from ptx_ls.threads.uniformity.levels import UNIFORM, Cause, CauseKind, Level, ValueLevel
from ptx_ls.values.function_values import FunctionValues, function_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.threads.uniformity.index_values import Vector
    from ptx_ls.threads.uniformity.launches import BlockShape


class Agreement(NamedTuple):
    """How far threads agree on a value, or run a block together.

    Attributes:
        surely: the largest group whose live threads always agree when they get there together.
        at_most: no larger group always agrees: there is a launch with two threads of the next
            larger group that differ. `GRID` if nothing is known.
        is_of_index: whether it only depends on the index of a thread in its block, and on values
            that are the same in the whole block.
        cause: why `surely` is not `GRID`.
    """

    surely: Level
    at_most: Level
    is_of_index: bool
    cause: Cause | None

    @property
    def is_surely_divergent(self) -> bool:
        """Whether lanes of a warp surely differ."""
        return self.at_most is Level.DIVERGENT


_NOTHING = Agreement(Level.DIVERGENT, Level.GRID, is_of_index=False, cause=None)


class FunctionUniformity:
    """Which threads of a function agree.

    Attributes:
        values: the values of the function.
        control: its branches.
    """

    def __init__(self, values: FunctionValues) -> None:
        self.values, self.flow = values, values.flow
        self.control = ControlStructure(values.flow)
        self._index = IndexLevels(values)
        self.evaluation = LevelEvaluation(values.given, self.control, self._index)
        self._executing: dict[BlockShape, ExecutingThreads] = {}
        self._block_levels: dict[int, Level] = {}
        self._reads: dict[int, Agreement] = {}
        self._decided_by_index: dict[tuple[int, Level], bool] = {}

    @cached_property
    def is_known(self) -> bool:
        """Whether the function can be read, and its branches followed."""
        return self.values.is_readable and self.control.is_known

    @property
    def shapes(self) -> tuple[BlockShape, ...]:
        """The shapes of blocks that are examined; a claim must hold in each."""
        return self._index.shapes if self.is_known else ()

    def read(self, use: int) -> Agreement:
        """Returns how far threads agree on the register that a use reads."""
        if not self.is_known:
            return _NOTHING
        if use not in self._reads:
            self._reads[use] = self._answer(self.evaluation.read(use), use, is_read=True)
        return self._reads[use]

    def written(self, use: int) -> Agreement:
        """Returns how far threads agree on what a use writes."""
        if not self.is_known:
            return _NOTHING
        self.evaluation.ensure([use])
        found = FoundLevel(self.evaluation.known[use], self.evaluation.causes.get(use))
        return self._answer(found, use, is_read=False)

    def surely_written(self, use: int) -> Level:
        """Returns `written(use).surely`, which takes less time than the rest of the answer."""
        if not self.is_known:
            return Level.DIVERGENT
        self.evaluation.ensure([use])
        return self.evaluation.known[use].level

    def _answer(self, found: FoundLevel, use: int, *, is_read: bool) -> Agreement:
        value = found.value
        at_most = self._at_most(use, value.level, is_read=is_read)
        return Agreement(value.level, at_most, value.is_of_index, found.cause)

    def _at_most(self, use: int, surely: Level, *, is_read: bool) -> Level:
        """Returns the level that is surely not exceeded in blocks of each shape."""
        if surely >= Level.CTA or not self.shapes:
            return Level.GRID
        block, first = self.flow.index.block_of(use), self.flow.index.first(use)
        is_guarded = self.flow.uses.ways[first] & GUARDS and (use != first or not is_read)
        form = self.values.form(use) if is_read else self.values.written(use).affine
        found = Level.DIVERGENT
        for shape in self.shapes:
            executing = self.executing(shape).of_guarded(block, first if is_guarded else None)
            threads = self._index.threads(shape)
            vector = threads.read(use) if is_read else threads.written(use)
            own = _agreeing(vector, executing, shape)
            if own is Level.GRID and form is not None:
                numbers = self._index.differing(form, shape)
                own = own if numbers is None else _agreeing(numbers, executing, shape)
            found = max(found, own)
            if found is Level.GRID:
                break
        return found

    def executing(self, shape: BlockShape) -> ExecutingThreads:
        """Returns the threads that execute the blocks of the function, in blocks of a shape."""
        found = self._executing.get(shape)
        if found is None:
            levels = self.evaluation.level_of_branch, self.evaluation.level_of_read
            found = ExecutingThreads(self.flow, self.control, self._index, shape, *levels)
            self._executing[shape] = found
        return found

    def branch(self, block: int) -> Agreement:
        """Returns how far threads agree on what a block leads to."""
        if not self.is_known:
            return _NOTHING
        if len(self.values.graph.successors[block]) < 2 and block not in self.values.graph.leaves:  # noqa: PLR2004
            return Agreement(Level.GRID, Level.GRID, is_of_index=True, cause=None)
        uses = self.control.decided_by(block)
        if not uses:
            return _NOTHING
        self.evaluation.ensure([~block])
        value, cause = self.evaluation.known[~block], self.evaluation.causes.get(~block)
        at_most = (
            self._at_most(uses[0], value.level, is_read=True) if len(uses) == 1 else Level.GRID
        )
        return Agreement(value.level, at_most, value.is_of_index, cause)

    def block(self, number: int) -> Agreement:
        """Returns how far live threads execute a block together, from the entry of the function.

        The cause names the branch with the lowest level that decides whether it runs.
        """
        if not self.is_known or number not in self.control.reached:
            return _NOTHING
        value, cause = UNIFORM, None
        branches = sorted(self.control.deciding(number))
        self.evaluation.ensure([~each for each in branches])
        for each in branches:
            own = self.evaluation.known[~each]
            if own.level < value.level:
                uses = self.control.decided_by(each)
                cause = Cause(CauseKind.BRANCH, uses[0] if uses else -1, node=~each)
            value = value.meet(own)
        return Agreement(value.level, self._divided(number, None), value.is_of_index, cause)

    def statement(self, found: Found) -> Agreement:
        """Returns how far live threads execute an instruction together, with its guard.

        For a branch, that is how far they continue together.
        """
        instruction = self.values.given.decoder.of_statement(found)
        if instruction.block < 0:
            return _NOTHING
        around, guard = self.block(instruction.block), self.guard_of(found)
        if guard is None:
            return around
        is_branch = instruction.name in _BRANCHES
        own = self.branch(instruction.block) if is_branch else self.read(guard)
        value = ValueLevel(around.surely, around.is_of_index).meet(
            ValueLevel(own.surely, own.is_of_index)
        )
        cause = around.cause
        if own.surely < around.surely:
            cause = Cause(CauseKind.GUARD, guard, inner=own.cause)
        at_most = self._divided(instruction.block, guard)
        return Agreement(value.level, at_most, value.is_of_index, cause)

    def surely(self, found: Found) -> Level:
        """Returns `statement(found).surely`, which takes less time than the rest of the answer."""
        block, guard = self.values.graph.number_at(found.start), self.guard_of(found)
        if not self.is_known or block is None or block not in self.control.reached:
            return Level.DIVERGENT
        level = self._level_of_block(block)
        return level if guard is None else min(level, self.evaluation.level_of_read(guard))

    def _level_of_block(self, block: int) -> Level:
        """Returns the largest group whose threads surely execute a block together."""
        if block not in self._block_levels:
            nodes = [~each for each in self.control.deciding(block)]
            self.evaluation.ensure(nodes)
            levels = [self.evaluation.known[each].level for each in nodes]
            self._block_levels[block] = min(levels, default=Level.GRID)
        return self._block_levels[block]

    def guard_of(self, found: Found) -> int | None:
        """Returns the use that is the guard of a statement."""
        if isinstance(found.record, Shape) and not found.record.guard:
            return None
        uses = self.values.given.decoder.of_statement(found).uses
        has_guard = uses and self.flow.uses.ways[uses.start] & GUARDS
        return uses.start if has_guard else None

    def threads_of(self, found: Found) -> Iterator[tuple[BlockShape, ThreadSet]]:
        """Yields the threads that may execute a statement, for each shape of blocks."""
        block = self.values.graph.number_at(found.start)
        if block is not None:
            guard = self.guard_of(found)
            for shape in self.shapes:
                yield shape, self.executing(shape).of_guarded(block, guard)

    def may_be_known(self, use: int) -> bool:
        """Whether the index of a thread may decide what a use reads; a quick test."""
        return self.is_known and self._index.may_be_known(use)

    def in_threads(self, use: int, shape: BlockShape) -> Vector:
        """Returns what a use reads in each thread of a block, as far as the index decides it."""
        return self._index.threads(shape).read(use)

    def may_be_divided(self, found: Found, level: Level) -> bool:
        """Whether the index may decide which threads of a group run a statement; a quick test."""
        block = self.values.graph.number_at(found.start) if self.is_known else None
        if block is None:
            return False
        guard = self.guard_of(found)
        is_chosen = guard is not None and self._index.divides(guard, level)
        return is_chosen or self._is_decided_by_index(block, level)

    def may_run_divided(self, place: FunctionPosition, level: Level) -> bool:
        """Whether the index may decide which threads of a group reach a place."""
        block = self.values.graph.number_at(place) if self.is_known else None
        return block is not None and self._is_decided_by_index(block, level)

    def _is_decided_by_index(self, block: int, level: Level) -> bool:
        """Whether the index may decide which threads of a group run a block."""
        key = block, level
        if key not in self._decided_by_index:
            deciding = [self.control.decided_by(each) for each in self.control.deciding(block)]
            uses = [use for each in deciding if len(each) == 1 for use in each]
            self._decided_by_index[key] = any(self._index.divides(each, level) for each in uses)
        return self._decided_by_index[key]

    def _divided(self, block: int, guard: int | None) -> Level:
        """Returns the largest group that is not surely divided where some code runs."""
        for level, below in _BELOW.items():
            if self.shapes and all(
                is_surely_divided(self.executing(shape).of_guarded(block, guard), shape, level)
                for shape in self.shapes
            ):
                return below
        return Level.GRID

    def chain(self, cause: Cause | None) -> list[Cause]:
        """Returns the links from a cause to its source."""
        found = []
        while cause is not None:
            found.append(cause)
            if cause.inner is not None:
                cause = cause.inner
            elif cause.node is not None:
                cause = self.evaluation.causes.get(cause.node)
            else:
                cause = None
        return found


_BRANCHES: Final = ("bra", "brx")
_BELOW: Final = {
    Level.WARP: Level.DIVERGENT,
    Level.WARPGROUP: Level.WARP,
    Level.CTA: Level.WARPGROUP,
}
"""For each group, the next smaller one."""


def _agreeing(vector: Vector, executing: ThreadSet, shape: BlockShape) -> Level:
    """Returns the largest group that may agree on a value where some threads execute code."""
    for level, below in _BELOW.items():
        among = [group & executing.threads for group in shape.groups(level)]
        agreeing = [may_agree(vector, each) for each in among if each]
        if executing.together >= Level.CTA and not all(agreeing):
            return below
    return Level.GRID


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def uniformity_of(values: FunctionValues) -> FunctionUniformity:
    """Returns the agreement of the threads of a function; the same object for the last ones."""
    return FunctionUniformity(values)


def function_uniformity(function: Function, module: ModuleFacts) -> FunctionUniformity:
    """Returns the agreement of the threads of a function; the same object for the last ones."""
    return uniformity_of(function_values(function, module))
