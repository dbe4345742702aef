"""Finds accesses to registers that `wgmma.mma_async` may still use.

Source: PTX ISA, "wgmma.fence", "wgmma.commit_group" and "wgmma.wait_group".
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.statement_uses import first_use
from ptx_ls.protocols.definition import ProtocolEvent, protocol
from ptx_ls.protocols.participants import Participants
from ptx_ls.protocols.protocol_facts import UNKNOWN
from ptx_ls.protocols.site_facts import SiteFacts, states_by_origin
from ptx_ls.protocols.site_steps import ENTRY, SiteSteps
from ptx_ls.protocols.violations import ProtocolRun
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.threads.events.sites import EventSite, event_sites, number_of
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.function_values import FunctionValues

OPCODE: Final = "wgmma"
PROTOCOL: Final = "matrix_groups"
_OPCODES: Final = (OPCODE, "call")
_COMPUTES: Final = "wgmma.mma_async"
_FENCE: Final = "register fence"
_UNFENCED, _FENCED = 0, 1
_OPEN, _COMPLETE = frozenset({"open"}), frozenset({"complete"})
"""States of the protocol."""


class EarlyRegisterAccess(NamedTuple):
    """An access to a register that a matrix instruction may still use.

    Attributes:
        use: the access.
        number: the number of the matrix instruction among the sites.
        origin: the matrix instruction.
        is_result: whether that writes the register; else it reads it.
        is_committed: whether the group of the instruction is committed on some path.
    """

    use: int
    number: int
    origin: Found
    is_result: bool
    is_committed: bool


class UnfencedAccess(NamedTuple):
    """A matrix instruction without a `wgmma.fence` between it and a write of its registers.

    `write`: the use that writes; None if no fence comes before the instruction at all.
    """

    site: EventSite
    write: int | None


def computes(text: RegionText) -> bool:
    """Whether a function has `wgmma.mma_async`."""
    return any(shape.opcode.startswith(_COMPUTES) for shape in text.shapes_of((OPCODE,)))


class MatrixGroups:
    """The matrix instructions of a function, and the groups that they are in.

    Attributes:
        flow: the function.
        is_kernel: whether it is a kernel.
        sites: its `wgmma` instructions and calls.
    """

    def __init__(self, values: FunctionValues, who: Participants) -> None:
        self._values = values
        self.flow, self.is_kernel = values.flow, values.given.is_kernel
        self.sites: Sequence[EventSite] = [*event_sites(values, _OPCODES, lambda _: True)]
        self._fences = [self._is_fence(each) for each in self.sites]
        self._run = ProtocolRun(
            protocol(PROTOCOL),
            self._values.graph,
            self.sites,
            [number for number, each in enumerate(self.sites) if self._computes(each)],
            [self._events(each) for each in self.sites],
            participants=who,
        )

    def _events(self, site: EventSite) -> tuple[ProtocolEvent, ...]:
        """Returns what a statement does to groups."""
        found = []
        for each in site.syncs:
            if each.of == OPCODE:
                amount = number_of(self._values, site, each.argument) if each.argument else None
                found.append(ProtocolEvent(each.action, amount))
            elif each.action == "call":
                found.append(UNKNOWN)
        return (UNKNOWN,) if site.known is None else tuple(found)

    def _is_fence(self, site: EventSite) -> bool:
        if site.known is None:
            return True
        return any(each.action in (_FENCE, "call") for each in site.known.events.syncs)

    def _computes(self, site: EventSite) -> bool:
        return site.known is not None and site.known.events.completion == OPCODE

    @cached_property
    def _registers(self) -> Mapping[int, tuple[frozenset[str], frozenset[str]]]:
        """For each matrix instruction, the registers of its results, and those of a matrix."""
        found = {}
        for number, site in enumerate(self.sites):
            record = site.found.record
            if site.known is not None and self._computes(site) and isinstance(record, Shape):
                written = written_operands(record, site.found.text)
                own = [
                    names_in(written[place].text)
                    if place is not None and place < len(written)
                    else ()
                    for place in (site.operand("d"), site.operand("a"))
                ]
                found[number] = frozenset(own[0]), frozenset(own[1])
        return found

    @cached_property
    def early_accesses(self) -> Sequence[EarlyRegisterAccess]:
        """The accesses to registers that some matrix instruction uses on every path, in order."""
        in_block: dict[int, list[int]] = {}
        for number in self._run.kept:
            in_block.setdefault(self.sites[number].block, []).append(number)
        found: dict[tuple[int, int], EarlyRegisterAccess] = {}
        for block in sorted(self._values.graph.reachable):
            numbers = in_block.get(block, [])
            for before, after in zip((None, *numbers), (*numbers, None), strict=True):
                for access in self._accesses_in(block, before, after):
                    found.setdefault((access.use, access.number), access)
        return sorted(found.values())

    def _accesses_in(
        self, block: int, before: int | None, after: int | None
    ) -> Iterator[EarlyRegisterAccess]:
        """Yields the accesses between two sites of a block, or from its start or to its end."""
        among: range | None = None
        for edges, pending in self._run.perhaps(block, after, _is_pending):
            if not pending:
                continue
            among = among or self._between(block, before, after)
            for access in self._accesses(among, pending):
                names = self._run.confirmed(edges, access.number, block, after)
                if names and _is_pending(names):
                    yield access._replace(is_committed=names != _OPEN)

    def _between(self, block: int, before: int | None, after: int | None) -> range:
        """Returns the uses between two sites of a block, or from its start or to its end."""
        firsts = self.flow.index.firsts
        start = firsts[block] if before is None else self._uses_of(before).stop
        stop = firsts[block + 1] if after is None else self._uses_of(after).start
        return range(start, stop)

    def _uses_of(self, number: int) -> range:
        """Returns the uses of registers in a site; an empty range if it has none."""
        found, uses = self.sites[number].found, self.flow.uses
        first = first_use(self.flow, found)
        if first >= 0:
            return self.flow.index.statement(first)
        place = bisect_left(range(len(uses.codes)), found.start, key=uses.place)
        return range(place, place)

    def _accesses(self, among: range, pending: AbstractSet[int]) -> Iterator[EarlyRegisterAccess]:
        """Yields the accesses among some uses to registers that are in use, one for each."""
        uses = self.flow.uses
        seen: set[str] = set()
        for use in among:
            name = self.flow.name_of(use)
            if name in seen or not uses.ways[use] & (READS | WRITES):
                continue
            for origin in sorted(pending):
                results, operands = self._registers[origin]
                is_result = name in results
                if is_result or (name in operands and uses.ways[use] & WRITES):
                    seen.add(name)
                    yield EarlyRegisterAccess(
                        use, origin, self.sites[origin].found, is_result, is_committed=True
                    )
                    break

    def is_overwrite(self, access: EarlyRegisterAccess) -> bool:
        """Whether a result is replaced by an instruction that does not read it."""
        ways, code = self.flow.uses.ways, self.flow.uses.codes[access.use]
        own = [
            ways[each]
            for each in self.flow.index.statement(access.use)
            if self.flow.uses.codes[each] == code
        ]
        return access.is_result and not any(each & READS for each in own)

    def is_read_at_once(self, number: int) -> bool:
        """Whether a result of a matrix instruction is read before the next site of its block.

        ptxas waits for the instruction there.
        """
        block = self.sites[number].block
        after = number + 1 if number + 1 < len(self.sites) else None
        if after is not None and self.sites[after].block != block:
            after = None
        results, ways = self._registers[number][0], self.flow.uses.ways
        return any(
            ways[use] & READS and self.flow.name_of(use) in results
            for use in self._between(block, number, after)
        )

    @cached_property
    def uncommitted(self) -> Sequence[EventSite]:
        """The matrix instructions that no path to the end of the function puts into a group."""
        found = [each.origin for each in self._run.violations()]
        return [self.sites[each] for each in sorted(found)]

    def wait_after(self, site: EventSite) -> FunctionSpan | None:
        """Returns the next wait in the text after a matrix instruction."""
        for each in self.sites:
            is_wait = any(event.action == "wait" for event in each.syncs)
            if each.found.start > site.found.start and is_wait:
                return each.found.start, each.found.end
        return None

    @cached_property
    def unfenced(self) -> Sequence[UnfencedAccess]:
        """The matrix instructions that need a `wgmma.fence` before them."""
        facts = SiteFacts(
            self._values.graph,
            SiteSteps(
                self.sites,
                lambda _: None,
                lambda fact, number: (_FENCED,) if self._fences[number] else (fact.state,),
            ),
            (_UNFENCED,),
        )
        found, writes = [], set[int]()
        for number in self._registers:
            if states_by_origin(facts.before(number)).get(ENTRY) == {_UNFENCED}:
                return [UnfencedAccess(self.sites[number], None)]
            write = self._unfenced_write(number)
            if write is not None and write not in writes:
                writes.add(write)
                found.append(UnfencedAccess(self.sites[number], write))
        return found

    def _unfenced_write(self, number: int) -> int | None:
        """Returns a write of a register of an instruction in its block, after the last fence."""
        site = self.sites[number]
        uses, index = self.flow.uses, self.flow.index
        first, since = first_use(self.flow, site.found), self._after_last_fence(number)
        names = frozenset[str]().union(*self._registers[number])
        if first < 0:
            return None
        computing = {self.sites[each].found.start for each in self._registers}
        for use in range(first - 1, index.firsts[site.block] - 1, -1):
            if use < since:
                return None
            is_written = uses.ways[use] & WRITES and self.flow.name_of(use) in names
            if is_written and self.flow.statement(use).start not in computing:
                return use
        return None

    def _after_last_fence(self, number: int) -> int:
        """Returns the first use in the block of a site after the last fence before it, if any."""
        block = self.sites[number].block
        for each in range(number - 1, -1, -1):
            if self.sites[each].block != block:
                break
            if self._fences[each]:
                return self._uses_of(each).stop
        return self.flow.index.firsts[block]


def _is_pending(names: AbstractSet[str]) -> bool:
    return not names & _COMPLETE


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _groups_of(uniformity: FunctionUniformity) -> MatrixGroups:
    return MatrixGroups(uniformity.values, Participants(uniformity))


def matrix_groups(function: Function, module: ModuleFacts) -> MatrixGroups:
    """Returns the matrix instructions of a function; the same object for the last ones."""
    return _groups_of(function_uniformity(function, module))
