"""Converts LSP's types to ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ptx_ls.source import Position
from ptx_ls.source.columns import from_units

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.document.document import Document
    from ptx_ls.source.columns import ColumnUnit


class TextInUnits(Protocol):
    """A document, and the unit in which its editor counts columns."""

    unit: ColumnUnit

    @property
    def document(self) -> Document:
        """The current version of the text."""
        ...


def position(opened: TextInUnits, place: types.Position) -> Position:
    """Returns a position; a place outside the text becomes the nearest position in it."""
    lines = opened.document.lines
    if place.line >= len(lines):
        return Position(len(lines) - 1, len(lines[-1]))
    return Position(place.line, from_units(lines[place.line], place.character, opened.unit))


def bounds(opened: TextInUnits, area: types.Range) -> tuple[Position, Position]:
    """Returns the start and the end of a range."""
    return position(opened, area.start), position(opened, area.end)
