"""The statements of a function that touch memory or synchronise, with what they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.decoding import immediate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from ptx_ls.isa.memory_events import SyncEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

MBARRIER_ARRIVALS: Final = frozenset({"mbarrier arrive", "mbarrier drop"})
MBARRIER_WAITS: Final = frozenset({"mbarrier wait", "mbarrier test"})


class EventSite(NamedTuple):
    """A statement with memory events.

    `known`: its events; None if they are unknown, so that it may do anything. `block`: the number
    of its block; -1 outside of the body.
    """

    found: Found
    known: ShapeEvents | None
    block: int

    @property
    def opcode(self) -> str:
        """The opcode with its modifiers; "" if the statement is not an instruction."""
        record = self.found.record
        return record.opcode if isinstance(record, Shape) else ""

    @property
    def is_guarded(self) -> bool:
        """Whether a guard decides if a thread executes the instruction."""
        record = self.found.record
        return isinstance(record, Shape) and bool(record.guard)

    @property
    def syncs(self) -> tuple[SyncEvent, ...]:
        """The acts of the statement besides its accesses; none if they are unknown."""
        return () if self.known is None else self.known.events.syncs

    def operand(self, name: str) -> int | None:
        """Returns the number of the operand that an event names; None if it is not written."""
        return self.known.places.get(name) if self.known is not None else None


def may_have_events(known: ShapeEvents | None) -> bool:
    """Whether instructions touch memory or involve other threads, or may do so."""
    return known is None or not known.events.is_none


def event_sites(
    values: FunctionValues,
    opcodes: Collection[str],
    is_wanted: Callable[[ShapeEvents | None], bool] = may_have_events,
) -> Iterator[EventSite]:
    """Yields the statements with some opcodes whose events are wanted, in order.

    Those that no path leads to are left out.
    """
    text, graph = values.flow.text, values.graph
    shapes = {shape for shape in text.shapes_of(opcodes) if is_wanted(events_of(shape))}
    known = {shape: events_of(shape) for shape in shapes}
    for found in text.instructions(shapes):
        block = graph.number_at(found.start)
        if block is None or block in graph.reachable:
            record = found.record
            events = known[record] if isinstance(record, Shape) else None
            yield EventSite(found, events, -1 if block is None else block)


def address_of(values: FunctionValues, site: EventSite, name: str) -> AffineForm | None:
    """Returns the address in the operand that an event names, as base and affine form."""
    number = site.operand(name)
    return None if number is None else values.address_form(site.found, number)


def base_use(values: FunctionValues, site: EventSite, name: str) -> int | None:
    """Returns the use of the register that the address in an operand begins with, or None."""
    decoder = values.given.decoder
    return decoder.reading_use(decoder.of_statement(site.found), base_name(site, name))


def base_name(site: EventSite, name: str) -> str:
    """Returns the register or variable that the address in an operand begins with, or ""."""
    number, record = site.operand(name), site.found.record
    if number is None or not isinstance(record, Shape):
        return ""
    written = written_operands(record, site.found.text)
    elements = written[number].elements if number < len(written) else ()
    return elements[0].text.partition("+")[0].strip() if elements else ""


def number_of(values: FunctionValues, site: EventSite, name: str) -> int | None:
    """Returns the number in the operand that an event names: bytes, a count, a group; or None."""
    number, record = site.operand(name), site.found.record
    if number is None or not isinstance(record, Shape):
        return None
    written = written_operands(record, site.found.text)
    if number >= len(written):
        return None
    stated = immediate(written[number])
    return values.operand(site.found, number).constant if stated is None else stated
