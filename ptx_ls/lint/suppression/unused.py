"""Finds comments that suppress nothing, in a function or in a whole document."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan, on_row
from ptx_ls.lint.rule_names import groups_of_rules
from ptx_ls.lint.rule_settings import OFF_BY_DEFAULT
from ptx_ls.lint.suppression.comments import EVERY, SuppressionComment
from ptx_ls.lint.suppression.forms import SuppressionForm
from ptx_ls.lint.suppression.mistakes import UnusedSuppression
from ptx_ls.lint.suppression.surroundings import OF_COMMENTS
from ptx_ls.source.lines import content_length
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.lint.suppression.spans import RowsOfRules

_SYNTAX: Final = "syntax-error"
"""A rule whose errors may hide any other finding of the function."""


class Used(NamedTuple):
    """Where comments have an effect.

    Attributes:
        suppressed: the rows of what comments suppress, or would if it did not follow from an error.
        errors: the rows of the errors that are reported.
        ignored: names of rules that are off, so that nothing is known about them.
    """

    suppressed: RowsOfRules
    errors: RowsOfRules
    ignored: frozenset[str]

    def unused_names(
        self, comment: SuppressionComment, first: int, last: float
    ) -> tuple[str, ...] | None:
        """Returns the rules in a comment that are not reported from one row to another.

        Returns none for a comment about all rules, and None if the comment is used.
        """
        if comment.fault is not None or self._is_uncertain(comment, first, last):
            return None
        if comment.listed is None:
            is_certain = self.ignored <= OFF_BY_DEFAULT
            return () if is_certain and not self.suppressed.has(EVERY, first, last) else None
        known = groups_of_rules().keys() - self.ignored - OF_COMMENTS
        names = tuple(
            name
            for name in dict.fromkeys(comment.names)
            if name in known and not self.suppressed.has(name, first, last)
        )
        return names or None

    def _is_uncertain(self, comment: SuppressionComment, first: int, last: float) -> bool:
        """Whether a reported error may hide what the comment suppresses."""
        rule = EVERY if comment.form is SuppressionForm.LINE else _SYNTAX
        return self.errors.has(rule, first, last)


def ends(comments: Sequence[tuple[int, SuppressionComment]]) -> list[float]:
    """Returns the line on which all ranges that each comment starts have ended; `inf` if none is.

    `comments`: comments in order, each with its line.
    """
    found: list[float] = []
    following: dict[str, float] = {}
    every = inf
    for line, comment in reversed(comments):
        lines = [min(every, following.get(name, inf)) for name in comment.names]
        found.append(max(lines, default=inf))
        if comment.form is SuppressionForm.END:
            following.update(dict.fromkeys(comment.names, float(line)))
            every = line if EVERY in comment.names else every
    return found[::-1]


def unused(comment: SuppressionComment, names: tuple[str, ...], line: str) -> UnusedSuppression:
    """Returns a mistake: a comment in a line of which some rules, or all for none, are unused."""
    span = on_row(comment.row, comment.start, comment.end)
    listed = comment.listed or ()
    kept = [each.name for each in listed if each.name not in names] if names else []
    if kept and comment.inside is not None:
        edit = on_row(comment.row, *comment.inside), ", ".join(kept)
    else:
        edit = _removal(comment, line)
    return UnusedSuppression(names, comment.form, edit, not kept, *span)


def _removal(comment: SuppressionComment, line: str) -> tuple[FunctionSpan, str]:
    """Returns the edit that removes a comment: its line, or it with the blanks before it."""
    row, start, end = comment.row, comment.start, comment.end
    content = line[: content_length(line)]
    before, after = content[:start].rstrip(), content[end:]
    if comment.is_alone and not before and not after.strip():
        stop = (row + 1, 0) if len(content) < len(line) else (row, len(content))
        return (FunctionPosition((row, 0)), FunctionPosition(stop)), ""
    if not before:
        return on_row(row, start, len(content) - len(after.lstrip())), ""
    is_joined = bool(after) and not after[0].isspace()
    return on_row(row, len(before), end), " " if is_joined else ""
