"""Which threads execute the statements of a function, compared with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.needed_predicates import FixedComparison, NeededPredicates, agree
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import NEGATED
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.levels import Level
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.executing_threads import ThreadSet
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.threads.uniformity.launches import BlockShape

_EQUAL: Final = "eq"


class Participants:
    """The threads that execute statements.

    `uniformity`: which threads of the function agree.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self.uniformity, self._flow = uniformity, uniformity.flow
        self._graph = uniformity.values.graph
        self._threads: dict[FunctionPosition, ThreadSet | None] = {}
        self._exact: dict[FunctionPosition, bool] = {}
        self._guards: dict[FunctionPosition, tuple[object, ...] | None] = {}
        self._needed = NeededPredicates(uniformity)
        self._needs_of: dict[FunctionPosition, Mapping[object, bool]] = {}
        self._chosen: dict[FunctionPosition, frozenset[object]] = {}

    @property
    def shape(self) -> BlockShape | None:
        """The shape of the blocks that are examined; None if it is unknown.

        A kernel that limits the number of its threads is usually launched with that number.
        """
        shapes = self.uniformity.shapes
        most = self.uniformity.values.given.bounds.max_threads
        is_limited = most < MAX_THREADS and (most, 1, 1) in [each.sizes for each in shapes]
        return (shapes[-1] if is_limited else shapes[0]) if shapes else None

    def threads(self, site: EventSite) -> ThreadSet | None:
        """Returns the threads that may execute a statement; None if nothing is known."""
        if site.found.start not in self._threads:
            known = dict(self.uniformity.threads_of(site.found))
            self._threads[site.found.start] = None if self.shape is None else known.get(self.shape)
        return self._threads[site.found.start]

    def is_exact(self, site: EventSite) -> bool:
        """Whether all of the threads that may execute a statement do so, at least once."""
        known = self._exact.get(site.found.start)
        if known is None:
            known = self._exact[site.found.start] = self._find_exact(site)
        return known

    def _find_exact(self, site: EventSite) -> bool:
        found, shape = self.threads(site), self.shape
        if found is None or shape is None or self.may_have_left(site):
            return False
        if found.together >= Level.CTA:
            return True
        uniformity, dominators = self.uniformity, self._graph.dominators
        known = uniformity.executing(shape)
        guard = uniformity.guard_of(site.found)
        if guard is not None and not known.outcome(guard, value=True).is_known:
            return False
        for each in uniformity.control.deciding(site.block):
            if dominators.dominates(site.block, each):
                continue  # it only decides whether the statement is repeated
            uses = uniformity.control.decided_by(each)
            is_known = len(uses) == 1 and known.outcome(uses[0], value=True).is_known
            if not is_known and uniformity.branch(each).surely < Level.CTA:
                return False
        return True

    def is_unknown_guard(self, site: EventSite) -> bool:
        """Whether a statement has a guard that the index of a thread does not decide."""
        guard, shape = self.uniformity.guard_of(site.found), self.shape
        if guard is None:
            return False
        return (
            shape is None
            or not self.uniformity.executing(shape).outcome(guard, value=True).is_known
        )

    def may_have_left(self, site: EventSite) -> bool:
        """Whether some lanes of a warp may have exited before a statement, while others continue.

        Exits whose condition is a function of the index of a thread are known.
        """
        control, dominators = self.uniformity.control, self._graph.dominators
        for edge in control.leaving:
            uses = control.decided_by(edge.block)
            is_later = edge.block != site.block and dominators.dominates(site.block, edge.block)
            is_clear = [self._is_clear(use) for use in uses]
            if not is_later and not (is_clear and all(is_clear)):
                return True
        return False

    def _is_clear(self, use: int, level: Level = Level.WARP) -> bool:
        """Whether the threads of a group agree on a predicate, or their index decides it."""
        if self.uniformity.read(use).surely >= level:
            return True
        shape = self.shape
        return (
            shape is not None and self.uniformity.executing(shape).outcome(use, value=True).is_known
        )

    def runs_each_time(self, site: EventSite, blocks: AbstractSet[int]) -> bool:
        """Whether some threads execute a statement in each iteration of a loop with some blocks."""
        uniformity, shape = self.uniformity, self.shape
        if shape is None or self.is_unknown_guard(site):
            return False
        known = uniformity.executing(shape)
        for each in uniformity.control.deciding(site.block):
            following = self._graph.successors[each]
            if each not in blocks or any(to not in blocks for to in following):
                continue  # before the loop, or an exit from it
            uses = uniformity.control.decided_by(each)
            if len(uses) != 1 or not known.outcome(uses[0], value=True).is_known:
                return False
        return True

    def executes_too(self, first: EventSite, second: EventSite) -> bool:
        """Whether a thread that executes the first statement executes the second if it gets there.

        False if that is unknown.
        """
        guard = self._guard(second)
        return guard is None or guard == self._guard(first)

    def excludes(self, first: EventSite, second: EventSite) -> bool:
        """Whether no thread executes both statements, because they need opposite predicates."""
        return not agree(self._needs(first), self._needs(second))

    def excludes_in_block(self, first: EventSite, second: EventSite) -> bool:
        """Whether no two threads of a block execute the two statements, for the same reason."""
        one: Mapping[object, bool] = {
            key: value
            for key, value in self._needs(first).items()
            if isinstance(key, FixedComparison) and key.is_same
        }
        return not agree(self._needs(second), one)

    def never_runs(self, site: EventSite) -> bool:
        """Whether the guard of a statement and the branches before it need opposite values."""
        needed = self._needed.at(site.block)
        return needed is None or not agree(needed, self._guarding(site))

    def _needs(self, site: EventSite) -> Mapping[object, bool]:
        """Returns the predicates that a statement needs, each with its value."""
        if site.found.start not in self._needs_of:
            before = self._needed.at(site.block) or {}
            self._needs_of[site.found.start] = {**before, **self._guarding(site)}
        return self._needs_of[site.found.start]

    def _guarding(self, site: EventSite) -> Mapping[object, bool]:
        """Returns the predicates that the guard of a statement needs, each with its value."""
        use = self.uniformity.guard_of(site.found)
        if use is None:
            return {}
        return self._needed.read(use, value=not self._flow.uses.ways[use] & NEGATED)

    def may_be_of_one_thread(self, first: EventSite, second: EventSite) -> bool:
        """Whether both statements need a condition that may hold in only one thread.

        Only comparisons other than equality surely hold in several threads in some launch.
        """
        return not self._choices(first).isdisjoint(self._choices(second))

    def _choices(self, site: EventSite) -> frozenset[object]:
        """Returns the conditions before a statement that may choose one thread."""
        if site.found.start not in self._chosen:
            self._chosen[site.found.start] = frozenset(self._find_choices(site))
        return self._chosen[site.found.start]

    def _find_choices(self, site: EventSite) -> Iterator[object]:
        values = self.uniformity.values
        for edge, facts in values.conditions(site.found):
            if facts.is_exact and all(each.operator != _EQUAL for each in facts.comparisons):
                continue
            use = self.uniformity.guard_of(site.found)
            if edge is not None:
                use = values.given.guard_at_end(edge.block, edge.code)
            if use is not None and not self._is_clear(use, Level.CTA):
                yield edge or self._guard(site)

    def surely_skips(self, first: EventSite, *others: EventSite) -> bool:
        """Whether some thread executes the first statement and surely none of the others."""
        one = self.threads(first)
        left = 0 if one is None else one.threads
        for each in others:
            other = self.threads(each)
            left &= 0 if other is None else ~other.threads
        return left != 0 and self.is_exact(first)

    def _guard(self, site: EventSite) -> tuple[object, ...] | None:
        """Returns the guard of a statement: its register, its value there, and its sense."""
        if site.found.start not in self._guards:
            self._guards[site.found.start] = self._find_guard(site)
        return self._guards[site.found.start]

    def _find_guard(self, site: EventSite) -> tuple[object, ...] | None:
        if isinstance(site.found.record, Shape) and not site.found.record.guard:
            return None
        use = self.uniformity.guard_of(site.found)
        if use is None:
            return None
        is_negated = bool(self._flow.uses.ways[use] & NEGATED)
        return self._flow.uses.codes[use], self._flow.definitions(use), is_negated


def participants(function: Function, module: ModuleFacts) -> Participants:
    """Returns the participants of a function."""
    return Participants(function_uniformity(function, module))
