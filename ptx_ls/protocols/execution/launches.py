"""Runs a kernel for several launches, and finds what goes wrong in all of them."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.async_sites import async_sites_of, has_copies
from ptx_ls.protocols.execution.evaluation import LaneEvaluation
from ptx_ls.protocols.execution.execution import Execution, UnsupportedError
from ptx_ls.protocols.execution.hazards import HazardKind
from ptx_ls.protocols.execution.kernel_steps import KernelSteps
from ptx_ls.protocols.execution.memory_uses import TENSOR
from ptx_ls.protocols.execution.warps import CREATION, LANES_MEET, OBJECT
from ptx_ls.protocols.mbarriers.bulk_reads import early_bulk_reads
from ptx_ls.protocols.mbarriers.lifetimes import wrong_lifetimes
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.phases import repeated_parities, wrong_arrivals, wrong_bytes
from ptx_ls.protocols.mbarriers.slot_releases import early_slot_releases
from ptx_ls.protocols.mbarriers.trace import wrong_parities
from ptx_ls.protocols.mbarriers.waits import single_waits
from ptx_ls.protocols.named_barriers import NamedBarriers, has_arrivals
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.launches import BlockShape
from ptx_ls.values.function_values import function_values
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from ptx_ls.document.function import Function
    from ptx_ls.protocols.execution.objects import MbarrierState
    from ptx_ls.protocols.execution.warps import Waiting
    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.function_values import FunctionValues

_NUMBERS: Final = (5, 20, 160, 1280)
"""The number in all parameters: numbers of iterations, of elements, and of bytes."""

_ROUND: Final = 3840
"""A number that many others divide."""
_WAITS: Final = ("mbarrier.try_wait", "mbarrier.test_wait")


class StuckWait(NamedTuple):
    """A wait that never ends, as the threads that could end it have ended, or wait, too.

    Attributes:
        wait: the instruction; an arrival if that is one more than the phase needs.
        others: the other instructions at which threads wait forever.
        number: the number of the barrier; None for an mbarrier object.
        init: where the object is created.
        parity: that the thread waits for.
        phase: how many phases the object has completed.
        count, pending: how many arrivals a phase needs, and how many are missing; negative if there
            are too many.
        n_bytes: the bytes that are announced and never arrive.
        n_threads: the number of threads of the block, if that is assumed; 0 otherwise.
    """

    wait: Found
    others: tuple[Found, ...]
    number: int | None
    init: Found | None
    parity: int
    phase: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not used
    pending: int
    n_bytes: int
    n_threads: int


class SlotConflict(NamedTuple):
    """An access to memory that another one still uses.

    Attributes:
        kind: what the second one does.
        first, second: the instructions.
        is_tensor: whether they use Tensor Memory.
        n_threads: the number of threads of the block, if that is assumed; 0 otherwise.
    """

    kind: HazardKind
    first: Found
    second: Found
    is_tensor: bool
    n_threads: int


class WrongArrival(NamedTuple):
    """An arrival at a numbered barrier in a phase that it does not belong to.

    Attributes:
        arrival: the instruction.
        number: the number of the barrier.
        n_threads: for how many threads it waits; 0 for all.
        expected: for how many others wait; the same if the warp has arrived before.
    """

    arrival: Found
    number: int
    n_threads: int
    expected: int


RunFault = StuckWait | SlotConflict | WrongArrival
"""The kinds of what goes wrong when a kernel runs."""


class _Launches:
    def __init__(self, values: FunctionValues, shape: BlockShape) -> None:
        self._program, self._shape = KernelSteps(values), shape
        self._values = LaneEvaluation(self._program, shape)
        self._assumed = 0 if shape.is_stated else shape.n_threads

    def fault(self) -> RunFault | None:
        """Returns what goes wrong in all launches; None if nothing does."""
        n_steps = number = -1
        for number in _NUMBERS if self._program.steps else ():
            run = self._run(number)
            found = self._first(run)
            if found is not None:
                return found if self._is_confirmed(found, number, is_reversed=False) else None
            is_same = run.n_steps == n_steps or not run.is_finished
            if is_same or run.most_repeated > len(run.objects.states) + 1:
                break  # all slots of a ring have been used again
            n_steps = run.n_steps
        if number < 0:
            return None
        found = self._first(self._run(number, is_reversed=True))
        is_sure = found is not None and self._is_confirmed(found, number, is_reversed=True)
        return found if is_sure else None

    def _run(self, number: int, *, is_reversed: bool = False) -> Execution:
        self._values.start(number)
        run = Execution(self._program, self._values, self._shape, is_reversed=is_reversed)
        with suppress(UnsupportedError):
            run.run()
        return run

    def _first(self, run: Execution) -> RunFault | None:
        """Returns what goes wrong first in a run.

        Faults before the run depends on something unknown are certain, too.
        """
        hazard = run.hazards.found
        if hazard is not None:
            first, second = hazard.first.found, hazard.second.found
            return SlotConflict(hazard.kind, first, second, hazard.space == TENSOR, self._assumed)
        surplus = run.objects.surplus()
        if surplus is not None and surplus.surplus is not None:
            return self._at_object(surplus, surplus.surplus.found, (), 0)
        misuse = run.barriers.misuse
        if misuse is not None:
            return WrongArrival(misuse.step.found, *misuse[1:])
        if not run.is_finished:
            return None
        lost = run.objects.unfinished()
        if not run.groups and lost is not None:
            return SlotConflict(HazardKind.END, lost.found, lost.found, False, self._assumed)
        return self._stuck(run)

    def _stuck(self, run: Execution) -> StuckWait | None:
        waits = [
            (each.warp, each.waiting)
            for each in run.groups
            if each.waiting is not None and each.waiting.kind != LANES_MEET
        ]
        known = {warp for warp, _ in waits}
        if any(each.kind == CREATION for _, each in waits):
            return None
        if not self._are_comparable(run):
            return None
        if not waits or any(each.warp not in known for each in run.groups):
            return None
        first = min((it for _, it in waits), key=lambda it: (self._rank(run, it), it.since))
        places = {each.step.found.start: each.step.found for _, each in waits}
        wait = first.step.found
        others = tuple(found for start, found in places.items() if start != wait.start)
        state = self._state(run, first)
        number, parity = first.wanted[0]
        if state is not None:
            return self._at_object(state, wait, others, parity)
        barrier = run.barriers.open[number]
        count = barrier.count or self._shape.n_threads
        missing = count - barrier.arrived.bit_count()
        return StuckWait(wait, others, number, None, 0, 0, count, missing, 0, self._assumed)

    def _are_comparable(self, run: Execution) -> bool:
        """Whether the same parameters decide how often all warps repeat their loops.

        If not, there may be launches for which the numbers agree.
        """
        known = {
            frozenset(name for block in own for name in self._program.parameters(block))
            for own in run.decided.values()
        }
        ordered = sorted(known, key=len)
        return all(one <= other for one, other in pairwise(ordered))

    def _at_object(
        self, state: MbarrierState, place: Found, others: tuple[Found, ...], parity: int
    ) -> StuckWait:
        return StuckWait(
            place,
            others,
            None,
            state.init.found,
            parity,
            state.phase,
            state.count,
            state.pending,
            state.n_bytes,
            self._assumed,
        )

    def _state(self, run: Execution, waiting: Waiting) -> MbarrierState | None:
        if waiting.kind != OBJECT:
            return None
        return run.objects.states.get(waiting.wanted[0][0])

    def _rank(self, run: Execution, waiting: Waiting) -> int:
        """Returns a number that is smaller if a wait is more likely the cause of others."""
        state = self._state(run, waiting)
        if state is None:
            return 2
        if state.n_bytes and not state.pending:
            return 0  # only copies bring the bytes
        return 1 if 0 < state.pending < state.count else 2

    def _is_confirmed(self, found: RunFault, number: int, *, is_reversed: bool) -> bool:
        """Whether the same goes wrong in other launches, too, and nothing else in a short one."""
        run = self._run(number + 2, is_reversed=is_reversed)
        if not _are_same(found, self._first(run)):
            return False
        if not _have_same_amounts(run, self._run(number, is_reversed=is_reversed)):
            return False
        run = self._run(number * 2 + 1, is_reversed=is_reversed)
        if run.is_finished and not _are_same(found, self._first(run)):
            return False
        run = self._run(_ROUND, is_reversed=is_reversed)
        if run.is_finished and not _are_same(found, self._first(run)):
            return False  # as for numbers of elements that tiles have to divide
        if not isinstance(found, StuckWait):
            return True
        # A kernel whose roles repeat different numbers of times is right for some launches only.
        short = self._first(self._run(max(1, number // _NUMBERS[0]), is_reversed=is_reversed))
        return not isinstance(short, StuckWait) or _are_about_one(found, short)


def _have_same_amounts(one: Execution, other: Execution) -> bool:
    """Whether parameters decide no count and no number of bytes."""
    for own, others in (
        (one.objects.amounts, other.objects.amounts),
        (one.barriers.amounts, other.barriers.amounts),
    ):
        if any(own[each] != others[each] for each in own.keys() & others.keys()):
            return False
    return True


def _are_about_one(one: StuckWait, other: StuckWait) -> bool:
    """Whether two waits are at the same place, or about the same barrier or object."""
    if one.wait.start == other.wait.start:
        return True
    if one.init is None or other.init is None:
        return one.number == other.number
    return one.init.start == other.init.start


def _are_same(one: RunFault, other: RunFault | None) -> bool:
    """Whether two faults are at the same place."""
    if isinstance(one, WrongArrival):
        return isinstance(other, WrongArrival) and one.arrival.start == other.arrival.start
    if isinstance(one, StuckWait):
        return isinstance(other, StuckWait) and one.wait.start == other.wait.start
    return isinstance(other, SlotConflict) and one.second.start == other.second.start


def may_be_run(text: RegionText) -> bool:
    """Whether threads of a function may wait for others at objects or barriers; a quick test."""
    waits = any(each.opcode.startswith(_WAITS) for each in text.shapes_of(("mbarrier",)))
    return waits or has_arrivals(text)


def run_fault(function: Function, module: ModuleFacts) -> RunFault | None:
    """Returns what goes wrong when a kernel runs; None if nothing does that is certain.

    Only kernels are run that do everything themselves, in blocks of a known size. Nothing is
    returned if a check that needs no run finds the cause.
    """
    if not may_be_run(region_text(function)):
        return None
    return _fault_of(function_values(function, module), function_uniformity(function, module))


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _fault_of(values: FunctionValues, uniformity: FunctionUniformity) -> RunFault | None:
    bounds = values.given.bounds
    is_limited = bounds.threads is not None or bounds.max_threads < MAX_THREADS
    is_alone = (bounds.max_blocks or 1) == 1 and bounds.blocks in (None, (1, 1, 1))
    if not (values.given.is_kernel and uniformity.is_known and is_limited and is_alone):
        return None
    objects = None
    if has_copies(values.flow.text):
        objects = mbarrier_objects(async_sites_of(values, uniformity))
        if not objects.sites.sites or objects.has_remote:
            return None
    elif NamedBarriers(uniformity).violations:
        return None
    is_stated = bounds.threads is not None
    shape = BlockShape(bounds.threads or (bounds.max_threads, 1, 1), is_stated=is_stated)
    found = _Launches(values, shape).fault()
    is_other = found is not None and objects is not None and _is_explained(objects)
    return None if is_other else found


def _is_explained(objects: MbarrierObjects) -> bool:
    """Whether another check finds something about the objects."""
    finders = (
        wrong_arrivals,
        wrong_bytes,
        repeated_parities,
        wrong_parities,
        wrong_lifetimes,
        early_slot_releases,
    )
    return (
        any(True for find in finders for _ in find(objects))
        or any(True for _ in single_waits(objects))
        or bool(early_bulk_reads(objects.sites))
    )
