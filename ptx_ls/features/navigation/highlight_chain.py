"""The statements of a protocol that belong together: init, expect, copy, wait and first read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.navigation.highlight_groups import opcode_place
from ptx_ls.features.synchronization.state_at import followed_at, is_about_synchronization
from ptx_ls.protocols.chains.first_reads import first_read
from ptx_ls.protocols.mbarriers.objects import WAITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.features.synchronization.state_at import FollowedFunction
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.source import Position, Range


def chain(analysis: Analysis, position: Position) -> list[tuple[Range, bool]]:
    """Returns the opcodes that belong together with the one at a position, in order.

    Each comes with whether others wait for it. Returns none for a statement without others.
    """
    if not is_about_synchronization(analysis, position):
        return []
    followed = followed_at(analysis, position)
    numbers = [] if followed is None else followed.chains.chain(followed.number)
    if followed is None or len(numbers) == 1:
        return []
    found = {
        followed.chains.sites.sites[each].found: not _is_wait(followed, each) for each in numbers
    }
    found.update((each, False) for each in _reads(followed, numbers))
    places = [
        (opcode_place(analysis, followed.located, each), is_start)
        for each, is_start in found.items()
    ]
    return sorted((place, is_start) for place, is_start in places if place is not None)


def _is_wait(followed: FollowedFunction, number: int) -> bool:
    chains = followed.chains
    is_test = not chains.sites.actions(number).isdisjoint(WAITS)
    return is_test or any(number in each.waits for each in chains.groups_of(number))


def _reads(followed: FollowedFunction, numbers: list[int]) -> Iterator[Found]:
    """Yields the first read of what the operations of a chain bring."""
    chains = followed.chains
    for each in numbers:
        if chains.sites.completion(each):
            read = first_read(chains.accesses, chains.sites.sites[each].found.start)
            if read is not None:
                yield read
