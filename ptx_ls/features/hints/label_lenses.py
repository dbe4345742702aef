"""The branches that lead to the labels of a function, for the lenses above them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.cursor import cursor
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.english import inflected, listed
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.document.function import Function
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position

_BRANCH: Final = "bra"
_MANY: Final = 2
_MAX_LINES_SHOWN: Final = 4


def branch_rows(function: Function) -> dict[str, list[int]]:
    """Returns the rows in a function of the branches to each label, in the order of the text.

    Branches through a table are left out.
    """
    text = region_text(function)
    found: dict[str, list[int]] = {}
    for statement in text.statements_of(text.with_shapes(text.shapes_of((_BRANCH,)))):
        shape = statement.record
        if isinstance(shape, Shape) and shape.name == _BRANCH:
            for target in written_operands(shape, statement.text)[:1]:
                found.setdefault(target.text, []).append(statement.start[0])
    return found


def has_lens(rows: Sequence[int], label: int) -> bool:
    """Whether branches from `rows` make the label on the row `label` more than a place to skip to.

    A label of a loop has a branch from below, one where paths meet several.
    """
    return len(rows) >= _MANY or any(row >= label for row in rows)


def label_text(analysis: Analysis, position: Position) -> str:
    """Returns from which lines branches lead to the label at a position; "" if from none."""
    named = cursor(analysis, position)
    if named is None:
        return ""
    located = analysis.document.located_at(position)
    first = located.first_line
    rows = branch_rows(located.function).get(named.text, [])
    back = [first + row for row in rows if first + row >= position.line]
    forth = [first + row for row in rows if first + row < position.line]
    parts = [f"loop, repeated from {_lines(back)}"] if back else []
    if len(forth) >= (1 if back else _MANY):
        parts.append(f"{'entered' if back else 'reached'} from {_lines(forth)}")
    return " · ".join(parts)


def _lines(lines: Sequence[int]) -> str:
    """Returns a list of lines in words, the first of many."""
    shown = [str(line + 1) for line in lines[:_MAX_LINES_SHOWN]]
    if len(lines) > len(shown):
        shown.append(f"{len(lines) - len(shown)} more")
    return f"{inflected('line', len(lines))} {listed(shown, 'and')}"
