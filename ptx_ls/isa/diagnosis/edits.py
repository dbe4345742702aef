"""Single changes of the modifiers of an instruction."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ptx_ls.source.named_tuple import NamedTuple


class EditKind(Enum):
    """The kinds of changes of a modifier."""

    REPLACE = "replace"
    INSERT = "insert"
    REMOVE = "remove"


class ModifierEdit(NamedTuple):
    """A change of one modifier; the new modifier is not yet chosen.

    `position`: the index of the modifier to change, or of the one to insert before. `slot`: the
    slot of the form that the new modifier fills, -1 for a removal. `filled`: for each slot the
    index of its modifier after the edit, -1 for none and at `slot`. `in_order`: whether the
    modifiers are then in the manual's order.
    """

    kind: EditKind
    position: int
    slot: int
    filled: tuple[int, ...]
    in_order: bool

    def values(self, modifiers: Sequence[str]) -> tuple[str, ...]:
        """Returns the modifiers in all slots, "" for none and at `slot`."""
        return tuple([modifiers[index] if index >= 0 else "" for index in self.filled])
