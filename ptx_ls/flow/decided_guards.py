"""Finds guards that a branch before them decides, such as `@!%p bra` right after `@%p bra`.

Only guards whose predicate, or one that is compared in the same way, also decides such a branch are
examined. Each is followed back on all paths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.known_conditions import Known
from ptx_ls.flow.path_search import PathSearch
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import GUARDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ptx_ls.flow.compared_numbers import Literal
    from ptx_ls.flow.function_flow import FunctionFlow


_MAX_GUARDS: Final = 2_000
"""Number of guards of a function to look at."""


class DecidedGuard(NamedTuple):
    """A guard that is always true, or always false.

    Attributes:
        guard: the use of the predicate.
        holds: whether the instruction always runs.
        is_same: whether the predicate of the branch is the same, not only compared likewise.
    """

    guard: int
    holds: bool
    is_same: bool


def decided_guards(flow: FunctionFlow) -> Iterator[DecidedGuard]:
    """Yields the guards of a function that an earlier branch decides, in order.

    Of those that always hold, only those that decide whether the code after them runs.
    """
    search = PathSearch(flow, with_branches=False)
    deciding = _deciding(flow)
    own = {*deciding.values()}
    for guard in _candidates(flow, deciding)[:_MAX_GUARDS]:
        found = flow.index.guard(guard)
        if found is None or flow.index.block_of(guard) not in flow.reachable:
            continue
        may_run = _may_be(guard, (found.code, not found.is_negated), flow, search)
        if may_run is False or (may_run and guard in own):
            may_rest = _may_be(guard, (found.code, found.is_negated), flow, search)
            if may_rest is not None and may_rest is not may_run:
                yield DecidedGuard(guard, may_run, _has_same(guard, own, flow))


def _has_same(guard: int, deciding: Iterable[int], flow: FunctionFlow) -> bool:
    """Whether the predicate of a guard, with the same value, also decides another branch."""
    code, writes = flow.uses.codes[guard], flow.definitions(guard).writes
    return any(
        each != guard and flow.uses.codes[each] == code and flow.definitions(each).writes == writes
        for each in deciding
    )


def _may_be(guard: int, fact: Literal, flow: FunctionFlow, search: PathSearch) -> bool | None:
    """Whether a fact may hold at a guard; None if there are too many paths."""
    return search.is_possible(flow.index.block_of(guard), flow.index.first(guard), Known((fact,)))


def _deciding(flow: FunctionFlow) -> dict[int, int]:
    """Returns the guard at the end of each block that decides which of two blocks follows."""
    index, found = flow.index, {}
    for block, following in enumerate(flow.blocks.successors):
        last = index.firsts[block + 1] - 1
        is_guard = last >= index.firsts[block] and flow.uses.ways[last] & GUARDS
        if is_guard and block + 1 in following and flow.edge_fact(block, block + 1) is not None:
            found[block] = last
    return found


def _candidates(flow: FunctionFlow, deciding: Mapping[int, int]) -> list[int]:
    """Returns the guards to look at, in order."""
    found: set[int] = set()
    for code in {flow.uses.codes[guard] for guard in deciding.values()}:
        guards = [use for use in flow.index.of(code) if flow.uses.ways[use] & GUARDS]
        if len(guards) > 1:
            found.update(guards)
    for block in deciding:
        if block + 1 in deciding and [*flow.blocks.predecessors[block + 1]] == [block]:
            found.add(deciding[block + 1])
    return sorted(found)
