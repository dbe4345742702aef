"""Says what is known of the asynchronous work that a statement begins, commits or waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.line_words import (
    MAX_NAMED,
    counted_lines,
    in_runs,
    on_lines,
    on_runs,
)
from ptx_ls.protocols.chains.function_chains import READS
from ptx_ls.protocols.chains.relations import ChainRelation
from ptx_ls.source.english import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ptx_ls.protocols.chains.function_chains import FunctionChains, Partner
    from ptx_ls.protocols.chains.group_chains import GroupChains
    from ptx_ls.protocols.chains.object_chains import MbarrierGroup
    from ptx_ls.protocols.mbarriers.objects import MbarrierUse

_BULK: Final = "bulk"
_NOUNS: Final = {
    "cp.async": ("copy", "copies"),
    _BULK: ("bulk copy", "bulk copies"),
    "wgmma": ("matrix instruction", "matrix instructions"),
    "tcgen05": ("operation on Tensor Memory", "operations on Tensor Memory"),
    "tcgen05.ld": ("load", "loads"),
    "tcgen05.st": ("store", "stores"),
}
_ROLES: Final = (
    (ChainRelation.INIT, "Initialised"),
    (ChainRelation.EXPECT, "Bytes announced"),
    (ChainRelation.ARRIVE, "Arrivals"),
    (ChainRelation.SIGNAL, "Bytes reported"),
    (ChainRelation.WAIT, "Waits"),
    (ChainRelation.INVAL, "Invalidated"),
)


class StatementWords:
    """Words about the statements of one function; `line_of`: the line of a site, from 1."""

    def __init__(self, chains: FunctionChains, line_of: Callable[[int], int]) -> None:
        self._chains, self._line_of = chains, line_of

    def sentences(self, number: int) -> Iterator[str]:
        """Yields what is certain of a statement, in sentences with code in backquotes."""
        partners = self._chains.partners(number)
        for group in self._chains.groups_of(number):
            is_reading = group is self._chains.groups.get(READS)
            if number in group.operations:
                yield from self._of_operation(group, number, partners)
            elif number in group.commits and number not in group.waits:
                yield from self._of_commit(group, number)
            elif number in group.waits:
                yield from self._of_wait(group, number, is_reading=is_reading)
            elif number in group.tracking:
                found = group.closed_by(number)
                if found:
                    yield f"Lets the mbarrier object track {self._work(group, found)}."

    def _lines(self, numbers: Iterable[int], joint: str = "and") -> str:
        return on_lines(map(self._line_of, numbers), joint=joint)

    def _after(self, waits: Iterable[int]) -> str:
        """Returns the words for some waits, of which each execution reaches one."""
        lines = sorted({*map(self._line_of, waits)})
        if len(lines) > MAX_NAMED:
            return f"one of the waits on {on_lines(lines)}"
        return f"the wait on {on_lines(lines, joint='or')}"

    def _work(self, group: GroupChains, numbers: Sequence[int]) -> str:
        """Returns the words for some operations: `the 7 copies on lines 3 to 9`."""
        one, many = _NOUNS[group.of]
        what = one if len(numbers) == 1 else counted(len(numbers), one, many)
        return f"the {what} on {self._lines_of(group, numbers)}"

    def _lines_of(self, group: GroupChains, numbers: Sequence[int]) -> str:
        """Returns the lines of some operations; of those one after another, the first and last."""
        runs = in_runs(numbers, group.operations)
        return on_runs([[*map(self._line_of, run)] for run in runs])

    def _of_operation(
        self, group: GroupChains, number: int, partners: Sequence[Partner]
    ) -> Iterator[str]:
        noun, _ = _NOUNS[group.of]
        commits = group.commits_of(number)
        closing = [each for each in commits if each in group.commits]
        tracking = [each for each in commits if self._chains.objects_of(each)]
        if tracking:
            yield f"After {self._lines(tracking, 'or')}, an mbarrier object tracks the {noun}."
        elif closing:
            where = self._lines(closing, "or")
            unsure = _on_paths(is_certain=group.is_closed(number))
            yield f"The group of the {noun} is committed on {where}{unsure}."
        reading = self._chains.groups[READS].waits_of(number) if self._is_bulk(group) else ()
        waits = group.waits_of(number)
        if reading and [*reading] != [*waits]:
            yield f"The source has been read after {self._after(reading)}."
        if waits:
            unsure = _on_paths(is_certain=group.is_awaited(number))
            yield f"The {noun} is complete after {self._after(waits)}{unsure}."
        elif tracking:
            found = [each.number for each in partners if each.relation is ChainRelation.COMPLETE_AT]
            if found:
                where = self._lines(found, "or")
                yield f"The {noun} is complete when the wait on {where} returns true."

    def _is_bulk(self, group: GroupChains) -> bool:
        return group.of == _BULK and READS in self._chains.groups

    def _of_commit(self, group: GroupChains, number: int) -> Iterator[str]:
        found = group.closed_by(number)
        if found and self._chains.objects_of(number):
            yield f"Lets the mbarrier object track {self._work(group, found)}."
        elif found:
            yield f"Commits {self._work(group, found)} as a group."
        pending = group.in_flight_after(number)
        if pending is None:
            return
        text = f"Afterwards, {_groups(pending)} in flight"
        oldest = group.oldest_after(number)
        waits = sorted({it for each in oldest for it in group.waits_of(each)})
        if waits:
            which = "it" if pending.stop == 2 else "the oldest"  # noqa: PLR2004  one group
            is_certain = all(map(group.is_awaited, oldest))
            unsure = _on_paths(is_certain=is_certain)
            text += f"; {which} is complete after {self._after(waits)}{unsure}"
        yield f"{text}."

    def _of_wait(self, group: GroupChains, number: int, *, is_reading: bool) -> Iterator[str]:
        complete = self._chains.groups.get(_BULK) if is_reading else None
        if complete is not None and number in complete.waits:
            return  # what is complete has also read its source
        found = group.completed_by(number)
        surely = [each.number for each in found if each.is_all]
        perhaps = [each.number for each in found if not each.is_all]
        if surely:
            verb = "is" if len(surely) == 1 else "are"
            done = f"{verb} complete"
            if is_reading:
                done = "has read its source" if len(surely) == 1 else "have read their sources"
            yield f"Afterwards, {self._work(group, surely)} {done}."
        if perhaps:
            verb = "Also waits" if surely else "Waits"
            work = self._work(group, perhaps)
            yield f"{verb} for {work}, but only on some paths or in some iterations."
        if not is_reading or not found:
            yield from _of_rest(group, number, is_reading=is_reading)

    def objects(self, number: int) -> Iterator[str]:
        """Yields the mbarrier objects of a statement: each with the lines that use it."""
        for group in self._chains.objects_of(number):
            name = f" `{group.name}`" if group.name else ""
            what = f"the mbarrier object{name}" if name else "an mbarrier object"
            if group.is_ring:
                what = f"one mbarrier object of {f'the ring{name}' if name else 'a ring'}"
            count = group.n_arrivals
            arrivals = "" if count is None else f"; {counted(count, 'arrival')} complete a phase"
            if count == 1:
                arrivals = "; 1 arrival completes a phase"
            roles = [] if self._is_only(number, group) else [*self._roles(group)]
            if name or arrivals or roles:
                yield " ".join([f"Uses {what}{arrivals}.", *roles])

    def _is_only(self, number: int, group: MbarrierGroup) -> bool:
        """Whether a statement is the only one known to use an object."""
        return {use.number for uses in group.roles.values() for use in uses} <= {number}

    def _roles(self, group: MbarrierGroup) -> Iterator[str]:
        roles = group.roles
        for relation, word in _ROLES:
            uses = roles.get(relation, [])
            if uses:
                lines = {self._line_of(each.number) for each in uses}
                yield f"{word}: {counted_lines(lines)}{_amount(relation, uses)}."
        tracked = [
            other
            for each in roles.get(ChainRelation.ARRIVE, ())
            for own in self._chains.groups.values()
            for other in own.closed_by(each.number)
        ]
        if tracked:
            yield f"Operations: {counted_lines(map(self._line_of, tracked))}."


def _of_rest(group: GroupChains, number: int, *, is_reading: bool) -> Iterator[str]:
    """Yields how many groups may not be complete, or not have read their sources, after a wait."""
    most = group.most_after(number)
    if most:
        sources = "its source" if most == 1 else "their sources"
        state = f"still be reading {sources}" if is_reading else "still be in flight"
        yield f"At most {counted(most, 'group')} may {state} after the wait."
    elif most == 0:
        state = "Every group has read its source" if is_reading else "No group is in flight"
        yield f"{state} after the wait."


def _on_paths(*, is_certain: bool) -> str:
    return "" if is_certain else ", on some paths"


def _groups(pending: range) -> str:
    """Returns how many groups are in flight: `2 groups are`, `1 to 3 groups are`."""
    if pending.stop == 1:
        return "no group is"
    if len(pending) == 1:
        return counted(pending.start, "group is", "groups are")
    if not pending.start:
        return f"at most {counted(pending.stop - 1, 'group is', 'groups are')}"
    return f"{pending.start} to {pending.stop - 1} groups are"


def _amount(relation: ChainRelation, uses: Sequence[MbarrierUse]) -> str:
    if relation is not ChainRelation.EXPECT:
        return ""
    amounts = [each.amount for each in uses]
    known = sorted({each for each in amounts if each is not None})
    if len(known) != 1 or None in amounts:
        return ""
    return f" ({known[0]:,} bytes{'' if len(uses) == 1 else ' each'})"
