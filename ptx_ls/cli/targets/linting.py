"""Lints a document, and what is in place of one module: other targets, or several modules."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ptx_ls import lint
from ptx_ls.cli.linting.file_findings import FileFindings
from ptx_ls.document.document import Document
from ptx_ls.source import Position, Severity, Single

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.lint.assumed import AssumedHeader
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.lint.shared_caches import SharedCaches
    from ptx_ls.source import Diagnostic
    from ptx_ls.source.dumps import DumpedModule


def linted(
    document: Document,
    modules: Sequence[DumpedModule],
    header: AssumedHeader | None,
    settings: RuleSettings,
    caches: SharedCaches,
) -> FileFindings:
    """Returns the diagnostics of a document, and how many comments suppress.

    Args:
        document: the text of a file.
        modules: its modules, if it is the output of `cuobjdump`; they are checked one by one.
        header: what to check against, instead of the file's own version and target.
        settings: the settings of the rules.
        caches: those of the reader of the document.
    """
    if not modules:
        return _of_module(document, header, settings, caches)
    diagnostics: list[Diagnostic] = []
    n_suppressed = Counter[Severity]()
    for number, module in enumerate(modules, 1):
        inner = Document.read(module.text, caches.reader)
        note = f" (in module {number}: {module.name})" if len(modules) > 1 else ""
        found, suppressed = _of_module(inner, header, settings, caches)
        diagnostics += _placed(found, module.first_line, note)
        n_suppressed.update(suppressed)
    return FileFindings(diagnostics, n_suppressed)


def _of_module(
    document: Document,
    header: AssumedHeader | None,
    settings: RuleSettings,
    caches: SharedCaches,
) -> FileFindings:
    if header is None:
        found = lint.lint(document, settings, checkers=caches.checkers)
        suppressed = lint.LintSession(document, settings).suppressed()
        return FileFindings(found, Counter([each.severity for each in suppressed]))
    from ptx_ls.lint.assumed import lint_assuming

    result = lint_assuming(document, header, settings, caches.checkers)
    return FileFindings(result.diagnostics, Counter([each.severity for each in result.suppressed]))


def _placed(found: Sequence[Diagnostic], first_line: int, note: str) -> Iterator[Diagnostic]:
    """Yields the diagnostics of a module as those of the whole text, with a note at the end."""
    from ptx_ls.lint.results.document_positions import placed

    for each in found:
        one = placed(each, Position(first_line, 0), {})
        singles = tuple([Single(it.range, f"{it.message}{note}") for it in one.singles])
        yield one._replace(message=f"{one.message}{note}", singles=singles)
