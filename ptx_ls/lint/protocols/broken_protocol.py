"""Mismatches that the rules about protocols report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.lint.fixes.statements import with_statement_after, with_statements_ahead
from ptx_ls.protocols.site_steps import ENTRY
from ptx_ls.source import Applicability
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ptx_ls.lint.rule import Repair, RuleContext
    from ptx_ls.protocols.violations import ProtocolViolation
    from ptx_ls.semantics.symbols.region_text import Found
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
        start, end: the place of the opcode.
        statement, other_statement: the places of the two instructions with their guards.
        place: where a barrier is missing, if all threads get there together.
        address: the address of a tensor map that it is about, as it is written, or "".
        is_followed: whether each thread that runs the first also runs the other, which is after it.
    """

    rule: str
    opcode: str
    event: str
    why: str
    other: FunctionSpan | None
    other_opcode: str
    start: FunctionPosition
    end: FunctionPosition
    statement: FunctionSpan
    other_statement: FunctionSpan | None
    is_followed: bool
    place: FunctionPosition | None = None
    address: str = ""


CLUSTER_BARRIER: Final = ("barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;")
"""Statements with which all threads of a cluster wait for each other."""


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
        (site.found.start, site.found.end),
        None if other is None else (other.found.start, other.found.end),
        other is not None and _follows(site, other),
    )


def _follows(site: EventSite, other: EventSite) -> bool:
    is_after = site.block == other.block and site.found.start < other.found.start
    return is_after and not other.is_guarded


def opcode_of(site: EventSite) -> tuple[str, FunctionPosition, FunctionPosition]:
    """Returns the opcode of a statement with its modifiers, and its place."""
    return opcode_of_statement(site.found)


def opcode_of_statement(found: Found) -> tuple[str, FunctionPosition, FunctionPosition]:
    """Returns the opcode of a statement with its modifiers, and its place."""
    record = found.record
    opcode = record.opcode if isinstance(record, Shape) else ""
    first = found.text.find(opcode)
    if not opcode or first < 0 or "\n" in found.text[:first]:
        return opcode, found.start, found.end
    start = along(found.start, first)
    return opcode, start, along(start, len(opcode))


def with_statement_between(
    mismatch: BrokenProtocol, statement: str, context: RuleContext
) -> tuple[Repair, ...]:
    """Returns a fix that adds a statement for the threads of an operation, after it.

    If each of these threads runs the other statement, too, it comes right before that.
    """
    if mismatch.is_followed and mismatch.other_statement is not None:
        return with_statements_ahead(mismatch.other_statement[0], [statement], context)
    return with_statement_after(*mismatch.statement, statement, context, Applicability.UNSAFE)
