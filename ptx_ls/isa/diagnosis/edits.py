"""Single changes of modifiers after which a form has a place for all and lacks none."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from ptx_ls.isa.diagnosis.alignment import Alignment
from ptx_ls.isa.model import Form

_MAX_ALIGNMENTS = 512
"""Alignments that a form keeps: its groups meet the same modifiers again and again."""


class EditKind(Enum):
    """The kinds of changes of a modifier."""

    REPLACE = "replace"
    INSERT = "insert"
    REMOVE = "remove"


class Edit(NamedTuple):
    """A change of one modifier; which one is put there is not decided yet.

    `position` is that of the modifier in the instruction, or of the one to insert it before. `slot`
    is the place in the form that the other modifier fills (-1 when one is removed), and `values`
    are the modifiers in all places, "" in that one. `in_order`: the modifiers are in the manual's
    order then. `keeps_head`: the words of the instruction's name come first, which ptxas asks for.
    """

    kind: EditKind
    position: int
    slot: int
    values: list[str]
    in_order: bool
    keeps_head: bool


class FormEditor:
    """Finds the edits that make modifiers fit one form."""

    __slots__ = ("_alignments", "_group_of", "_groups", "_optional", "_positions", "form")

    def __init__(self, form: Form) -> None:
        row = form.row
        self.form = form
        numbers: dict[int, list[int]] = {}
        for slot in range(row.n_modifier_slots):
            group = row.slots[slot].group
            numbers.setdefault(group if group >= 0 else -2 - slot, []).append(slot)
        self._groups = [tuple(slots) for slots in numbers.values()]
        self._optional = [
            sum(row.slots[slot].optional << at for at, slot in enumerate(slots))
            for slots in self._groups
        ]
        number_of = {slot: n for n, slots in enumerate(self._groups) for slot in slots}
        self._group_of = {token: number_of[slots[0]] for token, slots in row.accepts.items()}
        self._positions = {
            token: sum(1 << self._groups[number_of[slot]].index(slot) for slot in slots)
            for token, slots in row.accepts.items()
        }
        self._alignments: dict[tuple[int, tuple[str, ...]], Alignment] = {}

    def read(self, modifiers: Sequence[str]) -> Reading:
        """How modifiers line up with the form."""
        members: list[list[int]] = [[] for _ in self._groups]
        foreign = []
        for index, modifier in enumerate(modifiers):
            group = self._group_of.get(modifier)
            if group is None:
                foreign.append(index)
            else:
                members[group].append(index)
        return Reading(self, tuple(modifiers), members, foreign)

    def alignment(self, group: int, modifiers: tuple[str, ...]) -> Alignment:
        """How some modifiers line up with a group that takes each of them."""
        key = group, modifiers
        found = self._alignments.get(key)
        if found is None:
            if len(self._alignments) >= _MAX_ALIGNMENTS:
                self._alignments.clear()
            takes = [self._positions[modifier] for modifier in modifiers]
            found = Alignment(takes, self._optional[group], len(self._groups[group]))
            self._alignments[key] = found
        return found

    def slot(self, group: int, place: int) -> int:
        """The slot of the form at a place of a group."""
        return self._groups[group][place]

    def places(self, group: int) -> int:
        """How many slots a group has."""
        return len(self._groups[group])


class Reading:
    """Modifiers as a form reads them."""

    __slots__ = ("_base", "_editor", "_lined", "_members", "_modifiers", "foreign", "wrong")

    def __init__(
        self,
        editor: FormEditor,
        modifiers: tuple[str, ...],
        members: list[list[int]],
        foreign: list[int],
    ) -> None:
        self._editor, self._modifiers, self._members = editor, modifiers, members
        self.foreign = foreign
        """Indices of the modifiers that the form takes nowhere."""
        self._lined = [
            editor.alignment(group, tuple([modifiers[index] for index in indices]))
            for group, indices in enumerate(members)
        ]
        self.wrong = [group for group, lined in enumerate(self._lined) if not lined.is_complete]
        """Groups with a modifier too many, or too few."""
        self._base: tuple[list[str], list[int]] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the form takes the modifiers as they are."""
        return not self.foreign and not self.wrong

    def values(self) -> list[str]:
        """The modifiers in all slots of a form that takes them."""
        return self._fill({})[0]

    def repairs(self) -> Iterator[Edit]:
        """The edits that make the form take the modifiers, which it does not yet."""
        if len(self.foreign) + (len(self.wrong) > 1) > 1 or len(self.wrong) > 2:  # noqa: PLR2004
            return
        groups = range(len(self._members))
        if self.foreign:
            index = self.foreign[0]
            if not self.wrong:
                yield Edit(EditKind.REMOVE, index, -1, *self._fill({}))
            for group in self.wrong or groups:
                yield from self._moved(index, None, group)
        elif len(self.wrong) == 1:
            group = self.wrong[0]
            yield from self._insertions(group)
            for member, index in enumerate(self._members[group]):
                yield from self._replacements(group, member)
                if self._lined[group].is_complete_without(member):
                    yield self._removal(group, member)
                    for other in groups:
                        yield from self._moved(index, (group, member), other)
            for other in groups:
                yield from self._moved_from(other, group)
        else:
            first, second = self.wrong
            yield from self._moved_from(first, second)
            yield from self._moved_from(second, first)

    def changes(self, slots: Collection[int]) -> Iterator[Edit]:
        """The edits of those slots after which the form still takes the modifiers."""
        for group, indices in enumerate(self._members):
            of_group = self._editor.form.row.slots[self._editor.slot(group, 0)].group >= 0
            own = {self._editor.slot(group, at) for at in range(self._editor.places(group))}
            if own.isdisjoint(slots):
                continue
            for member in range(len(indices)):
                for edit in self._replacements(group, member):
                    if edit.slot in slots:
                        yield edit
                if self._lined[group].is_complete_without(member):
                    yield self._removal(group, member)
            if of_group or not indices:
                for edit in self._insertions(group):
                    if edit.slot in slots:
                        yield edit

    def _moved_from(self, group: int, target: int) -> Iterator[Edit]:
        """Edits that put another modifier, of the group `target`, in place of one of `group`."""
        for member, index in enumerate(self._members[group]):
            if group != target and self._lined[group].is_complete_without(member):
                yield from self._moved(index, (group, member), target)

    def _moved(self, index: int, leaving: tuple[int, int] | None, group: int) -> Iterator[Edit]:
        """Edits that put a modifier of a group in place of one that leaves another group."""
        if leaving is not None and leaving[0] == group:
            return
        before = sum(other < index for other in self._members[group])
        for place in self._lined[group].inserting(before):
            arranged = {group: self._arranged(group, before, before, place)}
            if leaving is not None:
                arranged[leaving[0]] = self._without(*leaving)
            slot = self._editor.slot(group, place)
            yield Edit(EditKind.REPLACE, index, slot, *self._fill(arranged, replaced=(slot, index)))

    def _insertions(self, group: int) -> Iterator[Edit]:
        indices, seen = self._members[group], set()
        for member in range(len(indices) + 1):
            for place in self._lined[group].inserting(member):
                if place not in seen:
                    seen.add(place)
                    arranged = self._arranged(group, member, member, place)
                    index = indices[member] if member < len(indices) else len(self._modifiers)
                    slot = self._editor.slot(group, place)
                    yield Edit(
                        EditKind.INSERT, index, slot, *self._fill({group: arranged}, inserted=slot)
                    )

    def _replacements(self, group: int, member: int) -> Iterator[Edit]:
        for place in self._lined[group].replacing(member):
            arranged = {group: self._arranged(group, member, member + 1, place)}
            index, slot = self._members[group][member], self._editor.slot(group, place)
            yield Edit(EditKind.REPLACE, index, slot, *self._fill(arranged, replaced=(slot, index)))

    def _removal(self, group: int, member: int) -> Edit:
        filled = self._fill({group: self._without(group, member)})
        return Edit(EditKind.REMOVE, self._members[group][member], -1, *filled)

    def _arranged(self, group: int, end: int, start: int, place: int) -> dict[int, int]:
        """The members before `end` in places before one, and those from `start` on after it."""
        lined, indices = self._lined[group], self._members[group]
        front = lined.places(0, end, 0, place)
        back = lined.places(start, len(indices), place + 1, self._editor.places(group))
        seated = zip(
            [*indices[:end], *indices[start:]], [*(front or ()), *(back or ())], strict=True
        )
        return {self._editor.slot(group, at): index for index, at in seated}

    def _without(self, group: int, member: int) -> dict[int, int]:
        indices = [*self._members[group][:member], *self._members[group][member + 1 :]]
        return self._seats(group, indices)

    def _seats(self, group: int, indices: list[int]) -> dict[int, int]:
        """The slot of each of some modifiers that line up with a group."""
        lined = self._editor.alignment(group, tuple([self._modifiers[n] for n in indices]))
        places = lined.places(0, len(indices), 0, self._editor.places(group)) or ()
        return {
            self._editor.slot(group, at): index for index, at in zip(indices, places, strict=False)
        }

    def _fill(
        self,
        arranged: dict[int, dict[int, int]],
        *,
        replaced: tuple[int, int] | None = None,
        inserted: int = -1,
    ) -> tuple[list[str], bool, bool]:
        """The modifiers in all slots, whether they are in order, and whether ptxas takes the order.

        Groups are `arranged` as given, else as they line up. `replaced` is a slot, and the index of
        the modifier in whose place another one is to fill it; `inserted` a slot for one more.
        """
        base_values, base_filled = self._as_lined_up()
        values, filled = base_values[:], base_filled[:]
        for group, seats in arranged.items():
            for place in range(self._editor.places(group)):
                slot = self._editor.slot(group, place)
                index = seats.get(slot, -1)
                values[slot], filled[slot] = self._modifiers[index] if index >= 0 else "", index
        if replaced is not None:
            filled[replaced[0]] = replaced[1]
        order = [index for index in filled if index >= 0]
        return values, order == sorted(order), self._keeps_head(filled, inserted)

    def _as_lined_up(self) -> tuple[list[str], list[int]]:
        """The modifiers in all slots, and their indices, of the groups that line up."""
        if self._base is None:
            values = [""] * len(self._editor.form.row.slots)
            filled = [-1] * len(values)
            for group, indices in enumerate(self._members):
                if indices:
                    for slot, index in self._seats(group, indices).items():
                        values[slot], filled[slot] = self._modifiers[index], index
            self._base = values, filled
        return self._base

    def _keeps_head(self, filled: list[int], inserted: int) -> bool:
        """Whether the first modifiers fill the first slots, where the form asks for that."""
        if not self._editor.form.row.head:
            return True
        head = [slot for slot in range(self._editor.form.row.head) if slot != inserted]
        first = sorted(index for index in filled if index >= 0)
        ranks = [first.index(filled[slot]) for slot in head if filled[slot] >= 0]
        return ranks == list(range(len(ranks)))


@lru_cache(maxsize=1024)
def editor_of(form: Form) -> FormEditor:
    """The editor of a form, made once."""
    return FormEditor(form)
