"""Makes the outline of the synchronisation of a function."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.features.synchronization.collectives import COLLECTIVES, divided_collectives
from ptx_ls.features.synchronization.executing import executing, warps_of
from ptx_ls.features.synchronization.outline_model import (
    RowKind,
    RowPartner,
    SyncLoop,
    SyncObject,
    SyncOutline,
    SyncRow,
)
from ptx_ls.features.synchronization.row_words import RowWords
from ptx_ls.features.synchronization.warp_roles import warp_roles
from ptx_ls.features.threads.recent_uniformity import recent_uniformity
from ptx_ls.protocols.chains.function_chains import OPCODES, chains_of
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.protocols.chains.function_chains import FunctionChains, Partner
    from ptx_ls.protocols.chains.object_chains import MbarrierGroup
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

MAX_LINES: Final = 100_000
"""The longest function, in lines, that is outlined."""


def outlines(document: Document) -> Iterator[SyncOutline]:
    """Yields the outline of each function of a document that has a body."""
    for number in range(document.n_leaves):
        found = outline_of(document, number)
        if found is not None:
            yield found


def outline_of(document: Document, number: int) -> SyncOutline | None:
    """Returns the outline of the function with a number; None if it has no body."""
    located = document.functions[number]
    named = region_facts(located.function).function
    if named is None or not named.is_definition:
        return None
    empty = SyncOutline(
        named.name,
        located.first_line,
        is_known=False,
        threads=0,
        roles=(),
        rows=(),
        loops=(),
        objects=(),
    )
    if located.n_lines > MAX_LINES:
        return empty
    if not may_synchronise(region_text(located.function)):
        return empty._replace(is_known=True)
    uniformity = recent_uniformity(located.function, module_facts(document))
    chains = chains_of(uniformity)
    if not uniformity.is_known or chains.is_too_large:
        return empty
    reader = _OutlineReader(located, uniformity, chains)
    rows, shapes = reader.rows(), uniformity.shapes
    return empty._replace(
        is_known=True,
        threads=shapes[-1].n_threads if shapes and shapes[-1].is_stated else 0,
        roles=warp_roles([each.warps for each in rows], shapes[-1] if shapes else None),
        rows=rows,
        loops=reader.loops,
        objects=tuple(map(reader.object_of, chains.objects)),
    )


def may_synchronise(text: RegionText) -> bool:
    """Whether a function has an opcode of statements that synchronise; a quick test."""
    return next(iter(text.shapes_of((*OPCODES, *COLLECTIVES))), None) is not None


class _Statement(NamedTuple):
    """A statement before statements are joined; `number`: of its site, or -1 for a collective."""

    site: EventSite
    number: int

    @property
    def found(self) -> Found:
        return self.site.found

    @property
    def block(self) -> int:
        return self.site.block


class _OutlineReader:
    def __init__(
        self, located: LocatedFunction, uniformity: FunctionUniformity, chains: FunctionChains
    ) -> None:
        self._located, self._uniformity, self._chains = located, uniformity, chains
        self._graph = uniformity.flow.graph
        self._words = RowWords(chains, self._line_of)
        self._partners: dict[int, list[Partner]] = {}

    def _line_of(self, number: int) -> int:
        return self._line(self._chains.sites.sites[number].found) + 1

    def _line(self, found: Found) -> int:
        return self._located.position(found.start).line

    @cached_property
    def _statements(self) -> list[_Statement]:
        found = [
            _Statement(site, number)
            for number, site in enumerate(self._chains.sites.sites)
            if site.block >= 0 and not self._chains.sites.is_opaque(number)
        ]
        found += [_Statement(site, -1) for site in divided_collectives(self._uniformity)]
        return sorted(found, key=lambda each: each.found.start)

    def rows(self) -> tuple[SyncRow, ...]:
        """Returns all rows."""
        batches: list[list[_Statement]] = []
        for each in self._statements:
            if batches and self._is_together(batches[-1][-1], each):
                batches[-1].append(each)
            else:
                batches.append([each])
        places = {
            each.number: place
            for place, batch in enumerate(batches)
            for each in batch
            if each.number >= 0
        }
        return tuple(self._row(batch, places) for batch in batches)

    def _is_together(self, one: _Statement, other: _Statement) -> bool:
        """Whether two statements, one after the other, are in one row."""
        if one.block != other.block or _opcode(one.found) != _opcode(other.found):
            return False
        if one.number < 0 or other.number < 0:
            return one.number == other.number
        if not self._chains.sites.completion(one.number):
            objects = self._chains.objects_of(one.number)
            return self._words.is_lifetime(one.number) and objects == self._chains.objects_of(
                other.number
            )
        own = {each.number for each in self._chains.partners(one.number)} - {other.number}
        return own == {each.number for each in self._chains.partners(other.number)} - {one.number}

    def _row(self, batch: list[_Statement], places: dict[int, int]) -> SyncRow:
        first = batch[0]
        own = {places[each.number] for each in batch if each.number >= 0}
        partners = self._chains.partners(first.number) if first.number >= 0 else []
        related = dict.fromkeys(
            RowPartner(each.relation, places[each.number], each.is_sure)
            for each in partners
            if each.number in places and places[each.number] not in own
        )
        numbers = [each.number for each in batch]
        objects = self._chains.objects_of(first.number) if first.number >= 0 else []
        return SyncRow(
            tuple(self._line(each.found) for each in batch),
            _opcode(first.found),
            _kind(self._chains, first.number),
            _agent(self._chains, first.number, _opcode(first.found)),
            executing(self._chains.sites.participants, first.site),
            warps_of(self._uniformity, first.found),
            tuple(self._loop_places[head] for head in self._heads(first.block)),
            tuple(self._chains.objects.index(each) for each in objects),
            self._words.note(numbers) if first.number >= 0 else self._divided_note(first.found),
            tuple(related),
        )

    def _divided_note(self, found: Found) -> str:
        is_sure = self._uniformity.statement(found).is_surely_divergent
        return "only part of a warp executes it" if is_sure else "part of a warp may not execute it"

    def _heads(self, block: int) -> list[int]:
        """Returns the heads of the loops around a block, from outside to inside."""
        heads = [*self._graph.loop_forest.heads_around(block)]
        return [each for each in reversed(heads) if each not in self._repeating]

    @cached_property
    def _repeating(self) -> frozenset[int]:
        """The heads of loops that only repeat a test of an mbarrier object."""
        inside: dict[int, list[int]] = {}
        for each in self._statements:
            for head in self._graph.loop_forest.heads_around(each.block):
                inside.setdefault(head, []).append(each.number)
        return frozenset(
            head
            for head, numbers in inside.items()
            if len(numbers) == 1 and self._words.is_test(numbers[0])
        )

    @cached_property
    def _loop_places(self) -> dict[int, int]:
        heads = {head for each in self._statements for head in self._heads(each.block)}
        return {head: place for place, head in enumerate(sorted(heads))}

    @cached_property
    def loops(self) -> tuple[SyncLoop, ...]:
        """The loops with rows."""
        found = []
        for head in self._loop_places:
            blocks = self._graph.loop_forest.blocks(head)
            first = min(self._graph.starts[each] for each in blocks)
            last = max(self._graph.stops[each] for each in blocks)
            depth = self._heads(head).index(head)
            start, stop = self._located.position(first).line, self._located.position(last).line
            found.append(SyncLoop(start, stop, depth))
        return tuple(found)

    def object_of(self, group: MbarrierGroup) -> SyncObject:
        """Returns an mbarrier object with the lines of its uses."""
        lines = tuple(
            (relation, tuple(sorted({self._line_of(use.number) - 1 for use in uses})))
            for relation, uses in group.roles.items()
        )
        return SyncObject(
            group.name, self._words.name_of(group), group.is_ring, group.n_arrivals, lines
        )


def _opcode(found: Found) -> str:
    return getattr(found.record, "opcode", "")


_AGENTS: Final = {
    "cp.async": "copy unit",
    "bulk": "TMA",
    "wgmma": "tensor core",
    "tcgen05": "tensor core",
    "tcgen05.ld": "Tensor Memory",
    "tcgen05.st": "Tensor Memory",
}


def _agent(chains: FunctionChains, number: int, opcode: str) -> str:
    """Returns what does the work that a statement begins, or ""."""
    if _kind(chains, number) is not RowKind.OPERATION:
        return ""
    how = chains.sites.completion(number)
    if how == "mbarrier":
        return "TMA" if opcode.startswith("cp.") else "async proxy"
    return _AGENTS.get(how, "async proxy")


def _kind(chains: FunctionChains, number: int) -> RowKind:
    if number < 0:
        return RowKind.COLLECTIVE
    actions = chains.sites.actions(number)
    if chains.sites.completion(number) and "commit" not in actions:
        return RowKind.OPERATION
    for kind, starts in _KINDS.items():
        if any(each.startswith(starts) for each in actions):
            return kind
    return RowKind.OTHER


_KINDS: Final = {
    RowKind.WAIT: ("wait", "mbarrier wait", "mbarrier test", "grid wait"),
    RowKind.COMMIT: ("commit",),
    RowKind.MBARRIER: ("mbarrier",),
    RowKind.BARRIER: ("barrier", "warp barrier"),
    RowKind.CLUSTER: ("cluster",),
    RowKind.FENCE: ("fence", "init fence", "proxy fence", "register fence"),
}
