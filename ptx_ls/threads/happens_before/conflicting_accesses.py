"""Decides which accesses to shared memory conflict if nothing orders them."""

from __future__ import annotations

from enum import Enum, auto
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.threads.happens_before.shared_accesses import AccessKind, SharedAccess

UPDATES: Final = "updates"
_ASYNC: Final = "async"
ALL: Final = -1
"""The set of all accesses, as bits."""


class BlocksOfAccesses(Enum):
    """Which blocks of a cluster run two accesses to the same memory."""

    ONE = auto()
    """One block."""
    OWNER_AND_OTHER = auto()
    """The block with the memory, and another one."""
    TWO_OTHERS = auto()
    """Two blocks that name the block with the memory by the same rank."""

    def allows(self, first: AccessKind, second: AccessKind) -> bool:
        """Whether two accesses may be to the same memory, as far as its block decides."""
        (_, is_remote, rank), (_, is_also_remote, other_rank) = first, second
        if self is BlocksOfAccesses.OWNER_AND_OTHER:
            return is_remote != is_also_remote
        if self is BlocksOfAccesses.ONE and not is_remote and not is_also_remote:
            return True
        is_fixed = self is BlocksOfAccesses.ONE or (rank is not None and not rank.terms)
        return is_remote and is_also_remote and rank is not None and rank == other_rank and is_fixed


class ConflictingAccesses:
    """Which accesses of a function have to be ordered if they touch the same bytes.

    A set of accesses is a number, in which that with the number `n` is the bit `1 << n`.

    Attributes:
        later: for each access, those that conflict with it if they come after it.
        concurrent: for each access, those that conflict with it if neither comes first.
    """

    def __init__(self, accesses: Sequence[SharedAccess], blocks: BlocksOfAccesses) -> None:
        """`accesses`: all of a function, in order."""
        alike: dict[AccessKind, int] = {}
        for each in accesses:
            alike[each.kind] = alike.get(each.kind, 0) | 1 << each.number
        pairs = {
            (first, second): blocks.allows(first, second) and may_conflict(first[0], second[0])
            for first in alike
            for second in alike
        }
        later = {
            first: sum(own for second, own in alike.items() if pairs[first, second])
            for first in alike
        }
        started = {
            second: sum(own for first, own in alike.items() if pairs[first, second])
            for second in alike
            if second[0].proxy == _ASYNC
        }
        kinds = [each.kind for each in accesses]
        self.later = [later[each] for each in kinds]
        self.concurrent = [
            started.get(each, own) for each, own in zip(kinds, self.later, strict=True)
        ]


def bits_of(numbers: Iterable[int]) -> int:
    """Returns a set of accesses with these numbers."""
    return reduce(or_, (1 << each for each in numbers), 0)


def numbers_in(bits: int) -> Iterator[int]:
    """Yields the numbers of the accesses in a set of bits, in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def may_conflict(first: AccessEvent, second: AccessEvent) -> bool:
    """Whether two accesses to the same bytes have to be ordered.

    Two writes are not reported: threads often write the same value. Only waits order accesses after
    those that an instruction starts, and other rules are about these.
    """
    if first.proxy == _ASYNC:
        return False
    updates = [each.kind == UPDATES for each in (first, second)]
    if first.is_write == second.is_write and not any(updates):
        return False
    if first.is_strong and second.is_strong:
        return False
    return all(
        not each.is_strong or own for each, own in zip((first, second), updates, strict=True)
    )
