"""The faults of runs of a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.protocols.execution.hazards import HazardKind
    from ptx_ls.semantics.symbols.region_text import Found


class StuckWait(NamedTuple):
    """A wait that never ends, as the threads that could end it have ended, or wait, too.

    Attributes:
        wait: the instruction; an arrival if that is one more than the phase needs.
        others: the other instructions at which threads wait forever.
        number: the number of the barrier; None for an mbarrier object, for the barrier of the
            cluster, and for columns of Tensor Memory.
        init: where the object is created; None for a barrier.
        parity: that the thread waits for.
        phase: how many phases the object has completed.
        count, pending: how many arrivals a phase needs, and how many are missing; negative if there
            are too many. 0 for columns of Tensor Memory.
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
        warp: the number of the warp.
        others: the warps of an earlier phase if nothing orders the arrival after that phase.
    """

    arrival: Found
    number: int
    n_threads: int
    expected: int
    warp: int
    others: tuple[int, ...]


RunFault = StuckWait | SlotConflict | WrongArrival
"""The kinds of what goes wrong when a kernel runs."""


def are_alike(one: RunFault, other: RunFault | None) -> bool:
    """Whether two launches go wrong in the same way.

    Compilers unroll loops, so the place of an access depends on the number of iterations.
    """
    if isinstance(one, StuckWait):
        return isinstance(other, StuckWait) and (_amounts(one) == _amounts(other))
    return other is not None and not isinstance(other, StuckWait)


def _amounts(stuck: StuckWait) -> tuple[object, ...]:
    """Returns what is the same for waits that never end for the same reason."""
    return stuck.number, stuck.count, stuck.pending > 0, stuck.pending < 0, stuck.n_bytes > 0


def are_about_one(one: StuckWait, other: StuckWait) -> bool:
    """Whether threads wait forever at the same place, or for the same barrier or object."""
    places = {each.start for each in (one.wait, *one.others)}
    if not places.isdisjoint(each.start for each in (other.wait, *other.others)):
        return True
    if one.init is None or other.init is None:
        return one.number == other.number
    return one.init.start == other.init.start
