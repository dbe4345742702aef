"""Finds the waits between an asynchronous operation and an access that did not wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.threads.events.sites import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.protocols.async_sites import AsyncSites

_PARITY = "phaseParity"


def lenient_wait(
    sites: AsyncSites, of: str, start: FunctionPosition, end: FunctionPosition
) -> FunctionSpan | None:
    """Returns the last wait for groups in a range of the text, if it leaves some pending."""
    found = None
    for number in _between(sites, (f"wait {of}",), start, end):
        n_pending = left_pending(sites, number)
        site = sites.sites[number].found
        found = (site.start, site.end) if n_pending else None
    return found


def parity_wait(
    sites: AsyncSites, start: FunctionPosition, end: FunctionPosition
) -> FunctionSpan | None:
    """Returns the last wait for a phase by its parity in a range of the text."""
    found = None
    for number in _between(sites, ("mbarrier wait", "mbarrier test"), start, end):
        if any(each.argument == _PARITY for each in sites.syncs(number)):
            site = sites.sites[number].found
            found = site.start, site.end
    return found


def left_pending(sites: AsyncSites, wait: int) -> int | None:
    """Returns how many groups a wait leaves pending; None if that is unknown."""
    sync = next(each for each in sites.syncs(wait) if each.action.startswith("wait"))
    return (
        number_of(sites.values, sites.sites[wait], sync.argument) if sync.argument else sync.amount
    )


def _between(
    sites: AsyncSites, actions: tuple[str, ...], start: FunctionPosition, end: FunctionPosition
) -> Iterator[int]:
    for number in sites.doing(*actions):
        if start < sites.sites[number].found.start < end:
            yield number
