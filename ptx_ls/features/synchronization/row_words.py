"""Short words about the statements of an outline, which share a line with other columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.line_words import in_runs
from ptx_ls.isa.event_words import ACTIONS
from ptx_ls.protocols.chains.function_chains import READS
from ptx_ls.protocols.chains.relations import ChainRelation
from ptx_ls.protocols.mbarriers.objects import INIT, INVAL, WAITS
from ptx_ls.semantics.demangle import demangled
from ptx_ls.source.english import counted
from ptx_ls.threads.events.sites import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ptx_ls.isa.memory_events import SyncEvent
    from ptx_ls.protocols.chains.function_chains import FunctionChains
    from ptx_ls.protocols.chains.group_chains import GroupChains
    from ptx_ls.protocols.chains.object_chains import MbarrierGroup
    from ptx_ls.protocols.mbarriers.objects import MbarrierUse

_SIGNALS: Final = frozenset({ChainRelation.ARRIVE, ChainRelation.SIGNAL})
_MAX_LINES: Final = 4
"""Number of lines up to which each is named."""
_FENCES: Final = {
    "proxy fence": "fence for the {proxy} proxy",
    "register fence": "fence for wgmma registers",
    "init fence": "publishes new mbarrier objects",
}


class RowWords:
    """Notes on the statements of a function; `line_of`: the line of a site, from 1."""

    def __init__(self, chains: FunctionChains, line_of: Callable[[int], int]) -> None:
        self._chains, self._line_of = chains, line_of

    def note(self, numbers: Sequence[int]) -> str:
        """Returns what some statements do that are in one row."""
        number = numbers[0]
        parts = [*self._in_groups(number), *self._at_objects(number)]
        parts += (self._act(number, each) for each in self._chains.sites.syncs(number))
        return "; ".join(filter(None, dict.fromkeys(parts)))

    def is_test(self, number: int) -> bool:
        """Whether a statement tests a phase of an mbarrier object."""
        return number >= 0 and not self._chains.sites.actions(number).isdisjoint(WAITS)

    def is_lifetime(self, number: int) -> bool:
        """Whether a statement creates or ends an mbarrier object."""
        return not self._chains.sites.actions(number).isdisjoint((INIT, INVAL))

    def _lines(self, numbers: Iterable[int]) -> str:
        lines = sorted({self._line_of(each) for each in numbers})
        if len(lines) > _MAX_LINES:
            return f"{lines[0]} to {lines[-1]}"
        return ", ".join(map(str, lines))

    def _on(self, numbers: Iterable[int]) -> str:
        """Returns the lines of some statements: `line 3`, `lines 3, 5`."""
        found = set(map(self._line_of, numbers := [*numbers]))
        return f"{'line' if len(found) == 1 else 'lines'} {self._lines(numbers)}"

    def _operations(self, group: GroupChains, numbers: Sequence[int]) -> str:
        """Returns the lines of operations; of those one after another, the first and last."""
        lines = ", ".join(self._lines(run) for run in in_runs(numbers, group.operations))
        return f"{'line' if len({*map(self._line_of, numbers)}) == 1 else 'lines'} {lines}"

    def _in_groups(self, number: int) -> Iterator[str]:
        for group in self._chains.groups_of(number):
            is_reading = group is self._chains.groups.get(READS)
            if number in group.operations:
                yield from self._of_operation(group, number)
            elif number in group.waits:
                yield from self._of_wait(group, number, is_reading=is_reading)
            elif number in group.commits or number in group.tracking:
                closed = group.closed_by(number)
                verb = "tracks" if self._chains.objects_of(number) else "commits"
                yield f"{verb} {self._operations(group, closed)}" if closed else ""
                pending = group.in_flight_after(number)
                yield f"{_groups(pending)} in flight" if pending else ""

    def _of_operation(self, group: GroupChains, number: int) -> Iterator[str]:
        waits = group.waits_of(number)
        tracking = [it for it in group.commits_of(number) if self._chains.objects_of(it)]
        if READS in self._chains.groups and group.of == "bulk":
            reading = self._chains.groups[READS].waits_of(number)
            if reading and [*reading] != [*waits]:
                yield f"source read at {self._on(reading)}"
        if waits:
            unsure = "" if group.is_awaited(number) else " on some paths"
            yield f"complete at {self._on(waits)}{unsure}"
        elif tracking:
            yield f"after {self._on(tracking)}, tracked by an mbarrier object"

    def _of_wait(self, group: GroupChains, number: int, *, is_reading: bool) -> Iterator[str]:
        found = group.completed_by(number)
        surely = [each.number for each in found if each.is_all]
        perhaps = [each.number for each in found if not each.is_all]
        certain, possible = "completes", "may complete"
        if is_reading:
            certain, possible = "source read:", "source may be read:"
        yield f"{certain} {self._operations(group, surely)}" if surely else ""
        yield f"{possible} {self._operations(group, perhaps)}" if perhaps else ""
        pending = group.in_flight_after(number)
        if pending is not None and pending.stop > 1 and not is_reading:
            yield f"at most {counted(pending.stop - 1, 'group')} in flight"

    def _at_objects(self, number: int) -> Iterator[str]:
        for group in self._chains.objects_of(number):
            own = group.uses_at(number)
            amounts = filter(None, map(_amount, own))
            text = ", ".join((self.name_of(group), *amounts))
            roles = group.roles
            waits = [each.number for each in roles.get(ChainRelation.WAIT, ())]
            if number in waits:
                signals = *roles.get(ChainRelation.ARRIVE, ()), *roles.get(ChainRelation.SIGNAL, ())
                if signals:
                    text += f": waits for {self._on(each.number for each in signals)}"
            elif waits and any(ChainRelation.of_action(it.action) in _SIGNALS for it in own):
                text += f": awaited at {self._on(waits)}"
            yield text

    def name_of(self, group: MbarrierGroup) -> str:
        """Returns the name of an object: that of its variable and a place in it, or a number."""
        base, plus, offset = group.name.partition("+")
        readable = (demangled(base) or base).rpartition("::")[2]
        name = f"{readable}{plus}{offset}" or f"object {self._chains.objects.index(group) + 1}"
        return f"{name} (ring)" if group.is_ring else name

    def _act(self, number: int, sync: SyncEvent) -> str:
        if sync.action.startswith("barrier"):
            return self._barrier(number, sync)
        if sync.action in _FENCES:
            return _FENCES[sync.action].format(proxy=sync.proxy or "all")
        if sync.action == "fence":
            return _fence(sync)
        is_named = sync.of or sync.action.startswith("mbarrier")
        words = ACTIONS.get(sync.action, "").partition(";")[0]
        return "" if is_named else words.replace("`", "")

    def _barrier(self, number: int, sync: SyncEvent) -> str:
        """Returns the number of a barrier, and how many threads it waits for."""
        values, site = self._chains.sites.values, self._chains.sites.sites[number]
        name = number_of(values, site, sync.operand) if sync.operand else 0
        text = "barrier" if name is None else f"barrier {name}"
        if not sync.argument or site.operand(sync.argument) is None:
            return f"{text}, the whole block"
        count = number_of(values, site, sync.argument)
        return text if count is None else f"{text}, {counted(count, 'thread')}"


def _amount(use: MbarrierUse) -> str:
    """Returns the number of arrivals or bytes, or the parity, and where the object is."""
    relation, amount = ChainRelation.of_action(use.action), use.amount
    parts = ["of another block"] if use.is_remote else []
    if amount is not None:
        match relation:
            case ChainRelation.INIT:
                parts.append(f"{counted(amount, 'arrival')} per phase")
            case ChainRelation.ARRIVE:
                parts.append(counted(amount, "arrival"))
            case ChainRelation.EXPECT | ChainRelation.SIGNAL:
                parts.append(counted(amount, "byte"))
            case ChainRelation.WAIT if amount in (0, 1):
                parts.append(f"parity {amount}")
    return ", ".join(parts)


def _groups(pending: range) -> str:
    if pending.stop == 1:
        return "no group"
    if len(pending) == 1:
        return counted(pending.start, "group")
    if not pending.start:
        return f"at most {counted(pending.stop - 1, 'group')}"
    return f"{pending.start} to {pending.stop - 1} groups"


def _fence(sync: SyncEvent) -> str:
    order = f"{sync.order} fence" if sync.order else "fence"
    return f"{order}, {sync.scope} scope" if sync.scope else order
