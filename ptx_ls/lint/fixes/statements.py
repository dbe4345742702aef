"""Fixes that remove or add a whole statement, with its line if nothing else is on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.lint.fixes.text import blank_after, blank_before
from ptx_ls.lint.rule import Applicability, Repair, SpanEdit
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.lint.rule import RuleContext


def without_statement(
    start: FunctionPosition,
    end: FunctionPosition,
    context: RuleContext,
    what: str,
    applicability: Applicability = Applicability.CERTAIN,
) -> tuple[Repair, ...]:
    """Returns a fix that removes the statement between two places; `what`: the name of it."""
    return (Repair(f"Remove {what}", (_removal(start, end, context.lines),), applicability),)


def _removal(start: FunctionPosition, end: FunctionPosition, lines: Sequence[str]) -> SpanEdit:
    first, last = lines[start[0]], lines[end[0]]
    # A line may have many statements, so the rest of it is not copied for each.
    margin = start[1] - len(blank_before(first, start[1]))
    if margin:
        return SpanEdit(FunctionPosition((start[0], margin)), end, "")
    after = end[1] + len(blank_after(last, end[1]))
    if after < content_length(last):
        return SpanEdit(start, FunctionPosition((end[0], after)), "")
    begin = FunctionPosition((start[0], 0))
    if content_length(last) == len(last):  # the last line, which has no line end
        return SpanEdit(begin, FunctionPosition((end[0], len(last))), "")
    return SpanEdit(begin, FunctionPosition((end[0] + 1, 0)), "")


def with_statement_before(
    place: FunctionPosition, statement: str, context: RuleContext
) -> tuple[Repair, ...]:
    """Returns a fix that adds a statement before the brace at a place, which ends a body."""
    row, column = place
    line = context.lines[row]
    if len(blank_before(line, column)) < column:
        edit = SpanEdit(place, place, f"{statement} ")
    else:
        above = context.lines[row - 1] if row else ""
        indent = above[: len(above) - len(above.lstrip(" \t"))] or "    "
        line_end = line[content_length(line) :] or "\n"
        edit = SpanEdit(*on_row(row, 0, 0), f"{indent}{statement}{line_end}")
    return (Repair(f"Insert `{statement}`", (edit,), Applicability.CERTAIN),)


def with_statement_after(
    start: FunctionPosition,
    end: FunctionPosition,
    statement: str,
    context: RuleContext,
    applicability: Applicability = Applicability.GUESS,
) -> tuple[Repair, ...]:
    """Returns a fix that adds a statement after the one between two places."""
    line = context.lines[end[0]]
    if line[end[1] :].strip() or context.lines[start[0]][: start[1]].strip():
        edit = SpanEdit(end, end, f" {statement}")
    else:
        first = context.lines[start[0]]
        indent = blank_before(first, start[1])
        edit = SpanEdit(end, end, f"{line[content_length(line) :] or chr(10)}{indent}{statement}")
    return (Repair(f"Insert `{statement}`", (edit,), applicability),)


def with_statements_ahead(
    place: FunctionPosition,
    statements: Sequence[str],
    context: RuleContext,
    applicability: Applicability = Applicability.UNSAFE,
) -> tuple[Repair, ...]:
    """Returns a fix that adds statements before the one that begins at a place."""
    line = context.lines[place[0]]
    indent = blank_before(line, place[1])
    line_end = line[content_length(line) :] or "\n"
    between = f"{line_end}{indent}" if len(indent) == place[1] else " "
    text = "".join(f"{each}{between}" for each in statements)
    title = f"Insert `{' '.join(statements)}`"
    return (Repair(title, (SpanEdit(place, place, text),), applicability),)
