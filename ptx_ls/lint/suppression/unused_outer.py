"""Finds comments that suppress nothing, among those with an effect outside of their function."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from ptx_ls.lint.results.result import Result
from ptx_ls.lint.rule_names import groups_of_rules
from ptx_ls.lint.suppression.forms import SuppressionForm
from ptx_ls.lint.suppression.function_comments import last_row_of_statement
from ptx_ls.lint.suppression.function_results import Judgement, is_outer, reported_mistakes, span_of
from ptx_ls.lint.suppression.spans import RowsOfRules
from ptx_ls.lint.suppression.surroundings import (
    CLOSED,
    OpenRanges,
    Surroundings,
    surroundings,
)
from ptx_ls.lint.suppression.unused import Used, ends, unused
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.lint.suppression.comments import SuppressionComment
    from ptx_ls.lint.suppression.function_comments import PlacedSuppression
    from ptx_ls.lint.suppression.function_results import Reported
    from ptx_ls.lint.suppression.mistakes import UnusedSuppression


class _PlacedInDocument(NamedTuple):
    """A comment, the number of its function, and the first line of that."""

    number: int
    first_line: int
    placed: PlacedSuppression

    @property
    def comment(self) -> SuppressionComment:
        return self.placed.comment


def outer_results(
    document: Document, found: Sequence[tuple[int, Judgement]], settings: RuleSettings
) -> Iterator[Reported]:
    """Yields what is reported about comments with an effect outside of their function.

    Args:
        document: a document of which all functions have been checked.
        found: the number and the results of each function that has any, or comments.
        settings: those of the rules.
    """
    around = surroundings(document)
    mistakes: dict[int, list[UnusedSuppression]] = {}
    for number, each in _unused(document, around, found, settings):
        mistakes.setdefault(number, []).append(each)
    for number, its in mistakes.items():
        kept, suppressed = reported_mistakes(
            its, document.leaf(number), around.around(document, number), settings
        )
        yield number, Result(kept), tuple(suppressed)


def _unused(
    document: Document,
    around: Surroundings,
    found: Iterable[tuple[int, Judgement]],
    settings: RuleSettings,
) -> Iterator[tuple[int, UnusedSuppression]]:
    """Yields the comments without effect, each with the number of its function."""
    comments = [
        _PlacedInDocument(number, document.start(number).lines, each)
        for number, its in around.comments.items()
        for each in its.outer
    ]
    starts = {number: document.start(number).lines for number, _ in found}
    used = Used(
        RowsOfRules((starts[n] + row, rule) for n, it in found for row, rule in it.covered),
        RowsOfRules((starts[n] + row, rule) for n, it in found for row, rule in it.errors),
        settings.ignored,
    )
    stops = ends([(each.first_line + each.comment.row, each.comment) for each in comments])
    ranges = CLOSED
    for each, stop in zip(comments, stops, strict=True):
        number, first_line, placed = each
        function = document.leaf(number)
        local_stop = stop - first_line if stop - first_line <= function.extent.lines else inf
        names: tuple[str, ...] | None = None
        if each.comment.form is SuppressionForm.END:
            names = _ended_nothing(each.comment, ranges)
        elif is_outer(placed, local_stop, function):
            names = used.unused_names(each.comment, *_lines(document, each, stop))
        ranges = ranges.after(each.comment)
        if names is not None:
            line = region_text(function).lines[each.comment.row]
            yield number, unused(each.comment, names, line)


def _ended_nothing(comment: SuppressionComment, ranges: OpenRanges) -> tuple[str, ...] | None:
    """Returns the rules of which a comment ends no range; None if it ends one of each."""
    if comment.fault is not None:
        return None
    if comment.listed is None:
        return () if ranges == CLOSED else None
    known = groups_of_rules()
    names = [it for it in comment.names if it in known and not ranges.include(it)]
    return tuple(names) or None


def _lines(document: Document, each: _PlacedInDocument, stop: float) -> tuple[int, float]:
    """Returns the first and the last line that a comment is about; `stop`: where its range ends."""
    number, first_line, placed = each
    form = each.comment.form
    if form is SuppressionForm.FILE:
        return 0, inf
    first, last = span_of(placed, stop - first_line)
    if not placed.is_for_next:
        return first_line + first, first_line + last
    if number + 1 == document.n_leaves:
        return 1, 0
    function, start = document.leaf(number + 1), document.start(number + 1).lines
    if form is SuppressionForm.FUNCTION:
        return start, start + function.extent.lines
    return start, start + last_row_of_statement(region_text(function), 0)
