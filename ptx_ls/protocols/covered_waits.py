"""Finds waits for asynchronous operations that a later wait makes needless.

Nothing between the two may need what the first one waits for, and further operations have to begin
in between, which then run at the same time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.wait_sites import WaitSite, WaitSites
    from ptx_ls.semantics.symbols.region_text import Found

_COPIES: Final = ("cp.async", "bulk")
_MATRIX: Final = "wgmma"
_SHARED: Final = "shared::cta"
_REGISTER_FENCE: Final = "register fence"


class CoveredWait(NamedTuple):
    """A wait, and a later one that waits for the same. `of`: how the operations complete."""

    wait: Found
    later: Found
    of: str


def covered_waits(waits: WaitSites) -> Iterator[CoveredWait]:
    """Yields the waits of a function that are needless, in order."""
    for each in waits.waits.values():
        later = _later(waits, each)
        if later is not None:
            found = waits.sites[each.number].found
            yield CoveredWait(found, waits.sites[later].found, each.of)


def _later(waits: WaitSites, wait: WaitSite) -> int | None:
    """Returns the number of a later wait in the same block that makes a wait needless, or None."""
    waited = _waited(waits, wait)
    if waited is None:
        return None
    n_groups, n_issued = wait.n_pending, 0
    for number in range(wait.number + 1, len(waits.sites)):
        site = waits.sites[number]
        if site.block != waits.sites[wait.number].block:
            return None
        later = waits.waits.get(number)
        if later is not None and later.is_like(wait):
            covers = bool(n_issued) and later.n_pending <= n_groups
            return number if covers and not _is_named(waits, waited, wait, number) else None
        if waits.completes(number, wait.of):
            n_issued += 1
        elif waits.commits(number, wait.of) and not site.is_guarded:
            n_groups += 1
        elif not _is_part_of_issue(waits, number, wait.of):
            return None
    return None


def _waited(waits: WaitSites, wait: WaitSite) -> frozenset[str] | None:
    """Returns the registers in flight before a wait; None if nothing begins in its block.

    For copies to shared memory, returns their addresses there instead.
    """
    found, is_issued = set[str](), False
    for number in range(wait.number - 1, -1, -1):
        site, other = waits.sites[number], waits.waits.get(number)
        if site.block != waits.sites[wait.number].block:
            if wait.of not in _COPIES:
                return None  # registers of earlier operations may be in flight, too
            break
        if site.known is None:
            return None
        if waits.completes(number, wait.of):
            found |= _in_use(waits, number)
            is_issued = True
        elif other is not None and other.of == wait.of:
            break
    return frozenset(found) if is_issued else None


def _in_use(waits: WaitSites, number: int) -> set[str]:
    """Returns what names the results of an operation: registers, or an address."""
    site = waits.sites[number]
    record, known = site.found.record, site.known
    if known is None or not isinstance(record, Shape):
        return set()
    written, names = written_operands(record, site.found.text), known.events.in_flight
    if not names:
        writes = [each.operand for each in known.events.accesses if each.space == _SHARED]
        return {written[known.places[each]].text for each in writes if each in known.places}
    places = [known.places[each] for each in names if each in known.places]
    return {name for each in places for name in names_in(written[each].text)}


def _is_named(waits: WaitSites, waited: frozenset[str], wait: WaitSite, until: int) -> bool:
    """Whether a statement between two waits names what the first one waits for."""
    first, last = waits.sites[wait.number].found, waits.sites[until].found
    continued = {
        waits.sites[each].found.start
        for each in range(wait.number + 1, until)
        if wait.of == _MATRIX and waits.completes(each, _MATRIX)
    }  # matrix instructions may add to the same sum
    names = {each for each in waited if names_in(each) == [each]}
    rows = range(first.start[0], last.end[0] + 1)
    for found in waits.values.flow.text.statements(rows):
        if not first.end <= found.start < last.start or found.start in continued:
            continue
        if not names.isdisjoint(names_in(found.text)):
            return True
        if any(each in found.text for each in waited - names):
            return True
    return False


def _is_part_of_issue(waits: WaitSites, number: int, of: str) -> bool:
    """Whether a statement only belongs to the start of operations of one kind."""
    known = waits.sites[number].known
    if known is None or known.events.accesses:
        return False
    return all(
        each.action == _REGISTER_FENCE or (each.action == "commit" and each.of == of)
        for each in known.events.syncs
    )
