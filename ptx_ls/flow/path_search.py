"""Finds the definitions that may reach an instruction, on paths that guards and branches allow.

A search runs backwards from the instruction, with what is known of predicates there: a guarded
instruction runs only if its guard holds, and a branch is taken only if its guard holds. These
facts hold further back until an instruction writes the predicate; then the comparison that it wrote
is known instead. Paths on which a predicate had to be both true and false do not exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from ptx_ls.flow.conditions import ALWAYS, meanings
from ptx_ls.flow.registers.register_chain import Definitions
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import GUARDS, KILLS, PARTIAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ptx_ls.flow.block_arrays import BlockArrays
    from ptx_ls.flow.conditions import Condition, Literal, Meaning
    from ptx_ls.flow.registers.register_chain import RegisterChain, Write
    from ptx_ls.flow.registers.register_uses import RegisterUses
    from ptx_ls.flow.registers.use_index import RegisterGuard, UseIndex
    from ptx_ls.semantics.symbols.region_text import Found

NO_REGISTER: Final = -1
"""A code of no register."""
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
_MAX_KNOWN: Final = 8
"""Number of conditions that are known at a time."""


class Known(NamedTuple):
    """The conditions that are known to hold, or not to hold, at a place on a path."""

    facts: tuple[Literal, ...] = ()

    def of(self, condition: Condition) -> bool | None:
        """Returns whether a condition holds, or None."""
        return next((holds for each, holds in self.facts if each == condition), None)

    def adding(self, condition: Condition, *, holds: bool) -> Known | None:
        """Returns this with another fact; None if it contradicts one of these."""
        known = True if condition == ALWAYS else self.of(condition)
        if known is not None:
            return self if known is holds else None
        return Known((*self.facts, (condition, holds))[-_MAX_KNOWN:])

    def without(self, codes: Iterable[int]) -> Known:
        """Returns this without the facts about some registers."""
        written = {*codes}
        return Known(tuple(each for each in self.facts if written.isdisjoint(_codes(each[0]))))

    @property
    def has_predicate(self) -> bool:
        """Whether one of the facts is about a predicate, which a branch may contradict."""
        return any(isinstance(condition, int) for condition, _ in self.facts)

    @property
    def codes(self) -> set[int]:
        """The registers that the facts are about."""
        return {code for condition, _ in self.facts for code in _codes(condition)}


def _codes(condition: Condition) -> Iterator[int]:
    if isinstance(condition, int):
        yield condition
    else:
        yield from (term for term in condition[2:] if isinstance(term, int))


class _SearchedFlow(Protocol):
    """A function whose paths are searched: the parts of `FunctionFlow` that this needs."""

    @property
    def blocks(self) -> BlockArrays: ...
    @property
    def uses(self) -> RegisterUses: ...
    @property
    def index(self) -> UseIndex: ...
    def chain(self, code: int) -> RegisterChain: ...
    def written_by(self, use: int) -> Mapping[int, int]: ...
    def edge_fact(self, block: int, following: int) -> tuple[int, bool] | None: ...
    def statement(self, use: int) -> Found: ...
    def name_of(self, use: int) -> str: ...


class PathSearch:
    """Searches the paths of one function.

    `with_branches`: whether the guard of each branch on a path is known, too, which takes longer.
    """

    def __init__(self, flow: _SearchedFlow, *, with_branches: bool) -> None:
        self._flow, self._with_branches = flow, with_branches
        self._n_states = 0
        self._n_near_states = 0
        self._n_writes = 0
        self._meanings: dict[int, Mapping[int, Meaning]] = {}

    def definitions(self, use: int) -> Definitions | None:
        """Returns the definitions that may reach the instruction of a use; None: too many paths."""
        flow = self._flow
        first, code = flow.index.first(use), flow.uses.codes[use]
        guard = flow.index.guard(use)
        known = Known()
        if guard is not None and not flow.uses.ways[use] & GUARDS:
            known = Known(((guard.code, not guard.is_negated),))
        found: set[int] = set()
        from_entry = False
        waiting = [(flow.index.block_of(use), first, known)]
        seen: set[tuple[int, Known]] = set()
        while waiting:
            if len(seen) > _MAX_STATES or self._is_exhausted:
                return None
            block, stop, known = waiting.pop()
            left = self.back(code, block, stop, known, found)
            if left is None:
                continue
            from_entry |= block == 0
            for before in flow.blocks.predecessors[block]:
                entered = self.entered(before, block, left)
                if entered is not None and (before, entered) not in seen:
                    seen.add((before, entered))
                    waiting.append((before, flow.index.firsts[before + 1], entered))
            self._n_states += 1
        return Definitions(tuple(sorted(found)), from_entry)

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
            left = self.back(NO_REGISTER, block, stop, known, set())
            if left is None:
                continue
            is_near = n_edges < _MAX_NEAR_EDGES
            if not block or not (is_near or left.has_predicate):
                return True
            for before in self._flow.blocks.predecessors[block]:
                entered = self.entered(before, block, left, keeps_fact=is_near)
                if entered is not None and (before, entered) not in seen:
                    seen.add((before, entered))
                    last = self._flow.index.firsts[before + 1]
                    waiting.append((before, last, entered, n_edges + 1))
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

    def back(
        self, code: int, block: int, stop: int, known: Known, found: set[int], begin: int = 0
    ) -> Known | None:
        """Goes back in a block from a use, and adds definitions.

        Returns what is known at its start, or at the use `begin` in it; None if a definition
        replaces the value, or if no path leads there.
        """
        while True:
            own = self._last_write({code, *known.codes}, block, stop)
            if own is None or own.first < begin:
                return known
            stop = own.first
            self._n_writes += 1
            left = self._past(code, own, known, found)
            if left is None:
                return None
            known = left

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

    def _past(self, code: int, write: Write, known: Known, found: set[int]) -> Known | None:
        """Goes back past an instruction that writes the register, or what facts are about."""
        written = self._flow.written_by(write.use)
        guard = self._flow.index.guard(write.use)
        runs = self._runs(guard, written, known)
        if runs is False:
            return known
        if code in written:
            found.add(written[code])
            if runs and not self._flow.uses.ways[written[code]] & PARTIAL:
                return None
        if runs:
            return self._before(write, known, written)
        left = known.without(written)
        if code in written and guard is not None:  # on the rest of the path, it did not run
            return left.adding(guard.code, holds=guard.is_negated)
        return left

    def _runs(
        self, guard: RegisterGuard | None, written: Mapping[int, int], known: Known
    ) -> bool | None:
        """Whether an instruction runs; None if that is unknown."""
        if guard is None:
            ways = self._flow.uses.ways
            return all(ways[use] & (KILLS | PARTIAL) for use in written.values()) or None
        holds = None if guard.code in written else known.of(guard.code)
        return None if holds is None else holds is not guard.is_negated

    def _before(self, write: Write, known: Known, written: Mapping[int, int]) -> Known | None:
        """Returns what is known before an instruction that ran; None if that is impossible."""
        left: Known | None = known.without(written)
        values = [(code, holds) for code in written if (holds := known.of(code)) is not None]
        meaning = self._meaning(write) if values else {}
        for code, holds in values:
            for condition, is_so in meaning[code].of(value=holds) if code in meaning else ():
                left = left.adding(condition, holds=is_so) if left is not None else None
        return left

    def _meaning(self, write: Write) -> Mapping[int, Meaning]:
        if write.use not in self._meanings:
            flow = self._flow
            uses = flow.index.statement(write.use)
            codes = {flow.name_of(each): flow.uses.codes[each] for each in uses}
            self._meanings[write.use] = meanings(flow.statement(write.use).text, codes)
        return self._meanings[write.use]
