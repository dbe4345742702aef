"""Single changes of modifiers after which a form has a place for all and lacks none.

Two modifiers that fill the same places of a form are the same to it, so a form is asked about kinds
of modifiers: many different instructions have the same kinds in a row, and the same edits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from ptx_ls.isa.diagnosis.alignment import Alignment
from ptx_ls.isa.model import Form

_MAX_READINGS: Final = 4096
"""Readings that are kept, of all forms."""
_MAX_ALIGNMENTS: Final = 512
"""Alignments that a form keeps: its groups meet the same modifiers again and again."""


class EditKind(Enum):
    """The kinds of changes of a modifier."""

    REPLACE = "replace"
    INSERT = "insert"
    REMOVE = "remove"


class Edit(NamedTuple):
    """A change of one modifier; which one is put there is not decided yet.

    `position` is that of the modifier in the instruction, or of the one to insert it before. `slot`
    is the place in the form that the other modifier fills (-1 when one is removed), and `filled`
    has the index of the modifier in each place (-1 for none, and in that one). `in_order`: the
    modifiers are in the manual's order then.
    """

    kind: EditKind
    position: int
    slot: int
    filled: tuple[int, ...]
    in_order: bool

    def values(self, modifiers: Sequence[str]) -> tuple[str, ...]:
        """The modifiers in all places, "" in that one."""
        return tuple([modifiers[index] if index >= 0 else "" for index in self.filled])


class FormEditor:
    """Finds the edits that make modifiers fit one form."""

    __slots__ = ("_alignments", "_groups", "_kind_of", "_kinds", "_optional", "form")

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
        kinds: dict[tuple[int, ...], int] = {}
        self._kind_of = {
            token: kinds.setdefault(slots, len(kinds)) for token, slots in row.accepts.items()
        }
        self._kinds = [
            (
                number_of[slots[0]],
                sum(1 << self._groups[number_of[slots[0]]].index(slot) for slot in slots),
            )
            for slots in kinds
        ]
        """For each kind of modifier, the group that takes it, and a bit for each of its places."""
        self._alignments: dict[tuple[int, tuple[int, ...]], Alignment] = {}

    def read(self, modifiers: Sequence[str]) -> Reading:
        """How modifiers line up with the form."""
        kind_of = self._kind_of
        return _reading(self, tuple([kind_of.get(modifier, -1) for modifier in modifiers]))

    def members(self, kinds: Sequence[int]) -> tuple[list[list[int]], list[int]]:
        """The indices of the modifiers that each group takes, and of those that none does."""
        members: list[list[int]] = [[] for _ in self._groups]
        foreign = []
        for index, kind in enumerate(kinds):
            if kind < 0:
                foreign.append(index)
            else:
                members[self._kinds[kind][0]].append(index)
        return members, foreign

    def alignment(self, group: int, kinds: tuple[int, ...]) -> Alignment:
        """How modifiers of some kinds line up with a group that takes each of them."""
        key = group, kinds
        found = self._alignments.get(key)
        if found is None:
            if len(self._alignments) >= _MAX_ALIGNMENTS:
                self._alignments.clear()
            takes = [self._kinds[kind][1] for kind in kinds]
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
    """Modifiers of some kinds as a form reads them."""

    __slots__ = (
        "_base",
        "_changes",
        "_editor",
        "_kinds",
        "_lined",
        "_members",
        "_repairs",
        "foreign",
        "wrong",
    )

    def __init__(self, editor: FormEditor, kinds: tuple[int, ...]) -> None:
        self._editor, self._kinds = editor, kinds
        self._members, self.foreign = editor.members(kinds)
        """`foreign`: indices of the modifiers that the form takes nowhere."""
        self._lined = [
            editor.alignment(group, tuple([kinds[index] for index in indices]))
            for group, indices in enumerate(self._members)
        ]
        self.wrong = [group for group, lined in enumerate(self._lined) if not lined.is_complete]
        """Groups with a modifier too many, or too few."""
        self._base: tuple[int, ...] | None = None
        self._repairs: tuple[Edit, ...] | None = None
        self._changes: tuple[tuple[frozenset[int], tuple[Edit, ...]], ...] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the form takes the modifiers as they are."""
        return not self.foreign and not self.wrong

    @property
    def filled(self) -> tuple[int, ...]:
        """The index of the modifier in each slot, -1 for none, of the groups that line up."""
        if self._base is None:
            filled = [-1] * len(self._editor.form.row.slots)
            for group, indices in enumerate(self._members):
                for slot, index in self._seats(group, indices).items():
                    filled[slot] = index
            self._base = tuple(filled)
        return self._base

    def repairs(self) -> tuple[Edit, ...]:
        """The edits that make the form take the modifiers, which it does not yet."""
        if self._repairs is None:
            self._repairs = tuple(self._find_repairs())
        return self._repairs

    def changes(self, slots: Collection[int]) -> Iterator[Edit]:
        """The edits of those slots after which the form still takes the modifiers."""
        if self._changes is None:
            self._changes = tuple(self._find_changes())
        for own, edits in self._changes:
            if not own.isdisjoint(slots):
                yield from (edit for edit in edits if edit.slot < 0 or edit.slot in slots)

    def _find_repairs(self) -> Iterator[Edit]:
        if len(self.foreign) + (len(self.wrong) > 1) > 1 or len(self.wrong) > 2:  # noqa: PLR2004
            return
        groups = range(len(self._members))
        if self.foreign:
            index = self.foreign[0]
            if not self.wrong:
                yield from self._edit(EditKind.REMOVE, index, -1, {})
            for group in self.wrong or groups:
                yield from self._moved(index, None, group)
        elif len(self.wrong) == 1:
            group = self.wrong[0]
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
            first, second = self.wrong
            yield from self._moved_from(first, second)
            yield from self._moved_from(second, first)

    def _find_changes(self) -> Iterator[tuple[frozenset[int], tuple[Edit, ...]]]:
        """The slots of each group, and all edits of these that leave the form complete."""
        for group, indices in enumerate(self._members):
            places = range(self._editor.places(group))
            own = frozenset([self._editor.slot(group, place) for place in places])
            of_group = self._editor.form.row.slots[self._editor.slot(group, 0)].group >= 0
            found: list[Edit] = []
            for member in range(len(indices)):
                found += self._replacements(group, member)
                if self._lined[group].is_complete_without(member):
                    found += self._removal(group, member)
            if of_group or not indices:
                found += self._insertions(group)
            yield own, tuple(found)

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
            yield from self._edit(
                EditKind.REPLACE, index, self._editor.slot(group, place), arranged
            )

    def _insertions(self, group: int) -> Iterator[Edit]:
        indices, seen = self._members[group], set()
        for member in range(len(indices) + 1):
            for place in self._lined[group].inserting(member):
                if place not in seen:
                    seen.add(place)
                    arranged = {group: self._arranged(group, member, member, place)}
                    index = indices[member] if member < len(indices) else len(self._kinds)
                    slot = self._editor.slot(group, place)
                    yield from self._edit(EditKind.INSERT, index, slot, arranged)

    def _replacements(self, group: int, member: int) -> Iterator[Edit]:
        for place in self._lined[group].replacing(member):
            arranged = {group: self._arranged(group, member, member + 1, place)}
            index, slot = self._members[group][member], self._editor.slot(group, place)
            yield from self._edit(EditKind.REPLACE, index, slot, arranged)

    def _removal(self, group: int, member: int) -> Iterator[Edit]:
        arranged = {group: self._without(group, member)}
        return self._edit(EditKind.REMOVE, self._members[group][member], -1, arranged)

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
        lined = self._editor.alignment(group, tuple([self._kinds[n] for n in indices]))
        places = lined.places(0, len(indices), 0, self._editor.places(group)) or ()
        return {
            self._editor.slot(group, at): index for index, at in zip(indices, places, strict=False)
        }

    def _edit(
        self, kind: EditKind, position: int, slot: int, arranged: dict[int, dict[int, int]]
    ) -> Iterator[Edit]:
        """The edit, unless ptxas refuses the order that it leaves.

        Groups are `arranged` as given, else as they line up.
        """
        filled = [*self.filled]
        for group, seats in arranged.items():
            for place in range(self._editor.places(group)):
                own = self._editor.slot(group, place)
                filled[own] = seats.get(own, -1)
        others = tuple(filled)
        if kind is EditKind.REPLACE:
            filled[slot] = position
        if self._keeps_head(filled, slot if kind is EditKind.INSERT else -1):
            order = [index for index in filled if index >= 0]
            yield Edit(kind, position, slot, others, order == sorted(order))

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


@lru_cache(maxsize=_MAX_READINGS)
def _reading(editor: FormEditor, kinds: tuple[int, ...]) -> Reading:
    return Reading(editor, kinds)
