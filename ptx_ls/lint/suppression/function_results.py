"""Leaves out the diagnostics of a function that comments suppress, and judges the comments."""

from __future__ import annotations

from bisect import bisect_right
from math import inf
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import on_row
from ptx_ls.document.facts import fact
from ptx_ls.lint.results.result import CLEAN, Result
from ptx_ls.lint.rule_names import groups_of_rules
from ptx_ls.lint.suppression.forms import CommentFault, SuppressionForm
from ptx_ls.lint.suppression.function_comments import PlacedSuppression, suppressions_of
from ptx_ls.lint.suppression.mistakes import InvalidSuppression, SuppressionWithoutReason
from ptx_ls.lint.suppression.spans import RowsOfRules, SpansOfRules
from ptx_ls.lint.suppression.surroundings import CLOSED, Around, OpenRanges
from ptx_ls.lint.suppression.unused import Used, ends, unused
from ptx_ls.lint.wording import worded_alone
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source import Diagnostic, Severity, separate
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.document.function import Function
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.semantics.problems.mismatch import Mismatch


_OF_RANGES: Final = (SuppressionForm.START, SuppressionForm.END)


class Suppressed(NamedTuple):
    """A diagnostic that is not reported: its row in the function, its rule and its severity."""

    row: int
    rule: str
    severity: Severity


Reported = tuple[int, Result, tuple[Suppressed, ...]]
"""The number of a function, reported diagnostics of it, and suppressed ones."""


class Judgement(NamedTuple):
    """The reported diagnostics of a function, and those that comments suppress.

    Attributes:
        result: the reported diagnostics.
        suppressed: the suppressed ones; one about several places counts once if all are suppressed.
        covered: the first and the last row of each rule that comments suppress, even where it would
            not be reported because it follows from something else.
        errors: the first and the last row of each rule that has an error which is reported.
    """

    result: Result
    suppressed: tuple[Suppressed, ...] = ()
    covered: frozenset[tuple[int, str]] = frozenset()
    errors: frozenset[tuple[int, str]] = frozenset()


@fact
def judged(function: Function, found: Result, around: Around, settings: RuleSettings) -> Judgement:
    """Returns the findings of a function that comments in it or around it do not suppress.

    `settings`: those of the rules.
    """
    placed = suppressions_of(function).placed
    coverage = _Coverage(function, placed, around)
    every = [(one.range.start.line, one.rule) for one in separate(found.diagnostics)]
    covered = RowsOfRules(each for each in (*every, *found.hidden) if coverage.covers(*each))
    kept, suppressed = _divided(found.diagnostics, coverage)
    errors = RowsOfRules(_errors(kept))
    mistakes = [
        *_mistakes(placed),
        *_unused(function, placed, Used(covered, errors, settings.ignored)),
    ]
    own, suppressed_own = _divided(_reported(mistakes, settings), coverage)
    if own:
        kept = sorted([*kept, *own], key=lambda one: (one.range, one.rule))
    result = Result(kept) if kept else CLEAN
    bounds = covered.bounds(), errors.bounds()
    return Judgement(result, (*suppressed, *suppressed_own), *bounds)


def _errors(diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[int, str]]:
    """Yields the row and the rule of each error."""
    for one in diagnostics:
        if one.is_rejected:
            for each in one.singles or (one,):
                yield each.range.start.line, one.rule


class _Coverage:
    """The rows of a function on which comments suppress each rule."""

    def __init__(
        self, function: Function, placed: Sequence[PlacedSuppression], around: Around
    ) -> None:
        self._spans = SpansOfRules(_spans(function, placed, around))
        self._rows, self._ranges = [0], [around.ranges]
        ranges = around.ranges
        for comment, _, _ in placed:
            if comment.form in _OF_RANGES:
                is_end = comment.form is SuppressionForm.END
                ranges = ranges.after(comment)
                self._rows.append(max(self._rows[-1], comment.row + is_end))
                self._ranges.append(ranges)
        self._has_ranges = any(each is not CLOSED and each != CLOSED for each in self._ranges)

    def covers(self, row: int, rule: str) -> bool:
        """Whether a comment suppresses a rule on a row."""
        if self._spans.cover(row, rule):
            return True
        return self._has_ranges and self._at(row).include(rule)

    def _at(self, row: int) -> OpenRanges:
        return self._ranges[bisect_right(self._rows, row) - 1]


