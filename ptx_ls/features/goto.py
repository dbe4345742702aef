"""Go to definition: where a name under the cursor is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.cursor import At, cursor

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position, Range


def definition(analysis: Analysis, position: Position) -> list[Range]:
    """Ranges of the declarations that the name at a position means; none for other tokens.

    A register of a range `%r<10>` leads to the range; a function to its body rather than to a
    prototype.
    """
    under = cursor(analysis, position)
    if under is None or under.at is not At.NAME:
        return []
    declared = analysis.lookup(under.text, under.range.start)
    return [declared.range] if declared is not None else []
