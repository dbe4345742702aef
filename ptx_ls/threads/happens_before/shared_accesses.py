"""Finds the accesses of a function to shared memory that other threads may conflict with."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.descriptors import MIN_BYTES, later_row
from ptx_ls.threads.events.remote_addresses import is_remote, rank_of
from ptx_ls.threads.events.sites import EventSite, address_of, event_sites, number_of
from ptx_ls.threads.events.staged_tiles import tile_bytes
from ptx_ls.threads.happens_before.ordering import OPCODES, OrderingLevel, ordering_of
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.affine import GENERIC
from ptx_ls.values.data_sources import DataSourceFinder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

ACCESSING: Final = ("atom", "cp", "ld", "ldmatrix", "red", "st", "stmatrix", "tcgen05")
"""The opcodes of accesses to shared memory by a thread itself, or by its warp."""
_MATRIX: Final = ("wgmma",)
_SHARED: Final = "shared::cta"
_COPY: Final = "cp.async"
_MARK: Final = ".shared"
_ASYNC: Final = "async"
_OPERANDS: Final = ("address", "descriptor")
_CLUSTER: Final = "shared::cluster"
_DATA_SPACES: Final = (_SHARED, _CLUSTER, GENERIC)
_MAPPING: Final = ("mapa",)
_MAX_GENERIC: Final = 256
"""Number of lines with generic accesses of which the addresses are evaluated."""
_MAX_ACCESSES: Final = 128
"""Number of accesses of a function that are compared with each other."""
MANY_ACCESSES: Final = 40
"""Number of accesses of a function from which on further searches would take long."""
_MAX_LINES: Final = 1 << 10
"""Number of accesses of a function of which some are compared, if it has few blocks."""
_MAX_BLOCKS: Final = 32


class SharedAccess(NamedTuple):
    """An access to shared memory.

    `number`: its place in the order of the text. `site`: its statement. `event`: what it does.
    `n_bytes`: the number of bytes of a thread. `is_remote`: whether the memory is that of another
    block of the cluster. `rank`: the rank of that block, if all threads of a block know the same.
    `shift`: how many bytes it is after the address in the operand.
    """

    number: int
    site: EventSite
    event: AccessEvent
    n_bytes: int
    is_remote: bool = False
    rank: AffineForm | None = None
    shift: int = 0

    @property
    def kind(self) -> AccessKind:
        """The properties that decide with which accesses it may conflict."""
        return self.event, self.is_remote, self.rank

    @property
    def is_asynchronous(self) -> bool:
        """Whether it happens at some time after its statement, through the async proxy."""
        return self.event.proxy == _ASYNC

    def takes_part(self, thread: int) -> bool:
        """Whether the address of a thread counts."""
        return takes_part(thread, self.event.lanes)


def takes_part(thread: int, lanes: int | None) -> bool:
    """Whether the address of a thread counts: `ldmatrix` only uses those of the first lanes."""
    return lanes is None or thread % LANES < lanes


def exchanges_data(text: RegionText) -> bool:
    """Whether a function both reads and writes shared memory."""
    is_converted = _has_generic_addresses(text)
    shapes = [each for each in text.shapes_of(ACCESSING) if is_converted or _MARK in each.opcode]
    shapes += text.shapes_of(_MATRIX)
    events = [event for each in shapes for event in _events(events_of(each))]
    return any(each.is_read for each in events) and any(each.is_write for each in events)


def shared_accesses(values: FunctionValues) -> tuple[list[EventSite], list[SharedAccess]]:
    """Returns the statements that access shared memory or order accesses, and the accesses.

    Of many accesses, returns only some of those alike; none if there are still too many.
    """
    n_lines = _n_sized(values.flow.text)
    if n_lines > _MAX_ACCESSES and not _is_plain(values, n_lines):
        return [], []
    is_converted = _has_few_generic(values.flow.text)
    is_mapped = values.flow.text.has_opcodes(_MAPPING)
    is_wanted = _matters if is_converted or is_mapped else _matters_in_shared
    sites = [*event_sites(values, OPCODES, is_wanted)]
    accesses: list[SharedAccess] = []
    for site in sites:
        for event in _plain(site.known):
            is_own = event.space == _SHARED
            is_other = not is_own and is_mapped and _is_of_other(values, site, event)
            if not (is_own or is_other or (is_converted and _is_shared(values, site, event))):
                continue
            n_bytes = event.n_bytes or (number_of(values, site, event.size) if event.size else 0)
            if n_bytes and n_bytes > 0 and site.block >= 0:
                rank = _rank(values, site, event) if is_other else None
                accesses.append(SharedAccess(len(accesses), site, event, n_bytes, is_other, rank))
        for event in _asynchronous(site.known):
            n_bytes = number_of(values, site, event.size) if event.size else None
            n_bytes = n_bytes or tile_bytes(values, site, event)
            row = later_row(values, site, event.operand) if event.by == _OPERANDS[1] else 0
            for shift in (0, row)[: 2 if row else 1]:
                found = SharedAccess(len(accesses), site, event, n_bytes or MIN_BYTES, shift=shift)
                accesses.append(found)
    if len(accesses) > _MAX_ACCESSES:
        accesses = _some_of_each(sites, accesses)
        kept = {each.site.found.start for each in accesses}
        sites = [it for it in sites if it.found.start in kept or ordering_of(it.known)]
    return ([], []) if len(accesses) > _MAX_ACCESSES else (sites, accesses)


def _is_plain(values: FunctionValues, n_lines: int) -> bool:
    """Whether a function with many accesses consists of few blocks, like unrolled loops."""
    return n_lines <= _MAX_LINES and len(values.graph.reachable) <= _MAX_BLOCKS


def _some_of_each(
    sites: Sequence[EventSite], accesses: Sequence[SharedAccess]
) -> list[SharedAccess]:
    """Returns the first and the last of the accesses that are alike.

    These begin with the same register, or do the same if there are many registers, in a block of
    code without a barrier. Leaving some out only hides conflicts.
    """
    barriers = [it.found.start for it in sites if ordering_of(it.known) is OrderingLevel.BLOCK]
    places = [
        (each.site.block, bisect_left(barriers, each.site.found.start), each.kind)
        for each in accesses
    ]
    bases = [_first_address(each.site) for each in accesses]
    chosen = _ends_of_each([*zip(places, bases, strict=True)])
    if len(chosen) > _MAX_ACCESSES:
        chosen = _ends_of_each(places)
    return [accesses[each]._replace(number=at) for at, each in enumerate(chosen)]


def _ends_of_each(keys: Sequence[object]) -> list[int]:
    """Returns the numbers of the first and the last of each of some keys, in order."""
    first = {key: number for number, key in reversed([*enumerate(keys)])}
    last = {key: number for number, key in enumerate(keys)}
    return sorted({*first.values(), *last.values()})


def _first_address(site: EventSite) -> str:
    """Returns the register or variable that the first address of a statement begins with."""
    return site.found.text.partition("[")[2].partition("]")[0].partition("+")[0].strip()


def _n_sized(text: RegionText) -> int:
    """Returns the number of lines of one instruction that accesses shared memory.

    Only accesses of a fixed number of bytes count.
    """
    shapes = {
        each
        for each in text.shapes_of(ACCESSING)
        if _MARK in each.opcode and any(event.n_bytes for event in _plain(events_of(each)))
    }
    return len(text.lines_of(shapes))


def _has_generic_addresses(text: RegionText) -> bool:
    """Whether a function makes generic addresses of shared memory."""
    shapes = text.shapes_of(("cvta",))
    return any(_MARK in each.opcode and ".to" not in each.opcode for each in shapes)


def _has_few_generic(text: RegionText) -> bool:
    """Whether it does, and has few enough lines with generic accesses to evaluate each address."""
    if not _has_generic_addresses(text):
        return False
    shapes = {
        each
        for each in text.shapes_of(ACCESSING)
        if any(event.space != _SHARED for event in _plain(events_of(each)))
    }
    return len(text.lines_of(text.with_shapes(shapes))) <= _MAX_GENERIC


def _is_shared(values: FunctionValues, site: EventSite, event: AccessEvent) -> bool:
    """Whether a generic address may be one in shared memory."""
    form = address_of(values, site, event.operand)
    return form is not None and form.space in ("", _MARK)


def _is_of_other(values: FunctionValues, site: EventSite, event: AccessEvent) -> bool:
    """Whether an address is in the shared memory of another block of the cluster."""
    form = address_of(values, site, event.operand)
    return form is not None and is_remote(values, form, is_in_cluster=True)


def _rank(values: FunctionValues, site: EventSite, event: AccessEvent) -> AffineForm | None:
    """Returns the rank of the block that an access is to; None if threads may name several."""
    form = address_of(values, site, event.operand)
    rank = rank_of(values, form) if form is not None else None
    if rank is None:
        return None
    found = DataSourceFinder(values).of_form(rank)
    is_same = found.is_known and not found.has_thread and not found.has_own_data
    return rank if is_same else None


def _matters(known: ShapeEvents | None) -> bool:
    """Whether an instruction accesses shared memory, or may order accesses."""
    return ordering_of(known) is not OrderingLevel.NONE or any(_events(known))


def _matters_in_shared(known: ShapeEvents | None) -> bool:
    """Whether an instruction names shared memory that it accesses, or may order accesses."""
    return ordering_of(known) is not OrderingLevel.NONE or any(
        event.space in (_SHARED, _CLUSTER) for event in _events(known)
    )


def _events(known: ShapeEvents | None) -> Iterator[AccessEvent]:
    """Yields the accesses of an instruction to data that may be in shared memory."""
    yield from _plain(known)
    yield from _asynchronous(known)


def _asynchronous(known: ShapeEvents | None) -> Iterator[AccessEvent]:
    """Yields the accesses to shared memory that an instruction only starts.

    A copy or a matrix has more bytes than are known here, but at least the first ones.
    """
    for event in known.events.accesses if known is not None else ():
        is_shared = event.space in (_SHARED, _CLUSTER)
        if event.proxy == _ASYNC and event.by in _OPERANDS and is_shared:
            yield event


def _plain(known: ShapeEvents | None) -> Iterator[AccessEvent]:
    """Yields the accesses of a thread itself to data that may be in shared memory.

    Objects such as barriers have rules of their own.
    """
    if known is None or known.events.completion not in ("", _COPY):
        return
    objects = {each.operand for each in known.events.syncs}
    for event in known.events.accesses:
        is_plain = event.proxy == "generic" and event.by == "address"
        if is_plain and event.space in _DATA_SPACES and event.operand not in objects:
            yield event


AccessKind = tuple["AccessEvent", bool, "AffineForm | None"]
"""An event, whether it is in another block, and the rank of that block."""
