"""The groups of a form's slots, and the alignment of kinds of modifiers with them.

Modifiers that fill the same slots of a form are of the same kind.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ptx_ls.isa.diagnosis.alignment import Alignment
from ptx_ls.isa.model import Form

_MAX_ALIGNMENTS: Final = 512
"""Maximum number of alignments to cache for a form; the same kinds of modifiers often recur."""


class GroupedForm:
    """A form with its slots in groups, and with the alignments computed so far."""

    __slots__ = ("_alignments", "_optional", "_places", "form", "group_of", "groups", "kind_of")

    def __init__(self, form: Form) -> None:
        row = form.row
        self.form = form
        numbers: dict[int, list[int]] = {}
        for slot in range(row.n_modifier_slots):
            group = row.slots[slot].group
            numbers.setdefault(group if group >= 0 else -2 - slot, []).append(slot)
        self.groups = [tuple(slots) for slots in numbers.values()]
        """The slots of each group; a slot without a group is one of its own."""
        self._optional = [
            sum(row.slots[slot].optional << at for at, slot in enumerate(slots))
            for slots in self.groups
        ]
        number_of = {slot: n for n, slots in enumerate(self.groups) for slot in slots}
        kinds: dict[tuple[int, ...], int] = {}
        self.kind_of = {
            token: kinds.setdefault(slots, len(kinds)) for token, slots in row.accepts.items()
        }
        """The kind of each modifier that the form takes."""
        self.group_of = [number_of[slots[0]] for slots in kinds]
        """The group that takes each kind of modifier."""
        self._places = [
            sum(1 << self.groups[group].index(slot) for slot in slots)
            for group, slots in zip(self.group_of, kinds, strict=True)
        ]
        self._alignments: dict[tuple[int, tuple[int, ...]], Alignment] = {}

    def alignment(self, group: int, kinds: tuple[int, ...]) -> Alignment:
        """Returns how modifiers of some kinds align with a group that takes each of them."""
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
def grouped_form_of(form: Form) -> GroupedForm:
    """Returns the grouped form of a form, which is made only once."""
    return GroupedForm(form)