def _spans(
    function: Function, placed: Iterable[PlacedSuppression], around: Around
) -> Iterator[tuple[int, float, str]]:
    """Yields the rows on which a function's comments, and others, suppress rules, without ranges.

    Each has the first row, the last row and a rule.
    """
    for comment, last, is_for_next in placed:
        if comment.form is SuppressionForm.LINE:
            yield from ((comment.row, last, name) for name in comment.names)
        elif comment.form is SuppressionForm.FUNCTION and not is_for_next:
            yield from ((0, inf, name) for name in comment.names)
    yield from ((0, inf, name) for name in around.whole)
    yield from ((0, last, name) for last, rules in around.first for name in rules)
    end = function.extent.lines
    yield from ((end, inf, name) for name in around.last)


def _divided(
    diagnostics: Iterable[Diagnostic], coverage: _Coverage
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """Returns the diagnostics that are reported, and those that are suppressed.

    A diagnostic with several places is split if comments suppress only some of them.
    """
    reported: list[Diagnostic] = []
    suppressed: list[Diagnostic] = []
    for one in diagnostics:
        places: tuple[list[Diagnostic], list[Diagnostic]] = [], []
        for each in separate([one]):
            places[coverage.covers(each.range.start.line, each.rule)].append(each)
        left, removed = places
        if not removed:
            reported.append(one)
            continue
        reported += left
        suppressed += removed if left else [one]
    return reported, [Suppressed(it.range.start.line, it.rule, it.severity) for it in suppressed]


def _mistakes(placed: Iterable[PlacedSuppression]) -> Iterator[Mismatch]:
    """Yields what is wrong with the text of comments."""
    for comment, _, _ in placed:
        whole = on_row(comment.row, comment.start, comment.end)
        if comment.fault is not None:
            word, start, end = comment.word
            is_wrong = comment.fault is CommentFault.FORM and word
            place = on_row(comment.row, start, end) if is_wrong else whole
            yield InvalidSuppression(word, comment.fault, *place)
            continue
        for name, start, end in comment.listed or ():
            if name not in groups_of_rules():
                yield InvalidSuppression(name, None, *on_row(comment.row, start, end))
        if not comment.reason and comment.form is not SuppressionForm.END:
            yield SuppressionWithoutReason(*whole)


def _unused(
    function: Function, placed: Sequence[PlacedSuppression], used: Used
) -> Iterator[Mismatch]:
    """Yields the comments without effect, except those whose effect is outside of the function."""
    lines = region_text(function).lines if placed else ()
    stops = ends([(it.comment.row, it.comment) for it in placed])
    for each, stop in zip(placed, stops, strict=True):
        if is_outer(each, stop, function):
            continue
        names = used.unused_names(each.comment, *span_of(each, stop))
        if names is not None:
            yield unused(each.comment, names, lines[each.comment.row])


def span_of(each: PlacedSuppression, stop: float) -> tuple[int, float]:
    """Returns the first and last row that a comment is about; `stop`: where its range ends."""
    comment = each.comment
    if comment.form is SuppressionForm.LINE:
        return comment.row, each.last
    if comment.form is SuppressionForm.START:
        return comment.row, stop
    return 0, inf


def is_outer(each: PlacedSuppression, stop: float, function: Function) -> bool:
    """Whether a comment may have an effect outside of its function."""
    comment = each.comment
    if each.is_for_next or comment.form in (SuppressionForm.FILE, SuppressionForm.END):
        return True
    if comment.form is SuppressionForm.START:
        return stop == inf
    return comment.form is SuppressionForm.LINE and comment.row in (0, function.extent.lines)


def is_covered(function: Function, around: Around, row: int, rule: str) -> bool:
    """Whether a comment suppresses a rule on a row of a function."""
    return _Coverage(function, suppressions_of(function).placed, around).covers(row, rule)


def reported_mistakes(
    mistakes: Iterable[Mismatch], function: Function, around: Around, settings: RuleSettings
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """Returns the diagnostics for mistakes in the comments of a function, as `_divided` does."""
    coverage = _Coverage(function, suppressions_of(function).placed, around)
    return _divided(_reported(mistakes, settings), coverage)


def _reported(mistakes: Iterable[Mismatch], settings: RuleSettings) -> Iterator[Diagnostic]:
    for mistake in mistakes:
        found = worded_alone(mistake, settings)
        if found is not None:
            yield found
