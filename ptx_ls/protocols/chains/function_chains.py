"""The statements of a function that synchronise, and which of them belong together."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.async_sites import async_sites_of
from ptx_ls.protocols.chains.group_chains import GroupChains
from ptx_ls.protocols.chains.object_chains import mbarrier_groups
from ptx_ls.protocols.chains.relations import ChainRelation
from ptx_ls.protocols.mbarriers.objects import WAITS
from ptx_ls.protocols.protocol_sites import ProtocolSites
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import event_sites

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.chains.object_chains import MbarrierGroup
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity

OPCODES: Final = (
    "bar", "barrier", "call", "clusterlaunchcontrol", "cp", "fabric", "fence", "griddepcontrol",
    "mbarrier", "membar", "multimem", "red", "setmaxnreg", "st", "tcgen05", "wgmma",
)  # fmt: skip
"""The opcodes of statements that synchronise, or begin what completes later."""
_UNTRACKED: Final = "untracked"
"""The mechanism of operations for which no instruction waits."""
_LEFT_OUT: Final = frozenset({"prefetch", "cache hint", "exit"})
_GROUPS: Final[tuple[str, ...]] = (
    "cp.async", "bulk", "wgmma", "tcgen05", "tcgen05.ld", "tcgen05.st",
)  # fmt: skip
"""The mechanisms whose operations complete in groups, or by commits and waits."""
_MAX_SITES: Final = 4_000
"""Number of statements up to which a function is examined."""
_MAX_USES: Final = 256
"""Number of uses of an mbarrier object up to which they are related to each other."""
READS: Final = "bulk reads"
"""The groups of bulk copies as far as they have to read their sources."""


class Partner(NamedTuple):
    """A statement that belongs to another one.

    `number`: of its site. `is_sure`: whether that is so on all paths, and for the same object.
    """

    relation: ChainRelation
    number: int
    is_sure: bool


class FunctionChains:
    """The chains of statements that belong together in a function.

    Attributes:
        sites: its statements that synchronise, or begin what completes later.
        groups: its operations that complete in groups, by mechanism; also `READS`.
        objects: its mbarrier objects.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self.sites = ProtocolSites(uniformity, OPCODES, _matters, most=_MAX_SITES)
        self._numbers = {each.found.start: number for number, each in enumerate(self.sites.sites)}

    @cached_property
    def is_too_large(self) -> bool:
        """Whether it has more statements that synchronise than are examined."""
        if self.sites.sites or not self.sites.uniformity.is_known:
            return False
        found = event_sites(self.sites.values, OPCODES, _matters)
        return next(found, None) is not None

    @cached_property
    def groups(self) -> Mapping[str, GroupChains]:
        """The operations that complete in groups."""
        used = {self.sites.completion(each) for each in range(len(self.sites.sites))}
        used |= {
            sync.of for each in range(len(self.sites.sites)) for sync in self.sites.syncs(each)
        }
        found = {each: GroupChains(self.sites, each) for each in _GROUPS if each in used}
        if self.sites.of_action("wait reads bulk"):
            found[READS] = GroupChains(self.sites, "bulk", ("wait", "wait reads"))
        return found

    @cached_property
    def accesses(self) -> AsyncSites:
        """The statements that also access shared memory; none if there are too many."""
        return async_sites_of(self.sites.uniformity)

    @cached_property
    def objects(self) -> tuple[MbarrierGroup, ...]:
        """The mbarrier objects."""
        return mbarrier_groups(self.sites)

    @cached_property
    def _objects_of(self) -> Mapping[int, list[MbarrierGroup]]:
        found: dict[int, list[MbarrierGroup]] = {}
        for group in self.objects:
            for use in group.uses:
                own = found.setdefault(use.number, [])
                if group not in own:
                    own.append(group)
        return found

    def site_at(self, start: FunctionPosition) -> int | None:
        """Returns the number of the statement that begins at a place."""
        return self._numbers.get(start)

    def objects_of(self, number: int) -> list[MbarrierGroup]:
        """Returns the mbarrier objects that a statement is about."""
        return self._objects_of.get(number, [])

    def groups_of(self, number: int) -> Iterator[GroupChains]:
        """Yields the mechanisms whose groups a statement joins, closes or waits for."""
        for name, group in self.groups.items():
            is_source = number in group.operations or number in group.commits
            if name == READS and is_source:
                continue
            if is_source or number in group.waits or number in group.tracking:
                yield group

    def partners(self, number: int) -> list[Partner]:
        """Returns the statements that belong to one, by relation and in the order of the text."""
        found = dict.fromkeys(
            (*self._in_groups(number), *self._at_objects(number), *self._tracked_by(number))
        )
        order = [*ChainRelation]
        return sorted(found, key=lambda each: (order.index(each.relation), each.number))

    def _in_groups(self, number: int) -> Iterator[Partner]:
        for name, group in self.groups.items():
            is_reading = name == READS
            if number in group.operations:
                yield from self._of_operation(group, number, is_reading=is_reading)
            if is_reading and number in self.groups["bulk"].waits:
                continue
            if number in group.waits:
                for each in group.completed_by(number):
                    yield Partner(ChainRelation.COMPLETES, each.number, each.is_all)
            if not is_reading and (number in group.commits or number in group.tracking):
                for other in group.closed_by(number):
                    is_only = len(group.commits_of(other)) == 1
                    yield Partner(ChainRelation.COMMITS, other, is_only and group.is_closed(other))

    def _of_operation(
        self, group: GroupChains, number: int, *, is_reading: bool
    ) -> Iterator[Partner]:
        waits, commits = group.waits_of(number), group.commits_of(number)
        is_sure = len(waits) == 1 and group.is_awaited(number)
        if is_reading:
            yield from (Partner(ChainRelation.READ_BY, each, is_sure) for each in waits)
            return
        is_closed = len(commits) == 1 and group.is_closed(number)
        yield from (Partner(ChainRelation.COMMITTED_BY, it, is_closed) for it in commits)
        yield from (Partner(ChainRelation.COMPLETE_AT, it, is_sure) for it in waits)
        for commit in commits:  # an mbarrier object tracks it, if the commit names one
            for each in self._at_objects(commit):
                if each.relation is ChainRelation.WAIT:
                    yield each._replace(relation=ChainRelation.COMPLETE_AT)

    def _at_objects(self, number: int) -> Iterator[Partner]:
        for group in self.objects_of(number):
            own = group.uses_at(number)
            for use in group.uses if len(group.uses) <= _MAX_USES else ():
                if use.number != number:
                    is_sure = any(use.surely_is(each) for each in own)
                    yield Partner(ChainRelation.of_action(use.action), use.number, is_sure)

    def _tracked_by(self, wait: int) -> Iterator[Partner]:
        """Yields the operations that the object of a wait tracks."""
        uses = (use for group in self.objects_of(wait) for use in group.uses_at(wait))
        if not any(use.action in WAITS for use in uses):
            return
        for each in self._at_objects(wait):
            if each.relation is ChainRelation.ARRIVE:
                for group in self.groups.values():
                    for other in group.closed_by(each.number):
                        yield Partner(ChainRelation.COMPLETES, other, each.is_sure)

    def chain(self, number: int) -> list[int]:
        """Returns a statement with all that belong to it, also through others, in order.

        These are the operations that it begins, closes or waits for, others in the same group, what
        closes the group, the waits for it, and the uses of the mbarrier objects of all these.
        """
        found = {number, *self._operations_at(number)}
        for each in [*found]:
            for group in self.groups_of(each):
                for commit in group.commits_of(each):
                    found |= {commit, *group.closed_by(commit)}
        for each in [*found]:
            found |= {
                partner.number
                for partner in self.partners(each)
                if partner.relation in _AWAITED or self.objects_of(each)
            }
        return sorted(found)

    def _operations_at(self, number: int) -> Iterator[int]:
        """Yields the operations that a statement closes or waits for."""
        for each in self.partners(number):
            if each.relation in (ChainRelation.COMMITS, ChainRelation.COMPLETES):
                yield each.number


_AWAITED: Final = frozenset(
    {ChainRelation.COMMITTED_BY, ChainRelation.READ_BY, ChainRelation.COMPLETE_AT}
)
"""The relations of an operation to what closes its group and waits for it."""


def _matters(known: ShapeEvents | None) -> bool:
    if known is None:
        return True
    acts = {each.action for each in known.events.syncs} - _LEFT_OUT
    return bool(acts) or known.events.completion not in ("", _UNTRACKED)


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def chains_of(uniformity: FunctionUniformity) -> FunctionChains:
    """Returns what belongs together in a function; the same object for the last ones."""
    return FunctionChains(uniformity)
