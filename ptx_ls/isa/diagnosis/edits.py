"""Single changes of modifiers after which a form has a place for all and lacks none.

Two modifiers that fill the same places of a form are the same to it, so a form is asked about kinds
of modifiers: many different instructions have the same kinds in a row, and the same edits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from ptx_ls.isa.diagnosis.alignment import Alignment
from ptx_ls.isa.model import Form

_MAX_READINGS: Final = 8192
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


class Reading(NamedTuple):
    """How a form takes modifiers of some kinds.

    `filled` is the index of the modifier in each slot, where the form takes them as they are. Where
    it does not, `repairs` are the edits after which it does.
    """

    editor: FormEditor
    kinds: tuple[int, ...]
    is_complete: bool
    filled: tuple[int, ...] = ()
    repairs: tuple[Edit, ...] = ()

    def changes(self, slots: frozenset[int]) -> Iterator[Edit]:
        """The edits of those slots after which the form still takes the modifiers."""
        for group, own in enumerate(self.editor.groups):
            if not slots.isdisjoint(own):
                for edit in _alternatives(self.editor, self.kinds, group):
                    if edit.slot < 0 or edit.slot in slots:
                        yield edit


class FormEditor:
    """Finds the edits that make modifiers fit one form."""

    __slots__ = ("_alignments", "_kind_of", "_optional", "_places", "form", "group_of", "groups")

    def __init__(self, form: Form) -> None:
        row = form.row
        self.form = form
        numbers: dict[int, list[int]] = {}
        for slot in range(row.n_modifier_slots):
            group = row.slots[slot].group
            numbers.setdefault(group if group >= 0 else -2 - slot, []).append(slot)
        self.groups = [tuple(slots) for slots in numbers.values()]
        """The slots of each group; a slot by itself is a group, too."""
        self._optional = [
            sum(row.slots[slot].optional << at for at, slot in enumerate(slots))
            for slots in self.groups
        ]
        number_of = {slot: n for n, slots in enumerate(self.groups) for slot in slots}
        kinds: dict[tuple[int, ...], int] = {}
        self._kind_of = {
            token: kinds.setdefault(slots, len(kinds)) for token, slots in row.accepts.items()
        }
        self.group_of = [number_of[slots[0]] for slots in kinds]
        """The group that takes each kind of modifier."""
        self._places = [
            sum(1 << self.groups[group].index(slot) for slot in slots)
            for group, slots in zip(self.group_of, kinds, strict=True)
        ]
        self._alignments: dict[tuple[int, tuple[int, ...]], Alignment] = {}

    def read(self, modifiers: Sequence[str]) -> Reading:
        """How the form takes modifiers."""
        kind_of = self._kind_of
        return _reading(self, tuple([kind_of.get(modifier, -1) for modifier in modifiers]))

    def alignment(self, group: int, kinds: tuple[int, ...]) -> Alignment:
        """How modifiers of some kinds line up with a group that takes each of them."""
        key = group, kinds
        found = self._alignments.get(key)
        if found is None:
            if len(self._alignments) >= _MAX_ALIGNMENTS:
                self._alignments.clear()
            takes = [self._places[kind] for kind in kinds]
            found = Alignment(takes, self._optional[group], len(self.groups[group]))
            self._alignments[key] = found
        return found


class _Lineup:
    """Modifiers of some kinds, as they line up with the groups of a form."""

    __slots__ = (
        "_base",
        "_editor",
        "_foreign",
        "_groups",
        "_kinds",
        "_lined",
        "_members",
        "_wrong",
    )

    def __init__(self, editor: FormEditor, kinds: tuple[int, ...]) -> None:
        self._editor, self._kinds, self._groups = editor, kinds, editor.groups
        self._members: list[list[int]] = [[] for _ in self._groups]
        self._foreign: list[int] = []
        for index, kind in enumerate(kinds):
            if kind < 0:
                self._foreign.append(index)
            else:
                self._members[editor.group_of[kind]].append(index)
        self._lined = [
            editor.alignment(group, tuple([kinds[index] for index in indices]))
            for group, indices in enumerate(self._members)
        ]
        self._wrong = [group for group, lined in enumerate(self._lined) if not lined.is_complete]
        self._base: list[int] = []

    def reading(self) -> Reading:
        """The reading, with the edits that make it complete."""
        n_wrong = len(self._wrong)
        if not self._foreign and not n_wrong:
            self._line_up()
            filled = tuple(self._base)
            return Reading(self._editor, self._kinds, is_complete=True, filled=filled)
        if len(self._foreign) + (n_wrong > 1) > 1 or n_wrong > 2:  # noqa: PLR2004  too many for one
            return Reading(self._editor, self._kinds, is_complete=False)
        self._line_up()
        repairs = tuple(self._repairs())
        return Reading(self._editor, self._kinds, is_complete=False, repairs=repairs)

    def _line_up(self) -> None:
        """Finds the index of the modifier in each slot, -1 for none, of the groups that line up."""
        self._base = [-1] * len(self._editor.form.row.slots)
        for group, indices in enumerate(self._members):
            if indices:
                for slot, index in self._seats(group, indices):
                    self._base[slot] = index

    def _repairs(self) -> Iterator[Edit]:
        """The edits that make the form take the modifiers, which it does not yet."""
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

    def alternatives(self, group: int) -> Iterator[Edit]:
        """The edits of a group that leave the form complete, as it is."""
        self._line_up()
        indices = self._members[group]
        for member in range(len(indices)):
            yield from self._replacements(group, member)
            if self._lined[group].is_complete_without(member):
                yield from self._removal(group, member)
        if self._editor.form.row.slots[self._groups[group][0]].group >= 0 or not indices:
            yield from self._insertions(group)

    def _moved_from(self, group: int, target: int) -> Iterator[Edit]:
        """Edits that put another modifier, of the group `target`, in place of one of `group`."""
        for member, index in enumerate(self._members[group]):
            if group != target and self._lined[group].is_complete_without(member):
                yield from self._moved(index, (group, member), target)

    def _moved(self, index: int, leaving: tuple[int, int] | None, group: int) -> Iterator[Edit]:
        """Edits that put a modifier of a group in place of one that leaves another group."""
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

    def _insertions(self, group: int) -> Iterator[Edit]:
        indices, seen = self._members[group], set()
        for member in range(len(indices) + 1):
            for place in self._lined[group].inserting(member):
                if place not in seen:
                    seen.add(place)
                    arranged = group, self._arranged(group, member, member, place)
                    index = indices[member] if member < len(indices) else len(self._kinds)
                    slot = self._groups[group][place]
                    yield from self._edit(EditKind.INSERT, index, slot, arranged)

    def _replacements(self, group: int, member: int) -> Iterator[Edit]:
        for place in self._lined[group].replacing(member):
            arranged = group, self._arranged(group, member, member + 1, place)
            index, slot = self._members[group][member], self._groups[group][place]
            yield from self._edit(EditKind.REPLACE, index, slot, arranged)

    def _removal(self, group: int, member: int) -> Iterator[Edit]:
        index = self._members[group][member]
        return self._edit(EditKind.REMOVE, index, -1, (group, self._without(group, member)))

    def _arranged(self, group: int, end: int, start: int, place: int) -> _Seats:
        """The members before `end` in places before one, and those from `start` on after it."""
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
        """The slot and the index of each of some modifiers that line up with a group."""
        if not indices:
            return ()
        lined = self._editor.alignment(group, tuple([self._kinds[n] for n in indices]))
        slots = self._groups[group]
        places = lined.places(0, len(indices), 0, len(slots)) or ()
        return [(slots[at], index) for at, index in zip(places, indices, strict=False)]

    def _edit(
        self, kind: EditKind, position: int, slot: int, *arranged: tuple[int, _Seats]
    ) -> Iterator[Edit]:
        """The edit, unless ptxas refuses the order that it leaves.

        Groups are `arranged` as given, else as they line up.
        """
        filled = [*self._base]
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
            yield Edit(kind, position, slot, others, in_order)

    def _keeps_head(self, filled: list[int], inserted: int) -> bool:
        """Whether the first modifiers fill the first slots, where the form asks for that."""
        n_head = self._editor.form.row.head
        if not n_head:
            return True
        head = [slot for slot in range(n_head) if slot != inserted]
        first = sorted(index for index in filled if index >= 0)
        ranks = [first.index(filled[slot]) for slot in head if filled[slot] >= 0]
        return ranks == list(range(len(ranks)))


_Seats = Sequence[tuple[int, int]]


@lru_cache(maxsize=1024)
def editor_of(form: Form) -> FormEditor:
    """The editor of a form, made once."""
    return FormEditor(form)


@lru_cache(maxsize=_MAX_READINGS)
def _reading(editor: FormEditor, kinds: tuple[int, ...]) -> Reading:
    return _Lineup(editor, kinds).reading()


@lru_cache(maxsize=_MAX_READINGS)
def _alternatives(editor: FormEditor, kinds: tuple[int, ...], group: int) -> tuple[Edit, ...]:
    return tuple(_Lineup(editor, kinds).alternatives(group))
