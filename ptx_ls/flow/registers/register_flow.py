"""The flow of one register: its reaching definitions and live ranges.

Only the statements that use the register are examined. Places are relative to the function.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from heapq import merge
from itertools import groupby
from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
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
        self._entered_by: dict[Site, frozenset[int]] = {}

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
        predecessors = self.graph.predecessors
        waiting = [number for number, sites in self._of_block.items() if _reads_first(sites)]
        if self.returns:
            returning = [number for number, opcode in leaves.items() if opcode == "ret"]
            waiting += [number for number in returning if number not in killing]
        return frozenset(
            reached(waiting, lambda it: [each for each in predecessors[it] if each not in killing])
        )

    def _entered(self, definition: Site, block: Block) -> frozenset[int]:
        """Returns the blocks at whose start the value of a definition in `block` is live."""
        known = self._entered_by.get(definition)
        if known is None:
            known = self._entered_by[definition] = self._find_entered(definition, block)
        return known

    def _find_entered(self, definition: Site, block: Block) -> frozenset[int]:
        """Follows the paths from a definition on which some value of the register is live.

        A value is live all along the paths to its reads, so other paths need not be followed.
        """
        if any(it.kills for it in self._after(definition, block)):
            return frozenset()
        successors, killing, live = self.graph.successors, self._killing, self._live
        found: set[int] = set()
        waiting = [*block.successors]
        while waiting:
            number = waiting.pop()
            if number in live and number not in found:
                found.add(number)
                if number not in killing:
                    waiting += successors[number]
        return frozenset(found)

    def live_stretches(self, place: FunctionPosition) -> Iterator[FunctionSpan]:
        """Yields the spans of the text in which the value at a place is live, in order.

        This is the value that the statement there writes, or else the value that reaches it. Spans
        begin with definitions or blocks, and end with the last reads or blocks. No instruction is
        between blocks that follow each other, so a span contains several of these.
        """
        site = self.site_at(place)
        written = [site] if site is not None and site.is_write else self.reaching(place)[0]
        return _merged(merge(*map(self._spans_of, written)))

    def _spans_of(self, definition: Site) -> Iterator[FunctionSpan]:
        """Yields the spans in which a definition is live: on the paths from it to its reads."""
        own = self.graph.block_at(definition.start)
        if own is None:
            return iter([(definition.start, definition.end)])
        entered = self._entered(definition, own)
        if not (self._reads(definition, own, entered) or self.returns):
            return iter([(definition.start, definition.end)])
        goes_on, with_sites = self._goes_on(own, entered), self._of_block
        spans = _stretch(definition.start, self._after(definition, own), own, goes_on=goes_on)
        for number in entered & with_sites.keys():
            block = self.graph.block(number)
            goes_on = self._goes_on(block, entered)
            spans += _stretch(block.start, with_sites[number], block, goes_on=goes_on)
        starts, stops = self.graph.starts, self.graph.stops
        runs = _runs(sorted(entered - with_sites.keys()))
        return merge(sorted(spans), ((starts[first], stops[last]) for first, last in runs))

    def _goes_on(self, block: Block, live: AbstractSet[int]) -> bool:
        """Whether a value is live at the end of a block; `live`: at whose start it is live."""
        is_result = self.returns and block.leaves == "ret"
        return is_result or any(after in live for after in block.successors)


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


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yields the first and the last one of the numbers that follow each other, in order."""
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        members = [number for _, number in run]
        yield members[0], members[-1]


def _merged(spans: Iterable[FunctionSpan]) -> Iterator[FunctionSpan]:
    """Yields the unions of the spans that touch each other, given in order."""
    last: FunctionSpan | None = None
    for start, stop in spans:
        if last is not None and start <= last[1]:
            last = last[0], max(stop, last[1])
        else:
            if last is not None:
                yield last
            last = start, stop
    if last is not None:
        yield last
