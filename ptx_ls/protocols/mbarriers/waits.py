"""Finds waits on mbarrier objects whose result does not make the thread wait."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.mbarriers.objects import WAITS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, NEGATED, WRITES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects, MbarrierUse

_TRY: Final = "mbarrier wait"
_BRANCH: Final = "bra"
_COMPUTING: Final = frozenset({"and", "cvt", "mov", "not", "or", "selp", "set", "setp", "xor"})
"""Opcodes with which compilers convert a predicate, and which have no other effect."""
_MAX_DEFINITIONS: Final = 16
"""Number of results that are followed from a wait."""


class SingleWait(NamedTuple):
    """A wait that is executed once, although it may return false.

    `is_used`: whether the program uses the result at all.
    """

    wait: MbarrierUse
    is_used: bool


def single_waits(objects: MbarrierObjects) -> Iterator[SingleWait]:
    """Yields the waits whose result is not used, or does not lead to another wait."""
    waits = objects.doing(*WAITS)
    found = [each for each in map(partial(_single_wait, objects), waits) if each is not None]
    single = {each.wait.number for each in found}
    repeated = [each for each in waits if each.number not in single]
    for each in found:
        if not _is_peek(objects, each, repeated):
            yield each


def _single_wait(objects: MbarrierObjects, wait: MbarrierUse) -> SingleWait | None:
    """Returns a wait if it is executed once."""
    result = _result_of(objects, wait)
    readers = () if result is None else objects.sites.values.flow.readers(result)
    if result is None or _is_dropped(objects, result):
        return SingleWait(wait, is_used=False)
    if wait.action == _TRY and len(readers) == 1 and _goes_on(objects, wait, readers[0]):
        return SingleWait(wait, is_used=True)
    return None


def _is_peek(objects: MbarrierObjects, single: SingleWait, repeated: Sequence[MbarrierUse]) -> bool:
    """Whether a loop that waits for what may be the same object may follow a wait.

    Libraries test an object early, and pass the result to the code that waits for it. If that code
    does not need it, compilers leave the test with a number that nothing reads.
    """
    flow, may_follow = objects.sites.values.flow, objects.sites.may_follow
    result = _result_of(objects, single.wait)
    readers = () if single.is_used or result is None else flow.readers(result)
    is_number = bool(readers) and not any(flow.uses.ways[each] & GUARDS for each in readers)
    return is_number and any(
        each.may_be(single.wait) and may_follow(single.wait.number, each.number)
        for each in repeated
    )


def _result_of(objects: MbarrierObjects, wait: MbarrierUse) -> int | None:
    """Returns the use that writes the predicate; None if it is `_`."""
    sites = objects.sites
    flow, decoder = sites.values.flow, sites.values.given.decoder
    instruction = decoder.of_statement(sites.sites[wait.number].found)
    written = [each for each in instruction.uses if flow.uses.ways[each] & WRITES]
    return written[0] if written else None


def _is_dropped(objects: MbarrierObjects, result: int) -> bool:
    """Whether a result only changes registers that in the end nothing reads.

    Compilers convert a predicate to a number, and compare that with 0.
    """
    flow, decoder = objects.sites.values.flow, objects.sites.values.given.decoder
    waiting, seen = [result], {result}
    while waiting:
        for use in flow.readers(waiting.pop()):
            if _leads_nowhere_else(objects, use):
                continue
            instruction = decoder.of_use(use)
            written = [it for it in instruction.uses if flow.uses.ways[it] & WRITES]
            is_computed = instruction.name in _COMPUTING and bool(written)
            if flow.uses.ways[use] & GUARDS or not is_computed or len(seen) > _MAX_DEFINITIONS:
                return False
            waiting += {*written} - seen
            seen |= {*written}
    return True


def _leads_nowhere_else(objects: MbarrierObjects, use: int) -> bool:
    """Whether a use only decides a branch to the next statement."""
    flow, graph = objects.sites.values.flow, objects.sites.graph
    record, block = flow.statement(use).record, flow.index.block_of(use)
    if not (isinstance(record, Shape) and record.name == _BRANCH and block >= 0):
        return False
    return bool(flow.uses.ways[use] & GUARDS) and {*graph.successors[block]} == {block + 1}


def _goes_on(objects: MbarrierObjects, wait: MbarrierUse, reader: int) -> bool:
    """Whether a thread continues in the same way if a wait returns false, without another wait."""
    sites = objects.sites
    flow, graph = sites.values.flow, sites.graph
    statement, ways = flow.statement(reader), flow.uses.ways[reader]
    record, block = statement.record, flow.index.block_of(reader)
    if not (isinstance(record, Shape) and record.name == _BRANCH and ways & GUARDS) or block < 0:
        return False
    taken = [each for each in graph.successors[block] if each != block + 1]
    if len(taken) != 1 or block + 1 not in graph.successors[block]:
        return False
    true, false = (block + 1, taken[0]) if ways & NEGATED else (taken[0], block + 1)
    after = {false, *sites.reached_from(false)}
    others = objects.doing(*WAITS)
    if any(sites.sites[each.number].block in after and each.may_be(wait) for each in others):
        return False
    return true in after
