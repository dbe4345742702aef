"""Makes the report of a file from the cache; its text is read only if the report needs it."""

from __future__ import annotations

from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Final

from ptx_ls.cli.linting.file_report import UNCHANGED, CheckedFile, reported
from ptx_ls.cli.linting.process_caches import caches
from ptx_ls.cli.linting.read_file import sites_of
from ptx_ls.source import Offers
from ptx_ls.source.encoding import decode
from ptx_ls.source.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ptx_ls.cli.cache.functions import KnownFunctions
    from ptx_ls.cli.cache.results import LintCache, TextResults
    from ptx_ls.cli.inputs import Input
    from ptx_ls.cli.linting.file_findings import FileFindings
    from ptx_ls.cli.linting.file_report import FileReport
    from ptx_ls.cli.reports.choice import Selection
    from ptx_ls.document.document import Document
    from ptx_ls.lint.identity.sites import Site
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source import Diagnostic, Fix


MIN_CHARACTERS: Final = 250_000
"""Minimum length of a text whose functions are stored; a shorter one is checked in no time."""


def known_report(
    file: Input,
    content: bytes,
    found: FileFindings,
    results: TextResults,
    selection: Selection,
    rules: RuleSettings,
) -> FileReport:
    """Returns the report of a file whose content has diagnostics in the cache."""
    unread = _UnreadFile(file, content, rules, results)
    n_missing = len(_without_fixes(found.diagnostics))
    found = found._replace(diagnostics=_with_fixes(found.diagnostics, unread, rules))
    report = reported(file, CheckedFile(found, UNCHANGED, unread, results), selection, rules)
    if len(_without_fixes(found.diagnostics)) < n_missing:
        results.keep(found)
    return report


class _UnreadFile:
    """A file whose text is read when it is needed."""

    def __init__(
        self, file: Input, content: bytes, rules: RuleSettings, results: TextResults
    ) -> None:
        self._file, self._content = file, content
        self._rules, self._results = rules, results

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines, each with its line end."""
        return split_lines(decode(self._content).text)

    @cached_property
    def document(self) -> Document:
        """The document, without functions that the cache has."""
        text = decode(self._content).text
        return read(self._file, text, self._rules, self._results.cache)[0]

    def sites(self, lines: Iterable[int]) -> Mapping[int, Site]:
        """Returns the function and the statement on each of some lines."""
        return sites_of(self, lines, self._results)


def read(
    file: Input, text: str, rules: RuleSettings, lint_cache: LintCache | None
) -> tuple[Document, KnownFunctions | None]:
    """Returns the document of a text, and its functions in the cache if it is a large file."""
    from ptx_ls.document.document import Document

    caches().begin(len(text))
    if lint_cache is None or file.content is not None or len(text) < MIN_CHARACTERS:
        return Document.read(text, caches().reader), None
    from ptx_ls.cli.cache.functions import KnownFunctions

    functions = KnownFunctions(lint_cache, file.path, rules)
    return functions.read(text, caches().reader), functions


def _without_fixes(found: list[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics whose fixes have to be found on demand."""
    return [each for each in found if each.offers is not None and each.offers.found is None]


def _with_fixes(
    found: list[Diagnostic], file: _UnreadFile, rules: RuleSettings
) -> list[Diagnostic]:
    """Returns diagnostics with fixes on demand; the text is checked for the first of them."""

    @cache
    def fresh() -> list[Diagnostic]:
        from ptx_ls import lint

        return lint.lint(file.document, rules, checkers=caches().checkers)

    def find(number: int) -> tuple[Fix, ...]:
        offers = fresh()[number].offers
        return () if offers is None else offers.fixes()

    return [
        each._replace(offers=Offers(partial(find, number)))
        if each.offers is not None and each.offers.found is None
        else each
        for number, each in enumerate(found)
    ]
