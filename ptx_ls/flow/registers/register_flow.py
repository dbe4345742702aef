"""The flow of one register: its reaching definitions and live ranges.

Only the statements that use the register are examined. Places are relative to the function.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.graph import Block, FlowGraph


class Site(NamedTuple):
    """The place of an instruction that uses a register.

    `kills`: whether it always writes the whole register, so that no earlier value survives it.
    """

    start: FunctionPosition
    end: FunctionPosition
    is_read: bool
    is_write: bool
    kills: bool


class RegisterFlow:
    """All sites of a register, in the flow graph of its function.

    Attributes:
        graph: the flow graph.
        sites: the sites in the order of the text.
        returns: whether `ret` reads the register, as it is a return value of the function.
    """

    def __init__(self, graph: FlowGraph, sites: tuple[Site, ...], *, returns: bool = False) -> None:
        self.graph, self.sites, self.returns = graph, sites, returns

    @cached_property
    def _of_block(self) -> dict[int, list[Site]]:
        found: dict[int, list[Site]] = {}
        for site in self.sites:
            number = self.graph.number_at(site.start)
            if number is not None:
                found.setdefault(number, []).append(site)
        return found

    def site_at(self, place: FunctionPosition) -> Site | None:
        """Returns the site whose statement contains a place."""
        return site_at(self.sites, place)

    def reaching(self, place: FunctionPosition) -> tuple[list[Site], bool]:
        """Returns the definitions that may reach a place, and whether a path to it has none."""
        own, predecessors = self.graph.number_at(place), self.graph.predecessors
        if own is None:
            return [], False
        found: set[Site] = set()
        with_sites = self._of_block
        before = [site for site in with_sites.get(own, ()) if site.start < place]
        if _back_to_kill(before, found):
            return sorted(found), False
        is_entry = own == 0
        seen: set[int] = set()
        waiting = list(predecessors[own])
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            if number not in with_sites or not _back_to_kill(with_sites[number], found):
                is_entry |= number == 0
                waiting += predecessors[number]
        return sorted(found), is_entry

    def reached(self, definition: Site) -> list[Site]:
        """Returns the sites that may read the value of a definition."""
        block = self.graph.block_at(definition.start)
        if block is None:
            return []
        return self._reads(definition, block, self._entered(definition, block))

    def _reads(self, definition: Site, block: Block, entered: AbstractSet[int]) -> list[Site]:
        """Returns the reads of a definition in its block, and in the blocks that it enters."""
        found: set[Site] = set()
        _on_to_kill(self._after(definition, block), found)
        for number in entered & self._of_block.keys():
            _on_to_kill(self._of_block[number], found)
        return sorted(found)

    def _after(self, definition: Site, block: Block) -> list[Site]:
        """Returns the sites after a definition in its block."""
        sites = self._of_block.get(block.number, ())
        return [site for site in sites if site.start > definition.start]

    @cached_property
    def _killing(self) -> frozenset[int]:
        """The numbers of the blocks that kill the value of the register."""
        return frozenset(
            number for number, sites in self._of_block.items() if any(it.kills for it in sites)
        )

    @cached_property
    def _live(self) -> frozenset[int]:
        """Blocks at whose start a value of the register is live."""
        leaves, killing = self.graph.leaves, self._killing
        waiting = [number for number, sites in self._of_block.items() if _reads_first(sites)]
        if self.returns:
            returning = [number for number, opcode in leaves.items() if opcode == "ret"]
            waiting += [number for number in returning if number not in killing]
        return frozenset(reached(waiting, self._keeping_before))

    def _keeping_before(self, number: int) -> list[int]:
        """Returns the predecessors of a block that do not kill the value of the register."""
        killing = self._killing
        return [before for before in self.graph.predecessors[number] if before not in killing]

    def _entered(self, definition: Site, block: Block) -> set[int]:
        """Returns the blocks at whose start the value of a definition in `block` may be live.

        A value is live all along the paths to its reads, so other paths need not be followed.
        """
        found: set[int] = set()
        if not any(it.kills for it in self._after(definition, block)):
            successors, killing, live = self.graph.successors, self._killing, self._live
            waiting = list(block.successors)
            while waiting:
                number = waiting.pop()
                if number in live and number not in found:
                    found.add(number)
                    if number not in killing:
                        waiting += successors[number]
        return found

    def live_stretches(self, place: FunctionPosition) -> list[FunctionSpan]:
        """Returns the spans of the text in which the value at a place is live.

        This is the value that the statement there writes, or else the value that reaches it. Spans
        begin with definitions or blocks, and end with the last reads or blocks.
        """
        site = self.site_at(place)
        written = [site] if site is not None and site.is_write else self.reaching(place)[0]
        spans: list[FunctionSpan] = []
        for definition in written:
            spans += self._span_of(definition)
        return _merged(spans)

    def _span_of(self, definition: Site) -> list[FunctionSpan]:
        """Returns the spans in which a definition is live: on the paths from it to its reads."""
        own = self.graph.block_at(definition.start)
        if own is None:
            return [(definition.start, definition.end)]
        entered = self._entered(definition, own)
        reads = self._reads(definition, own, entered)
        if not (reads or self.returns):
            return [(definition.start, definition.end)]
        forward = entered | {own.number}
        live_in = self._live_in(frozenset(reads), forward)
        starts, stops, with_sites = self.graph.starts, self.graph.stops, self._of_block
        spans = [(starts[number], stops[number]) for number in live_in - with_sites.keys()]
        for number in live_in & with_sites.keys():
            block = self.graph.block(number)
            goes_on = self._goes_on(block, live_in)
            spans += _stretch(block.start, with_sites[number], block, goes_on=goes_on)
        goes_on = self._goes_on(own, live_in)
        return spans + _stretch(
            definition.start, self._after(definition, own), own, goes_on=goes_on
        )

    def _goes_on(self, block: Block, live_in: set[int]) -> bool:
        """Whether the register is live at the end of a block."""
        is_result = self.returns and block.leaves == "ret"
        return is_result or any(after in live_in for after in block.successors)

    def _live_in(self, reads: AbstractSet[Site], forward: set[int]) -> set[int]:
        """Returns the blocks at whose start the value is live, among those in `forward`."""
        leaves, waiting = self.graph.leaves, []
        for number in forward & self._of_block.keys():
            first: set[Site] = set()
            _on_to_kill(self._of_block[number], first)
            if not first.isdisjoint(reads):
                waiting.append(number)
        if self.returns:
            waiting += [number for number in forward - self._killing if leaves.get(number) == "ret"]
        return reached(waiting, lambda number: forward.intersection(self._keeping_before(number)))


def site_at(sites: Sequence[Site], place: FunctionPosition) -> Site | None:
    """Returns the one of the sorted sites whose statement contains a place, or None."""
    index = bisect_right(sites, place, key=_start) - 1
    return sites[index] if index >= 0 and place <= sites[index].end else None


def _start(site: Site) -> FunctionPosition:
    return site.start


def _back_to_kill(sites: Iterable[Site], found: set[Site]) -> bool:
    """Adds definitions to `found`, backwards up to one that kills; returns whether one does."""
    for site in reversed(list(sites)):
        if site.is_write:
            found.add(site)
            if site.kills:
                return True
    return False


def _on_to_kill(sites: Iterable[Site], found: set[Site]) -> bool:
    """Adds reads to `found`, up to a definition that kills; returns whether one does."""
    for site in sites:
        if site.is_read:
            found.add(site)
        if site.kills:
            return True
    return False


def _reads_first(sites: Iterable[Site]) -> bool:
    """Whether one of the sites reads the value that the register has before the first site."""
    found: set[Site] = set()
    _on_to_kill(sites, found)
    return bool(found)


def _stretch(
    start: FunctionPosition, sites: Iterable[Site], block: Block, *, goes_on: bool
) -> list[FunctionSpan]:
    """Returns the span from `start` to the last read in a block, or to its end if `goes_on`."""
    last: FunctionPosition | None = None
    for site in sites:
        if site.is_read:
            last = site.end
        if site.kills:
            return [(start, last)] if last is not None else []
    if goes_on:
        last = block.stop
    return [(start, last)] if last is not None else []


def _merged(spans: list[FunctionSpan]) -> list[FunctionSpan]:
    found: list[FunctionSpan] = []
    for start, stop in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(stop, found[-1][1])
        else:
            found.append((start, stop))
    return found
