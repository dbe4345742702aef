"""The diagnostics of a document known so far, without those that comments suppress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.calls.summaries import checked_signature
from ptx_ls.lint.results.stored_results import RESULT, checked_group
from ptx_ls.lint.suppression.marks import is_marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.lint.results.result import Result
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.lint.suppression.function_results import Reported
    from ptx_ls.source import Diagnostic


def reported(document: Document, settings: RuleSettings) -> Iterator[Reported]:
    """Yields what is known of each function that has diagnostics; a function may occur twice.

    `settings`: those of the rules.
    """
    known, is_complete = _known(document, settings)
    if not is_marked(document):
        yield from ((number, result, ()) for number, result in known.items())
        return
    from ptx_ls.lint.suppression import document_results  # noqa: PLC0415  few files have comments

    yield from document_results.of_document(document, known, settings, is_complete=is_complete)


def reported_of(
    document: Document, numbers: Sequence[int], settings: RuleSettings
) -> Iterator[Reported]:
    """Yields what is known of some functions, given by their numbers, as `reported` does.

    Only these are checked, unless the effect of a comment in them depends on others.
    """
    results = [(number, RESULT.last(document.leaf(number))) for number in numbers]
    known = [(number, result) for number, result in results if result is not None]
    if not is_marked(document):
        yield from ((number, result, ()) for number, result in known)
        return
    from ptx_ls.lint.suppression import document_results  # noqa: PLC0415  as above

    if document_results.depends_on_others(document, numbers):
        yield from (each for each in reported(document, settings) if each[0] in numbers)
        return
    for number, result in known:
        yield document_results.of_function(document, number, result, settings)


def unsuppressed(document: Document, found: list[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics of a document that no comment suppresses.

    `found`: diagnostics about one place each, with places in the document.
    """
    if not found or not is_marked(document):
        return found
    from ptx_ls.lint.suppression import document_results  # noqa: PLC0415  as above

    return [one for one in found if not document_results.is_suppressed(document, one)]


def _known(document: Document, settings: RuleSettings) -> tuple[dict[int, Result], bool]:
    """Returns the results that are not empty, and whether all functions have been checked."""
    signature, is_complete = checked_signature.known(document), True
    found: dict[int, Result] = {}
    for first, group in document.groups():
        known = checked_group(document, first, group, signature, settings)
        if known is None:
            is_complete = False
            leaves = enumerate(group.leaves(), first)
            known = [(number, it) for number, each in leaves if (it := RESULT.last(each))]
        found.update(known)
    return found, is_complete
