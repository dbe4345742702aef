"""Highlights: the places near the cursor that refer to the same symbol, and how they access it.

Only a bounded number of lines around the cursor is searched, as few are visible.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features.cursor import At, cursor
from ptx_ls.features.navigation.highlight_chain import chain
from ptx_ls.features.navigation.highlight_groups import group
from ptx_ls.features.navigation.references import search
from ptx_ls.semantics.instructions.accesses import access_at
from ptx_ls.semantics.instructions.memory_access import memory_access
from ptx_ls.semantics.symbols.references.name_search import candidates_in
from ptx_ls.semantics.symbols.references.occurrences import confirmed
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position, Range
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import place_of

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.references.name_search import Sought

_MAX_LINES_AWAY: Final = 2000
"""Maximum number of lines before and after the cursor to search."""
_MAX_PLACES: Final = 300
"""Maximum number of places to examine: the nearest ones."""
_MEMORY: Final = (SymbolKind.VARIABLE, SymbolKind.PARAMETER)


class HighlightKind(Enum):
    """The kind of access at a place."""

    TEXT = auto()
    READ = auto()
    WRITE = auto()


class Highlight(NamedTuple):
    """A place and its kind of access."""

    range: Range
    kind: HighlightKind


def highlights(analysis: Analysis, position: Position) -> list[Highlight]:
    """Returns the places that refer to the same symbol as the name at a position, in order.

    For an opcode that starts or awaits asynchronous work, returns those that belong together.
    """
    under = cursor(analysis, position)
    if under is None:
        return []
    if under.at in (At.OPCODE, At.MODIFIER):
        belonging = chain(analysis, position) or group(analysis, under.statement)
        return [
            Highlight(place, HighlightKind.WRITE if is_start else HighlightKind.READ)
            for place, is_start in belonging
        ]
    wanted = search(analysis, position)
    if wanted is None:
        return []
    places = confirmed(analysis, wanted, _near(analysis, wanted, position))
    own = wanted.declared.range
    if own not in places:
        places = sorted([own, *places])
    return [Highlight(place, _kind(analysis, wanted, place)) for place in places]


def _near(analysis: Analysis, wanted: Sought, position: Position) -> list[Range]:
    """Returns the places of the name around the cursor, in order."""
    found: list[Range] = []
    for first, stop in wanted.spans:
        low, high = (
            max(first, position.line - _MAX_LINES_AWAY),
            min(stop, position.line + _MAX_LINES_AWAY),
        )
        found += candidates_in(analysis.document.lines[low:high], low, wanted)
    found.sort(key=lambda place: abs(place.start.line - position.line))
    return sorted(found[:_MAX_PLACES])


def _kind(analysis: Analysis, wanted: Sought, place: Range) -> HighlightKind:
    symbol = wanted.declared.symbol
    if place == wanted.declared.range:
        return HighlightKind.WRITE if symbol.kind is SymbolKind.LABEL else HighlightKind.TEXT
    statement = statement_at(analysis.document, place.start)
    if statement is None or not statement.is_instruction:
        return HighlightKind.TEXT
    start = place_of(statement.text, statement.offset(place.start))
    if symbol.kind in _MEMORY and symbol.space != ".reg":
        used = memory_access(statement, start)
        if used is not None:
            return HighlightKind.WRITE if used.is_write else HighlightKind.READ
    known = access_at(statement.record, statement.text, start)
    if known is None:
        return HighlightKind.TEXT
    return HighlightKind.WRITE if known.access.is_write else HighlightKind.READ
