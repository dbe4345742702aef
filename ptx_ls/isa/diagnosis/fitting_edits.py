"""Finds the edits after which a form has a place for all modifiers, and lacks no required one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ptx_ls.isa.diagnosis.edits import EditKind, ModifierEdit

if TYPE_CHECKING:
    from ptx_ls.isa.diagnosis.grouped_form import GroupedForm

_Seats = Sequence[tuple[int, int]]
"""Slots, each with the index of the modifier in it."""


class Lineup:
    """The alignment of modifiers of some kinds with the groups of a form."""

    __slots__ = (
        "_foreign",
        "_grouped",
        "_groups",
        "_kinds",
        "_lined",
        "_members",
        "_wrong",
        "filled",
        "is_complete",
    )

    def __init__(self, grouped: GroupedForm, kinds: tuple[int, ...]) -> None:
        self._grouped, self._kinds, self._groups = grouped, kinds, grouped.groups
        self._members: list[list[int]] = [[] for _ in self._groups]
        self._foreign: list[int] = []
        for index, kind in enumerate(kinds):
            if kind < 0:
                self._foreign.append(index)
            else:
                self._members[grouped.group_of[kind]].append(index)
        self._lined = [
            grouped.alignment(group, tuple([kinds[index] for index in indices]))
            for group, indices in enumerate(self._members)
        ]
        self._wrong = [group for group, lined in enumerate(self._lined) if not lined.is_complete]
        self.is_complete = not self._foreign and not self._wrong
        """Whether the form takes the unchanged modifiers."""
        self.filled = [-1] * len(grouped.form.row.slots)
        """The index of the modifier in each slot, -1 for none, of the groups that align."""
        if not self._is_out_of_reach():
            for group, indices in enumerate(self._members):
                for slot, index in self._seats(group, indices):
                    self.filled[slot] = index

    def _is_out_of_reach(self) -> bool:
        """Whether more is wrong than a single change can fix."""
        n_wrong = len(self._wrong)
        return len(self._foreign) + (n_wrong > 1) > 1 or n_wrong > 2  # noqa: PLR2004  two groups

    def repairs(self) -> Iterator[ModifierEdit]:
        """Yields the edits that make the form take the modifiers; none if it already does."""
        if self.is_complete or self._is_out_of_reach():
            return
        groups = range(len(self._members))
        if self._foreign:
            index = self._foreign[0]
            if not self._wrong:
                yield from self._edit(EditKind.REMOVE, index, -1)
            for group in self._wrong or groups:
                yield from self._moved(index, None, group)
        elif len(self._wrong) == 1:
            group = self._wrong[0]
            yield from self._insertions(group)
            for member, index in enumerate(self._members[group]):
                yield from self._replacements(group, member)
                if self._lined[group].is_complete_without(member):
                    yield from self._removal(group, member)
                    for other in groups:
                        yield from self._moved(index, (group, member), other)
            for other in groups:
                yield from self._moved_from(other, group)
        else:
            first, second = self._wrong
            yield from self._moved_from(first, second)
            yield from self._moved_from(second, first)

    def alternatives(self, group: int) -> Iterator[ModifierEdit]:
        """Yields the edits of a group that keep the form complete; it must be complete before."""
        indices = self._members[group]
        for member in range(len(indices)):
            yield from self._replacements(group, member)
            if self._lined[group].is_complete_without(member):
                yield from self._removal(group, member)
        if self._grouped.form.row.slots[self._groups[group][0]].group >= 0 or not indices:
            yield from self._insertions(group)

    def _moved_from(self, group: int, target: int) -> Iterator[ModifierEdit]:
        """Yields edits that replace a modifier of `group` with one of `target`, another group."""
        for member, index in enumerate(self._members[group]):
            if group != target and self._lined[group].is_complete_without(member):
                yield from self._moved(index, (group, member), target)

    def _moved(
        self, index: int, leaving: tuple[int, int] | None, group: int
    ) -> Iterator[ModifierEdit]:
        """Yields edits that replace the modifier at `index` with one of `group`.

        `leaving`: the group that has the modifier, and its place there; None if no group has it.
        """
        if leaving is not None and leaving[0] == group:
            return
        before = 0
        for other in self._members[group]:
            before += other < index
        for place in self._lined[group].inserting(before):
            arranged = [(group, self._arranged(group, before, before, place))]
            if leaving is not None:
                arranged.append((leaving[0], self._without(*leaving)))
            yield from self._edit(EditKind.REPLACE, index, self._groups[group][place], *arranged)

    def _insertions(self, group: int) -> Iterator[ModifierEdit]:
        indices, seen = self._members[group], set()
        for member in range(len(indices) + 1):
            for place in self._lined[group].inserting(member):
                if place not in seen:
                    seen.add(place)
                    arranged = group, self._arranged(group, member, member, place)
                    index = indices[member] if member < len(indices) else len(self._kinds)
                    slot = self._groups[group][place]
                    yield from self._edit(EditKind.INSERT, index, slot, arranged)

    def _replacements(self, group: int, member: int) -> Iterator[ModifierEdit]:
        for place in self._lined[group].replacing(member):
            arranged = group, self._arranged(group, member, member + 1, place)
            index, slot = self._members[group][member], self._groups[group][place]
            yield from self._edit(EditKind.REPLACE, index, slot, arranged)

    def _removal(self, group: int, member: int) -> Iterator[ModifierEdit]:
        index = self._members[group][member]
        return self._edit(EditKind.REMOVE, index, -1, (group, self._without(group, member)))

    def _arranged(self, group: int, end: int, start: int, place: int) -> _Seats:
        """Puts the members before `end` in slots before `place`, those from `start` on after it."""
        indices = self._members[group]
        if not end and start == len(indices):
            return ()
        lined, slots = self._lined[group], self._groups[group]
        front = lined.places(0, end, 0, place) or ()
        back = lined.places(start, len(indices), place + 1, len(slots)) or ()
        others = [*indices[:end], *indices[start:]]
        return [(slots[at], index) for at, index in zip([*front, *back], others, strict=True)]

    def _without(self, group: int, member: int) -> _Seats:
        indices = self._members[group]
        return self._seats(group, [*indices[:member], *indices[member + 1 :]])

    def _seats(self, group: int, indices: list[int]) -> _Seats:
        """Returns the slots of the modifiers at `indices`, with the indices, if they align."""
        if not indices:
            return ()
        lined = self._grouped.alignment(group, tuple([self._kinds[n] for n in indices]))
        slots = self._groups[group]
        places = lined.places(0, len(indices), 0, len(slots)) or ()
        return [(slots[at], index) for at, index in zip(places, indices, strict=False)]

    def _edit(
        self, kind: EditKind, position: int, slot: int, *arranged: tuple[int, _Seats]
    ) -> Iterator[ModifierEdit]:
        """Yields the edit, unless ptxas rejects the resulting order.

        Groups are `arranged` as given, else as they align.
        """
        filled = [*self.filled]
        for group, seats in arranged:
            for own in self._groups[group]:
                filled[own] = -1
            for own, index in seats:
                filled[own] = index
        others = tuple(filled)
        if kind is EditKind.REPLACE:
            filled[slot] = position
        order = [index for index in filled if index >= 0]
        in_order = order == sorted(order)
        if self._keeps_head(filled, slot if kind is EditKind.INSERT else -1):
            yield ModifierEdit(kind, position, slot, others, in_order)

    def _keeps_head(self, filled: list[int], inserted: int) -> bool:
        """Whether the first modifiers fill the first slots, if the form requires that."""
        n_head = self._grouped.form.row.head
        if not n_head:
            return True
        head = [slot for slot in range(n_head) if slot != inserted]
        first = sorted(index for index in filled if index >= 0)
        ranks = [first.index(filled[slot]) for slot in head if filled[slot] >= 0]
        return ranks == list(range(len(ranks)))
