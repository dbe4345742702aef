"""Find references: every place that means what the name under the cursor means.

`references` does it at once. A server that must not wait asks `search` what to look for, lets
`semantics.occurrences.candidates` search the text elsewhere, and has the places confirmed bit by
bit; `shown` then gives what the user wants to see of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.cursor import declared_at
from ptx_ls.semantics.symbols.name_search import Sought
from ptx_ls.semantics.symbols.occurrences import occurrences, sought

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position, Range


def search(analysis: Analysis, position: Position) -> Sought | None:
    """What the name at a position means, to be looked for; None for what is no name."""
    found = declared_at(analysis, position)
    return sought(analysis, found[1], found[0].text) if found is not None else None


def shown(wanted: Sought, found: Iterable[Range], *, include_declaration: bool) -> list[Range]:
    """The places in the order of the text; the declaration of a range belongs to each register."""
    own = wanted.declared.range
    places = set(found) - {own}
    if include_declaration:
        places.add(own)
    return sorted(places)


def references(analysis: Analysis, position: Position, *, include_declaration: bool) -> list[Range]:
    """Ranges in the order of the text. One register of a range is looked for by itself.

    `include_declaration`: whether the declaration is among them.
    """
    wanted = search(analysis, position)
    if wanted is None:
        return []
    found = occurrences(analysis, wanted.declared, wanted.name)
    return shown(wanted, found, include_declaration=include_declaration)
