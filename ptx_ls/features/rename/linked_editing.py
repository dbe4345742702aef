"""Linked editing: while a user edits a local name, its other occurrences change with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.navigation.references import search
from ptx_ls.semantics.symbols.references.name_search import candidates
from ptx_ls.semantics.symbols.references.occurrences import confirmed

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position, Range

_MAX_LINES: Final = 60_000
_MAX_PLACES: Final = 500


def linked(analysis: Analysis, position: Position) -> list[Range]:
    """Returns the places of the local name at a position: a label, register, parameter or variable.

    Returns none for a register of a range, which a rename splits out, for names of the module,
    which other modules may use, and if there are too many places.
    """
    wanted = search(analysis, position)
    if wanted is None or wanted.is_module or wanted.declared.symbol.count:
        return []
    if sum(stop - first for first, stop in wanted.spans) > _MAX_LINES:
        return []
    places = candidates(analysis.document, wanted)
    if len(places) > _MAX_PLACES:
        return []
    found = confirmed(analysis, wanted, places)
    return found if any(it.start <= position <= it.end for it in found) else []
