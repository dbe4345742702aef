"""Lints one file, from its bytes to the text of the output; possibly in a worker process."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from ptx_ls.cli import console, inputs, pool
from ptx_ls.cli.cache.known import known_report, read
from ptx_ls.cli.file_report import (
    UNCHANGED,
    CheckedFile,
    Failure,
    FileReport,
    Mending,
    ReadFile,
    is_reported,
    reported,
)
from ptx_ls.cli.process_caches import caches, collect
from ptx_ls.cli.status import ExitStatus
from ptx_ls.files.configuration.settings import ALL_RULES, RuleSettings
from ptx_ls.files.languages import OtherLanguageError, other_language, other_language_of
from ptx_ls.source import Applicability
from ptx_ls.source.encoding import DecodedText, EncodingError, decode, encode
from ptx_ls.source.lines import split_lines

if TYPE_CHECKING:
    from ptx_ls.cli.cache.functions import KnownFunctions
    from ptx_ls.cli.cache.results import LintCache, TextResults
    from ptx_ls.cli.inputs import Input
    from ptx_ls.cli.reports.choice import Selection
    from ptx_ls.document.document import Document
    from ptx_ls.files.configuration.discovery import Configurations
    from ptx_ls.lint.fixes.apply import Fixed
    from ptx_ls.source import Diagnostic


class Fixes(Enum):
    """The fixes to apply."""

    NONE = auto()
    CERTAIN = auto()
    UNSAFE = auto()
    SHOWN = auto()
    """Certain and unsafe fixes are shown as a diff; the file is not changed."""


def check(
    file: Input,
    selection: Selection,
    fixes: Fixes = Fixes.NONE,
    configurations: Configurations | None = None,
    lint_cache: LintCache | None = None,
) -> FileReport:
    """Reads, decodes, parses, lints and fixes a file. Failures are part of the report."""
    try:
        report = _report(file, selection, fixes, _rules_of(file, configurations), lint_cache)
    except (OSError, EncodingError, OtherLanguageError) as error:
        message = inputs.reason_of(error)
        return FileReport(file.path, (), {}, Failure(ExitStatus.BAD_INPUT, message))
    except Exception as error:  # noqa: BLE001  # one file must not prevent linting the others
        return FileReport(
            file.path, (), {}, Failure(ExitStatus.INTERNAL_ERROR, *console.bug_report(error))
        )
    collect(file.size)
    return report


def _rules_of(file: Input, configurations: Configurations | None) -> RuleSettings:
    if configurations is None:
        return ALL_RULES
    return configurations.of(file.path).rules_of(file.path)


def lost(file: Input) -> FileReport:
    """Returns the report of a file whose process died."""
    failure = Failure(ExitStatus.INTERNAL_ERROR, f"not linted: {pool.LOST}")
    return FileReport(file.path, (), {}, failure)


def known(
    file: Input,
    selection: Selection,
    fixes: Fixes = Fixes.NONE,
    configurations: Configurations | None = None,
    lint_cache: LintCache | None = None,
) -> FileReport | None:
    """Returns what `check` would, if an earlier run has checked the same text; otherwise None."""
    if lint_cache is None:
        return None
    try:
        rules, content = _rules_of(file, configurations), inputs.read(file)
        results = lint_cache.of_text(content, rules.ignored)
        return _known(file, content, results, selection, fixes, rules)
    except Exception:  # noqa: BLE001  # `check` reports it
        return None


def _known(
    file: Input,
    content: bytes,
    results: TextResults,
    selection: Selection,
    fixes: Fixes,
    rules: RuleSettings,
) -> FileReport | None:
    """Returns the report of a file if its content has results, and no fixes to apply."""
    found = results.diagnostics()
    if found is None or (fixes is not Fixes.NONE and any(map(_may_be_fixed, found))):
        return None
    return known_report(file, content, found, results, selection, rules)


def _may_be_fixed(diagnostic: Diagnostic) -> bool:
    return any(each.applicability is not Applicability.GUESS for each in diagnostic.ready)


def _report(
    file: Input,
    selection: Selection,
    fixes: Fixes,
    rules: RuleSettings,
    lint_cache: LintCache | None,
) -> FileReport:
    opened = _opened(file, selection, fixes, rules, lint_cache)
    if isinstance(opened, FileReport):
        return opened
    from ptx_ls import lint

    found = lint.lint(opened.document, rules.ignored, checkers=caches().checkers)
    checked = CheckedFile(
        found, opened.mending, ReadFile(opened.document, opened.results), opened.results
    )
    report = reported(file, checked, selection, rules)
    # Only now, as the diagnostics have the fixes that the reports asked for.
    if opened.results is not None:
        opened.results.keep(found)
    if opened.functions is not None:
        opened.functions.keep(opened.document)
    return report


class _Opened(NamedTuple):
    """A file that is read, and where its results will be stored if there is a cache."""

    document: Document
    mending: Mending
    results: TextResults | None
    functions: KnownFunctions | None


def _opened(
    file: Input,
    selection: Selection,
    fixes: Fixes,
    rules: RuleSettings,
    lint_cache: LintCache | None,
) -> _Opened | FileReport:
    """Opens a file, after applying fixes and writing them to the file, unless its report is known.

    The text of the file does not outlive the call, and its bytes not even the reading: a document
    has its own copy.
    """
    from ptx_ls.semantics.recognition import begins_as_ptx

    mended = _mended(file, selection, fixes, rules, lint_cache)
    if isinstance(mended, FileReport):
        return mended
    text, mending, results = mended
    document, functions = read(file, text, rules, lint_cache)
    other = other_language_of(file.path, text)
    if other or results is not None:
        is_ptx = begins_as_ptx(document.lines, document.records)
        if other and not is_ptx:
            raise OtherLanguageError(f"not PTX: {other}")
        results = results if is_ptx else None  # else the name of the file decides, too
    if functions is not None:
        functions.restore(document)
    return _Opened(document, mending, results, functions)


def _mended(
    file: Input,
    selection: Selection,
    fixes: Fixes,
    rules: RuleSettings,
    lint_cache: LintCache | None,
) -> tuple[str, Mending, TextResults | None] | FileReport:
    """Returns the text of a file, after applying fixes and writing them to the file.

    If the cache has results for it, its report is returned. If the text is that of the file as it
    was found, it comes with the place of its results.
    """
    content, results = inputs.read(file), None
    if lint_cache is not None:
        results = lint_cache.of_text(content, rules.ignored)
        report = _known(file, content, results, selection, fixes, rules)
        if report is not None:
            return report
    decoded = decode(content)
    text = decoded.text
    unfixed = mending = Mending(decoded.had_bom, decoded.is_mixed)
    if fixes is not Fixes.NONE:
        fixed = _fixed(file, text, selection, fixes, rules)
        if fixes is Fixes.SHOWN:
            shown = _difference(file.path, text, fixed.text, selection)
            mending = mending._replace(difference=shown, refusal=fixed.refusal)
        else:
            mending = mending._replace(n_fixed=fixed.n_fixed, refusal=fixed.refusal)
            if fixed.text != text:
                inputs.write(file, encode(DecodedText(fixed.text, decoded.had_bom)), content)
            text = fixed.text
    return text, mending, results if mending == unfixed == UNCHANGED else None


def _fixed(
    file: Input, text: str, selection: Selection, fixes: Fixes, rules: RuleSettings
) -> Fixed:
    """Returns the text of a file with fixes applied; unchanged if it is in another language."""
    from ptx_ls.lint.fixes import apply

    fixed = apply.fix(
        text,
        has_unsafe=fixes is not Fixes.CERTAIN,
        is_wanted=is_reported(selection, rules),
        ignored=rules.ignored,
        caches=caches(),
    )
    reason = other_language(file.path)
    return apply.Fixed(text, 0, reason) if reason and fixed.n_fixed else fixed


def _difference(path: str, old: str, new: str, selection: Selection) -> str:
    """Returns the changes of fixes as a patch; "" if no report is for people."""
    if not selection.is_for_people:
        return ""
    from ptx_ls.cli.reformat import difference
    from ptx_ls.formatting.changes import LineReplacement
    from ptx_ls.lint.fixes.text_changes import line_changes

    changes = [LineReplacement(*each) for each in line_changes(old, new)]
    return "".join(difference(path, split_lines(old), changes))
