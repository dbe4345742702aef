"""Find references: every place that means what the name under the cursor means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.cursor import At, cursor

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position, Range


def references(analysis: Analysis, position: Position, *, include_declaration: bool) -> list[Range]:
    """Ranges in the order of the text. One register of a range is looked for by itself.

    `include_declaration`: whether the declaration is among them.
    """
    under = cursor(analysis, position)
    if under is None or under.at is not At.NAME:
        return []
    declared = analysis.lookup(under.text, under.range.start)
    if declared is None:
        return []
    found = list(analysis.references(declared, under.text))
    if declared.symbol.count and include_declaration and under.text != declared.symbol.name:
        found = sorted([declared.range, *found])
    if not include_declaration:
        found = [place for place in found if place != declared.range]
    return found
