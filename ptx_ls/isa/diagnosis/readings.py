"""Says how forms take the modifiers of an instruction, and which edits make them fit.

The results depend only on the kinds of the modifiers (see `grouped_form`), which many different
instructions share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from ptx_ls.isa.diagnosis.edits import ModifierEdit
from ptx_ls.isa.diagnosis.fitting_edits import Lineup
from ptx_ls.isa.diagnosis.grouped_form import GroupedForm, grouped_form_of
from ptx_ls.isa.model import Form
from ptx_ls.source.named_tuple import NamedTuple

_MAX_READINGS: Final = 8192
"""Maximum number of cached readings of all forms together."""


class ModifierReading(NamedTuple):
    """How a form takes modifiers of some kinds.

    `filled` is the index of the modifier in each slot, if the form takes them unchanged. If
    not, `repairs` are the edits after which it does.
    """

    grouped: GroupedForm
    kinds: tuple[int, ...]
    is_complete: bool
    filled: tuple[int, ...] = ()
    repairs: tuple[ModifierEdit, ...] = ()

    def changes(self, slots: frozenset[int]) -> Iterator[ModifierEdit]:
        """Yields the edits of the given slots after which the form still takes the modifiers."""
        for group, own in enumerate(self.grouped.groups):
            if not slots.isdisjoint(own):
                for edit in Lineup(self.grouped, self.kinds).alternatives(group):
                    if edit.slot < 0 or edit.slot in slots:
                        yield edit


def read_modifiers(form: Form, modifiers: Sequence[str]) -> ModifierReading:
    """Returns how a form takes modifiers."""
    grouped = grouped_form_of(form)
    kind_of = grouped.kind_of
    return _reading(grouped, tuple([kind_of.get(modifier, -1) for modifier in modifiers]))


@lru_cache(maxsize=_MAX_READINGS)
def _reading(grouped: GroupedForm, kinds: tuple[int, ...]) -> ModifierReading:
    found = Lineup(grouped, kinds)
    filled = tuple(found.filled) if found.is_complete else ()
    return ModifierReading(grouped, kinds, found.is_complete, filled, tuple(found.repairs()))
