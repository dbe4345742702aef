"""Finds the definitions that may reach an instruction, on paths that guards and branches allow.

A search runs backwards from the instruction, with what is known of predicates there: a guarded
instruction runs only if its guard holds, and a branch is taken only if its guard holds. These
facts hold further back until an instruction writes the predicate; then the comparison that it wrote
is known instead. Paths on which a predicate had to be both true and false do not exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from ptx_ls.flow.known_conditions import Known
from ptx_ls.flow.registers.register_chain import Definitions
from ptx_ls.flow.write_comparisons import NamedUses, WriteComparisons, before_copy
from ptx_ls.semantics.instructions.control_transfer import LEAVING
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, KILLS, PARTIAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.block_arrays import BlockArrays
    from ptx_ls.flow.compared_numbers import Literal
    from ptx_ls.flow.registers.register_chain import RegisterChain, Write
    from ptx_ls.flow.registers.use_index import RegisterGuard

NO_REGISTER: Final = -1
"""A code of no register."""
_TRANSFERS: Final = LEAVING | {"bra", "brx"}
_MAX_STATES: Final = 500
"""Number of blocks and combinations of facts to visit for one use."""
_MAX_STATES_OF_FUNCTION: Final = 10_000
"""The same for all uses in a function."""
_MAX_WRITES_OF_FUNCTION: Final = 30_000
"""Number of writes to go back past for all uses in a function, which takes less than a second."""
_MAX_NEAR_STATES: Final = 256
"""Number of states to visit if only the question is whether there is a path."""
_MAX_NEAR_STATES_OF_FUNCTION: Final = 100_000
"""The same for all such questions in a function."""
_MAX_NEAR_EDGES: Final = 3
"""Number of branches before a place whose guards are always known."""
_MAX_CASES: Final = 8
"""Number of combinations of facts that may hold at one place of a block."""


class Stretch(NamedTuple):
    """The part of a block before the use `stop`, from the use `begin` on."""

    block: int
    stop: int
    begin: int = 0


class Reached(NamedTuple):
    """A write that a search reached: the use, the first use of its instruction, what is known."""

    write: int
    first: int
    known: Known


class _SearchedFlow(NamedUses, Protocol):
    """A function whose paths are searched: the parts of `FunctionFlow` that this needs."""

    @property
    def blocks(self) -> BlockArrays: ...
    def chain(self, code: int) -> RegisterChain: ...
    def written_by(self, use: int) -> Mapping[int, int]: ...
    def edge_fact(self, block: int, following: int) -> tuple[int, bool] | None: ...


class PathSearch:
    """Searches the paths of one function.

    `with_branches`: whether the guard of each branch on a path is known, too, which takes longer.
    """

    def __init__(self, flow: _SearchedFlow, *, with_branches: bool) -> None:
        self._flow, self._with_branches = flow, with_branches
        self._n_states = 0
        self._n_near_states = 0
        self._n_writes = 0
        self._comparisons = WriteComparisons(flow)

    def definitions(self, use: int) -> Definitions | None:
        """Returns the definitions that may reach the instruction of a use; None: too many paths."""
        flow = self._flow
        first, code = flow.index.first(use), flow.uses.codes[use]
        guard = flow.index.guard(use)
        known = Known()
        if guard is not None and not flow.uses.ways[use] & GUARDS:
            known = Known(((guard.code, not guard.is_negated),))
        found: list[Reached] = []
        from_entry = False
        waiting = [(flow.index.block_of(use), first, known)]
        seen: set[tuple[int, Known]] = set()
        while waiting:
            if len(seen) > _MAX_STATES or self._is_exhausted:
                return None
            block, stop, known = waiting.pop()
            for left in self._cases_before(code, Stretch(block, stop), known, found):
                from_entry |= block == 0
                for before in flow.blocks.predecessors[block]:
                    entered = self.entered(before, block, left)
                    if entered is not None and (before, entered) not in seen:
                        seen.add((before, entered))
                        waiting.append((before, flow.index.firsts[before + 1], entered))
            self._n_states += 1
        return Definitions(tuple(sorted({each.write for each in found})), from_entry)

    def may_get_unset(
        self, use: int, sources: Mapping[int, Sequence[int]], facts: Iterable[Literal]
    ) -> bool:
        """Whether a path may lead to a use on which nothing writes what its value depends on.

        `sources`: the reads whose values may go into what each of some uses writes. `facts`: what
        else is known at the use. True if there are too many paths.
        """
        flow, guard = self._flow, self._flow.index.guard(use)
        own: tuple[Literal, ...] = ()
        if guard is not None and not self._is_branch(use):
            own = ((guard.code, not guard.is_negated),)
        known = Known().adding_all((*own, *facts))
        if known is None:
            return False
        waiting = [(flow.uses.codes[use], flow.index.block_of(use), flow.index.first(use), known)]
        seen: set[tuple[int, int, int, Known]] = set()
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            if len(seen) > _MAX_STATES or self._is_exhausted:
                return True
            self._n_states += 1
            code, block, stop, known = place
            found: list[Reached] = []
            for left in self._cases_before(code, Stretch(block, stop), known, found):
                if block == 0:
                    return True
                for before in flow.blocks.predecessors[block]:
                    entered = self.entered(before, block, left)
                    if entered is not None:
                        waiting.append((code, before, flow.index.firsts[before + 1], entered))
            waiting += [
                (flow.uses.codes[read], flow.index.block_of(each.write), each.first, each.known)
                for each in found
                for read in sources.get(each.write, ())
            ]
        return False

    def _is_branch(self, use: int) -> bool:
        """Whether a use is the guard of an instruction after which others run if it is false."""
        record = self._flow.statement(use).record
        is_transfer = isinstance(record, Shape) and record.name in _TRANSFERS
        return is_transfer and bool(self._flow.uses.ways[use] & GUARDS)

    def is_possible(self, block: int, stop: int, known: Known) -> bool | None:
        """Whether a path leads from the entry to a use of a reachable block, where some facts hold.

        None if there are too many paths. The guards of the last branches before the use are known,
        too, even without `with_branches`.
        """
        waiting, seen = [(block, stop, known, 0)], set[tuple[int, Known]]()
        while waiting:
            if len(seen) > _MAX_NEAR_STATES or self._is_exhausted:
                return None
            block, stop, known, n_edges = waiting.pop()
            self._n_near_states += 1
            is_near = n_edges < _MAX_NEAR_EDGES
            for left in self._cases_before(NO_REGISTER, Stretch(block, stop), known, []):
                if not block or not (is_near or left.has_predicate):
                    return True
                for before in self._flow.blocks.predecessors[block]:
                    entered = self.entered(before, block, left, keeps_fact=is_near)
                    if entered is not None and (before, entered) not in seen:
                        seen.add((before, entered))
                        last = self._flow.index.firsts[before + 1]
                        waiting.append((before, last, entered, n_edges + 1))
        return False

    def may_avoid(self, blocks: AbstractSet[int], last: int) -> bool:
        """Whether a path leads from the entry to the end of `last` without some blocks.

        True if there are too many paths.
        """
        flow = self._flow
        stop = flow.index.firsts[last + 1]
        guard = flow.index.guard(stop - 1) if stop > flow.index.firsts[last] else None
        known = Known() if guard is None else Known(((guard.code, not guard.is_negated),))
        waiting, seen = [(last, known)], set[tuple[int, Known]]()
        while waiting:
            if len(seen) > _MAX_STATES or self._is_exhausted:
                return True
            self._n_states += 1
            block, known = waiting.pop()
            stretch = Stretch(block, flow.index.firsts[block + 1])
            for left in self._cases_before(NO_REGISTER, stretch, known, []):
                if not block:
                    return True
                for before in flow.blocks.predecessors[block]:
                    entered = None if before in blocks else self.entered(before, block, left)
                    if entered is not None and (before, entered) not in seen:
                        seen.add((before, entered))
                        waiting.append((before, entered))
        return False

    @property
    def _is_exhausted(self) -> bool:
        """Whether the searches in the function have taken long enough."""
        return (
            self._n_states > _MAX_STATES_OF_FUNCTION
            or self._n_near_states > _MAX_NEAR_STATES_OF_FUNCTION
            or self._n_writes > _MAX_WRITES_OF_FUNCTION
        )

    def entered(
        self, before: int, block: int, known: Known, *, keeps_fact: bool = False
    ) -> Known | None:
        """Returns what is known at the end of a block that another one follows; None: it cannot."""
        fact = self._flow.edge_fact(before, block)
        if fact is None:
            return known
        condition, holds = fact
        entered = known.adding(condition, holds=holds)
        return entered if entered is None or keeps_fact or self._with_branches else known

    def back(self, code: int, stretch: Stretch, known: Known, found: list[Reached]) -> Known | None:
        """Goes back in a block from a use, and adds definitions.

        Returns what is known at its start, or at the use `begin` in it; None if a definition
        replaces the value, or if no path leads there.
        """
        cases = self._cases_before(code, stretch, known, found, max_cases=1)
        return cases[0] if cases else None

    def _cases_before(
        self,
        code: int,
        stretch: Stretch,
        known: Known,
        found: list[Reached],
        *,
        max_cases: int = _MAX_CASES,
    ) -> list[Known]:
        """Does the same as `back`, but distinguishes whether guarded instructions ran."""
        waiting, cases = [(stretch.stop, known)], list[Known]()
        while waiting:
            stop, known = waiting.pop()
            own = self._last_write({code, *known.codes}, stretch.block, stop)
            if own is None or own.first < stretch.begin:
                cases.append(known)
                continue
            self._n_writes += 1
            n_left = max_cases - len(cases) - len(waiting)
            left = self._past(code, own, known, found, n_left)
            waiting += [(own.first, each) for each in left]
        return cases

    def _last_write(self, codes: Iterable[int], block: int, stop: int) -> Write | None:
        """Returns the last instruction before a use in its block that writes some registers."""
        last = None
        for code in codes:
            if code == NO_REGISTER:
                continue
            before = self._flow.chain(code).before(block, stop)
            if before and (last is None or before[-1].first > last.first):
                last = before[-1]
        return last

    def _past(
        self, code: int, write: Write, known: Known, found: list[Reached], max_cases: int
    ) -> Sequence[Known]:
        """Goes back past an instruction that writes the register, or what facts are about."""
        written = self._flow.written_by(write.use)
        guard = self._flow.index.guard(write.use)
        runs = self._runs(guard, written, known)
        if runs is False:
            return (known,)
        if code in written:
            # The guard has this value before the instruction, which may change it.
            own = () if guard is None else ((guard.code, not guard.is_negated),)
            cases = (each.adding_all(own) for each in self._before(write, known, written, 1))
            found += [Reached(written[code], write.first, it) for it in cases if it is not None]
            if runs and not self._flow.uses.ways[written[code]] & PARTIAL:
                return ()
        if runs:
            return self._before(write, known, written, max_cases)
        left = known.without(written)
        if guard is None:
            return (left,)
        skipped = known.adding(guard.code, holds=guard.is_negated)
        without = () if skipped is None else (skipped,)
        if code in written:  # on the rest of the path, it did not run
            return without
        if left == known or max_cases <= 1:
            return (left,)
        ran = (
            each.adding(guard.code, holds=not guard.is_negated)
            for each in self._before(write, known, written, max_cases - 1)
        )
        return (*without, *(each for each in ran if each is not None))

    def _runs(
        self, guard: RegisterGuard | None, written: Mapping[int, int], known: Known
    ) -> bool | None:
        """Whether an instruction runs; None if that is unknown."""
        if guard is None:
            ways = self._flow.uses.ways
            return all(ways[use] & (KILLS | PARTIAL) for use in written.values()) or None
        holds = None if guard.code in written else known.of(guard.code)
        return None if holds is None else holds is not guard.is_negated

    def _before(
        self, write: Write, known: Known, written: Mapping[int, int], max_cases: int
    ) -> Sequence[Known]:
        """Returns the cases before an instruction that ran; none if that is impossible."""
        left = known.without(written)
        cases: Sequence[Known] = (left,)
        values = [(code, holds) for code in written if (holds := known.of(code)) is not None]
        meaning = self._comparisons.meanings_of(write) if values else {}
        for code, holds in values:
            following = meaning[code].of(value=holds) if code in meaning else ((),)
            if len(following) <= max(1, max_cases // max(1, len(cases))):
                added = (each.adding_all(facts) for each in cases for facts in following)
                cases = [each for each in added if each is not None]
        compared = [
            each for each in known.facts if each not in left.facts and each[0] not in written
        ]
        if compared and known.adding_all(self._comparisons.limits_of(write)) is None:
            return ()
        copied = self._comparisons.copies_of(write) if compared else ()
        if not copied or len(copied) * len(cases) > max(1, max_cases):
            return cases
        replaced = (before_copy(case, compared, each) for case in cases for each in copied)
        return [each for each in replaced if each is not None]
