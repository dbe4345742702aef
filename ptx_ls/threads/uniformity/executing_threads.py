"""Finds which threads of a block may execute its code, as far as their index decides that.

A set of threads is a number with one bit for each. A condition that also depends on other numbers
leaves out no thread, except where its value is known anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import GUARDS, NEGATED
from ptx_ls.threads.uniformity.index_values import members_with
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.threads.uniformity.control import ControlStructure, LeavingEdge
    from ptx_ls.threads.uniformity.index_levels import IndexLevels
    from ptx_ls.threads.uniformity.launches import BlockShape

_TWO_WAYS: Final = 2


class ThreadSet(NamedTuple):
    """The threads of a block that may execute something.

    Attributes:
        threads: those that may; no other thread does.
        together: whenever one thread of a group of this level executes it, all of its threads that
            may do so.
        alive: the threads of the block that have surely not exited by then.
        exited: those that surely have.
    """

    threads: int
    together: Level
    alive: int
    exited: int = 0


class PredicateOutcome(NamedTuple):
    """The threads for which a predicate may have a value, and whether it is known in all."""

    threads: int
    is_known: bool


class ExecutingThreads:
    """The threads that execute the blocks of a function, in a block of threads of a shape."""

    def __init__(
        self,
        flow: FunctionFlow,
        control: ControlStructure,
        index: IndexLevels,
        shape: BlockShape,
        level_of_branch: Callable[[int], Level],
        level_of_read: Callable[[int], Level],
    ) -> None:
        """The last two return the levels of what a block leads to, and of what a use reads."""
        self._flow, self._control, self.shape = flow, control, shape
        self._index, self._threads = index, index.threads(shape)
        self._level_of_branch, self._level_of_read = level_of_branch, level_of_read
        self._is_kernel = index.is_kernel
        self._known: dict[int, ThreadSet] = {}
        self._reaching: dict[int, int] = {}
        self._later: dict[int, AbstractSet[int]] = {}
        self._outcomes: dict[tuple[int, bool], PredicateOutcome] = {}

    def of_block(self, block: int) -> ThreadSet:
        """Returns the threads that may execute a block."""
        if block not in self._known:
            self._known[block] = self._find(block)
        return self._known[block]

    def of_guarded(self, block: int, guard: int | None) -> ThreadSet:
        """Returns the threads that may execute an instruction with the use of its guard."""
        found = self.of_block(block)
        if guard is None:
            return found
        is_negated = bool(self._flow.uses.ways[guard] & NEGATED)
        outcome = self.outcome(guard, value=not is_negated)
        together = found.together
        if not outcome.is_known:
            together = min(together, self._level_of_read(guard))
        return found._replace(threads=found.threads & outcome.threads, together=together)

    def outcome(self, use: int, *, value: bool) -> PredicateOutcome:
        """Returns the threads in which the predicate that a use reads may have a value."""
        if (use, value) not in self._outcomes:
            self._outcomes[use, value] = self._outcome(use, value=value)
        return self._outcomes[use, value]

    def _outcome(self, use: int, *, value: bool) -> PredicateOutcome:
        if not self._index.may_be_known(use):
            return PredicateOutcome(self.shape.everyone, is_known=False)
        vector = self._threads.read(use)
        return PredicateOutcome(
            members_with(vector, int(value)), all(it.constant is not None for it in vector)
        )

    def _find(self, block: int) -> ThreadSet:
        control = self._control
        everyone = self.shape.everyone
        if not control.is_known or block not in control.reached:
            return ThreadSet(everyone, Level.DIVERGENT, 0)
        threads = self._reached_by(block)
        together = Level.GRID if self._is_kernel else Level.DIVERGENT
        for each in control.deciding(block):
            if control.is_repeated(each) or not self._is_known_branch(each):
                together = min(together, self._level_of_branch(each))
        alive, exited, dominators = everyone, 0, self._control.graph.dominators
        for edge in control.leaving:
            outcome = self._leaving(edge)
            is_known = outcome is not None and outcome.threads != everyone
            if outcome is None or not (is_known or outcome.is_known):
                continue
            if not self._is_before(edge.block, block):
                continue
            gone = outcome.threads & self._reached_by(edge.block)
            alive &= ~gone
            if outcome.is_known and dominators.dominates(edge.block, block):
                threads &= ~outcome.threads
                is_exact = all(map(self._is_for_known_threads, control.deciding(edge.block)))
                exited |= gone if is_exact else 0
        return ThreadSet(threads, together, alive, exited)

    def _reached_by(self, block: int) -> int:
        """Returns the threads that may reach a block, if none exits."""
        if block not in self._reaching:
            blocks = {block, *self._control.deciding(block)}
            new = sorted(blocks.difference(self._reaching))
            found = self._reaching
            found.update(dict.fromkeys(new, 0))
            ways = {each: [*self._ways_to(each)] for each in new}
            is_changed = True
            while is_changed:
                is_changed = False
                for each in new:
                    threads = found[each]
                    for parent, may in ways[each]:
                        threads |= may & (found[parent] if parent >= 0 else -1)
                    if threads != found[each]:
                        found[each], is_changed = threads, True
        return self._reaching[block]

    def _ways_to(self, block: int) -> Iterator[tuple[int, int]]:
        """Yields the branches that lead to a block with the threads they may send there.

        The branch is -1 if the block runs whenever the function does.
        """
        after = self._control.post_dominators
        if after.dominates(block, 0):
            yield -1, self.shape.everyone
        for parent in self._control.parents[block]:
            may = 0
            for following in self._control.successors[parent]:
                if after.dominates(block, following):
                    may |= self._sent(parent, following)
            yield parent, may

    def _sent(self, block: int, following: int) -> int:
        """Returns the threads that a branch may send to one of the blocks after it."""
        fact = self._flow.edge_fact(block, following)
        uses = self._control.decided_by(block)
        guard = next((use for use in uses if self._flow.uses.ways[use] & GUARDS), None)
        if fact is None or guard is None or len(self._control.graph.successors[block]) != _TWO_WAYS:
            return self.shape.everyone
        return self.outcome(guard, value=fact[1]).threads

    def _is_known_branch(self, block: int) -> bool:
        uses = self._control.decided_by(block)
        return len(uses) == 1 and self.outcome(uses[0], value=True).is_known

    def _is_for_known_threads(self, block: int) -> bool:
        """Whether the index of a thread decides a branch, or all threads take the same way."""
        return self._is_known_branch(block) or self._level_of_branch(block) >= Level.CTA

    def _leaving(self, edge: LeavingEdge) -> PredicateOutcome | None:
        """Returns the threads that may leave on an edge; None if that is not known at all."""
        uses = self._control.decided_by(edge.block)
        if len(uses) != 1 or not self._flow.uses.ways[uses[0]] & GUARDS:
            return None
        if edge.following < 0:
            value = not self._flow.uses.ways[uses[0]] & NEGATED
        else:
            fact = self._flow.edge_fact(edge.block, edge.following)
            if fact is None:
                return None
            value = fact[1]
        return self.outcome(uses[0], value=value)

    def _is_before(self, one: int, other: int) -> bool:
        """Whether control may come from one block to another."""
        if one not in self._later:
            self._later[one] = self._control.following(one)
        return other in self._later[one]


def is_surely_divided(found: ThreadSet, shape: BlockShape, level: Level) -> bool:
    """Whether live threads of a group do not take part whenever others of it execute something."""
    divided, whole = False, False
    for group in shape.groups(level):
        if found.threads & group:
            is_divided = bool(group & ~found.threads & found.alive)
            divided |= is_divided
            whole |= not is_divided
    return divided and (not whole or found.together >= Level.CTA)
