"""What the rules about protocols report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.protocols.site_facts import ENTRY
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ptx_ls.protocols.violations import ProtocolViolation
    from ptx_ls.threads.events.sites import EventSite


class BrokenProtocol(NamedTuple):
    """An instruction that breaks a protocol.

    Attributes:
        rule: the rule that reports it.
        opcode: the instruction that is reported.
        event: the event of the protocol that is wrong.
        why: what may go wrong.
        other: another instruction that it is about, if there is one.
        other_opcode: the opcode of that one.
    """

    rule: str
    opcode: str
    event: str
    why: str
    other: FunctionSpan | None
    other_opcode: str
    start: FunctionPosition
    end: FunctionPosition


def is_about(rule: str) -> Callable[[BrokenProtocol], bool]:
    """Returns a test whether a rule reports a broken protocol."""
    return lambda mismatch: mismatch.rule == rule


def broken_at_origin(
    rule: str, sites: Sequence[EventSite], violations: Iterable[ProtocolViolation]
) -> Iterator[BrokenProtocol]:
    """Yields the operations that break a protocol later, the first one for each wrong event."""
    events, origins = set[int](), set[int]()
    for each in violations:
        if each.misuse.rule == rule and each.origin not in {ENTRY, *origins}:
            origins.add(each.origin)
            if each.number not in events:
                events.add(each.number)
                other = None if each.number < 0 else sites[each.number]
                yield broken(rule, sites[each.origin], each, other)


def broken_at_event(
    rule: str, sites: Sequence[EventSite], violations: Iterable[ProtocolViolation]
) -> Iterator[BrokenProtocol]:
    """Yields the first wrong event after each operation, with the operation."""
    events, origins = set[int](), set[int]()
    for each in violations:
        if each.misuse.rule == rule and each.number >= 0 and each.origin not in origins:
            origins.add(each.origin)
            if each.number not in events:
                events.add(each.number)
                other = None if each.origin == ENTRY else sites[each.origin]
                yield broken(rule, sites[each.number], each, other)


def broken(
    rule: str, site: EventSite, violation: ProtocolViolation, other: EventSite | None
) -> BrokenProtocol:
    """Returns an instruction that breaks a protocol; the place is that of its opcode."""
    opcode, start, end = opcode_of(site)
    span = None if other is None else opcode_of(other)
    return BrokenProtocol(
        rule,
        opcode,
        violation.misuse.event,
        violation.misuse.why,
        None if span is None else (span[1], span[2]),
        "" if span is None else span[0],
        start,
        end,
    )


def opcode_of(site: EventSite) -> tuple[str, FunctionPosition, FunctionPosition]:
    """Returns the opcode of a statement with its modifiers, and its place."""
    record, found = site.found.record, site.found
    opcode = record.opcode if isinstance(record, Shape) else ""
    first = found.text.find(opcode)
    if not opcode or first < 0 or "\n" in found.text[:first]:
        return opcode, found.start, found.end
    start = along(found.start, first)
    return opcode, start, along(start, len(opcode))
