"""All refactorings that apply at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.actions import (
    comment_value,
    convert_literal,
    invert_branch,
    organize_registers,
    register_ranges,
    remove_locations,
    rename_bank,
    state_space,
)

if TYPE_CHECKING:
    from ptx_ls.features.actions.action import Action
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Range

_FAMILIES: Final = (
    convert_literal,
    comment_value,
    state_space,
    register_ranges,
    organize_registers,
    rename_bank,
    invert_branch,
    remove_locations,
)


def refactors(analysis: Analysis, selection: Range) -> list[Action]:
    """Returns the changes at a cursor or for a selection that keep the meaning of the module."""
    return [action for family in _FAMILIES for action in family.actions(analysis, selection)]
