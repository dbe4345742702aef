"""The results of functions in a document with comments, without what these suppress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.results.stored_results import RESULT
from ptx_ls.lint.suppression.function_comments import suppressions_of
from ptx_ls.lint.suppression.function_results import Judgement, Reported, is_covered, judged
from ptx_ls.lint.suppression.surroundings import NOTHING, surroundings
from ptx_ls.lint.suppression.unused_outer import outer_results
from ptx_ls.semantics.symbols.module_facts import seems_generated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.lint.results.result import Result
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source import Diagnostic


def of_document(
    document: Document,
    known: Mapping[int, Result],
    settings: RuleSettings,
    *,
    is_complete: bool,
) -> Iterator[Reported]:
    """Yields what is reported of the functions of a document; a function may occur twice.

    Args:
        document: a document, of which some functions may have been checked.
        known: the results that are not empty, by the number of the function.
        settings: those of the rules.
        is_complete: whether all functions have been checked.
    """
    settings = _settings_in(document, settings)
    comments = surroundings(document).comments
    results = dict(known)
    for number in comments.keys() - results.keys():
        if (last := RESULT.last(document.leaf(number))) is not None:
            results[number] = last
    found = [(it, _judged(document, it, results[it], settings)) for it in sorted(results)]
    for number, judgement in found:
        yield number, judgement.result, judgement.suppressed
    if is_complete and any(each.outer for each in comments.values()):
        yield from outer_results(document, found, settings)


def of_function(
    document: Document, number: int, result: Result, settings: RuleSettings
) -> Reported:
    """Returns what is reported of a function, given its number and its result."""
    judgement = _judged(document, number, result, _settings_in(document, settings))
    return number, judgement.result, judgement.suppressed


def depends_on_others(document: Document, numbers: Sequence[int]) -> bool:
    """Whether the effect of a comment in some functions depends on other functions."""
    comments = surroundings(document).comments
    return any(comments[number].outer for number in numbers if number in comments)


def is_suppressed(document: Document, one: Diagnostic) -> bool:
    """Whether a comment suppresses a diagnostic, given with its place in the document."""
    located = document.located_at(one.range.start)
    around = surroundings(document).around(document, located.number)
    row = one.range.start.line - located.first_line
    return is_covered(located.function, around, row, one.rule)


def _settings_in(document: Document, settings: RuleSettings) -> RuleSettings:
    """Returns the settings for what is known of a document."""
    return settings.of_module(is_generated=seems_generated(document))


def _judged(document: Document, number: int, result: Result, settings: RuleSettings) -> Judgement:
    around, function = surroundings(document).around(document, number), document.leaf(number)
    if around is NOTHING and not suppressions_of(function).placed:
        return Judgement(result)
    return judged(function, result, around, settings)
