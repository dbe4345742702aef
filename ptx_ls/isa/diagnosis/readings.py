"""Keeps how forms take the modifiers of an instruction, and the edits that make them fit.

Two modifiers that fill the same places of a form are the same to it, so a form is asked about kinds
of modifiers: many different instructions have the same kinds in a row, and the same edits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ptx_ls.isa.diagnosis.alignment import Alignment
from ptx_ls.isa.diagnosis.edits import Edit
from ptx_ls.isa.diagnosis.lineup import Lineup
from ptx_ls.isa.model import Form

_MAX_READINGS: Final = 8192
"""Readings that are kept, of all forms."""
_MAX_ALIGNMENTS: Final = 512
"""Alignments that a form keeps: its groups meet the same modifiers again and again."""


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


@lru_cache(maxsize=1024)
def editor_of(form: Form) -> FormEditor:
    """The editor of a form, made once."""
    return FormEditor(form)


@lru_cache(maxsize=_MAX_READINGS)
def _reading(editor: FormEditor, kinds: tuple[int, ...]) -> Reading:
    found = Lineup(editor, kinds)
    filled = tuple(found.filled) if found.is_complete else ()
    return Reading(editor, kinds, found.is_complete, filled, tuple(found.repairs()))


@lru_cache(maxsize=_MAX_READINGS)
def _alternatives(editor: FormEditor, kinds: tuple[int, ...], group: int) -> tuple[Edit, ...]:
    return tuple(Lineup(editor, kinds).alternatives(group))
