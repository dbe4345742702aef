"""Find references: all places that refer to the same symbol as the name at the cursor.

`references` finds them at once. A server that must not wait calls `search`, searches the text in
another thread (`semantics/symbols/references/name_search.py`), and confirms the places one by one
(`semantics/symbols/references/occurrences.py`); `shown` then selects those that the user wants to
see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.cursor import declared_at
from ptx_ls.semantics.symbols.references.name_search import Sought
from ptx_ls.semantics.symbols.references.occurrences import occurrences, sought

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position, Range


def search(analysis: Analysis, position: Position) -> Sought | None:
    """Returns the search for the symbol that the name at a position refers to, or None."""
    found = declared_at(analysis, position)
    return sought(analysis, found[1], found[0].text) if found is not None else None


def shown(wanted: Sought, found: Iterable[Range], *, include_declaration: bool) -> list[Range]:
    """Returns the places in order; a register of a range has the declaration of the range."""
    own = wanted.declared.range
    places = set(found) - {own}
    if include_declaration:
        places.add(own)
    return sorted(places)


def references(analysis: Analysis, position: Position, *, include_declaration: bool) -> list[Range]:
    """Returns the places in the order of the text; of a range, only those of the register named.

    `include_declaration`: whether the declaration is among them.
    """
    wanted = search(analysis, position)
    if wanted is None:
        return []
    found = occurrences(analysis, wanted.declared, wanted.name)
    return shown(wanted, found, include_declaration=include_declaration)
