"""Lints one file, from its bytes to the text of the output; possibly in a worker process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.cli import console, inputs, pool
from ptx_ls.cli.cache.known import known_report, read
from ptx_ls.cli.linting.changes import NO_CHANGES, Changes, Fixes
from ptx_ls.cli.linting.file_report import (
    UNCHANGED,
    CheckedFile,
    Failure,
    FileReport,
    patch_report,
    reported,
)
from ptx_ls.cli.linting.fixing import Mending, mended
from ptx_ls.cli.linting.process_caches import caches, collect
from ptx_ls.cli.linting.read_file import ReadFile
from ptx_ls.cli.status import ExitStatus
from ptx_ls.cli.targets.options import assumed_header
from ptx_ls.files.languages import OtherLanguageError, other_language_of
from ptx_ls.source import Applicability
from ptx_ls.source.dumps import NO_MODULES, dump_in
from ptx_ls.source.encoding import EncodingError
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.cli.cache.functions import KnownFunctions
    from ptx_ls.cli.cache.results import LintCache, TextResults
    from ptx_ls.cli.inputs import Input
    from ptx_ls.cli.reports.choice import Selection
    from ptx_ls.document.document import Document
    from ptx_ls.files.configuration.discovery import Configurations
    from ptx_ls.lint.assumed import AssumedHeader
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source import Diagnostic
    from ptx_ls.source.dumps import DumpedModule


def check(
    file: Input,
    selection: Selection,
    changes: Changes = NO_CHANGES,
    configurations: Configurations | None = None,
    lint_cache: LintCache | None = None,
) -> FileReport:
    """Reads, decodes, parses, lints and fixes a file. Failures are part of the report."""
    try:
        rules, header = _settings(file, configurations)
        if header is not None or not changes.has_report_as_is:
            lint_cache = None
        report = _report(file, selection, changes, rules, header, lint_cache)
    except (OSError, EncodingError, OtherLanguageError, MemoryError) as error:
        message = inputs.reason_of(error)
        return FileReport(file.path, (), {}, Failure(ExitStatus.BAD_INPUT, message))
    except Exception as error:  # noqa: BLE001  # one file must not prevent linting the others
        return FileReport(
            file.path, (), {}, Failure(ExitStatus.INTERNAL_ERROR, *console.bug_report(error))
        )
    collect(file.size)
    return report


def _settings(
    file: Input, configurations: Configurations | None
) -> tuple[RuleSettings, AssumedHeader | None]:
    """Returns the settings of rules for a file, and what to check it against instead of its own."""
    if configurations is None:
        from ptx_ls.lint.rule_settings import DEFAULT_RULES

        return DEFAULT_RULES, None
    configuration = configurations.of(file.path)
    return configuration.rules_of(file.path), assumed_header(configuration)


def lost(file: Input) -> FileReport:
    """Returns the report of a file whose process died."""
    failure = Failure(ExitStatus.INTERNAL_ERROR, f"not linted: {pool.LOST}")
    return FileReport(file.path, (), {}, failure)


def known(
    file: Input,
    selection: Selection,
    changes: Changes = NO_CHANGES,
    configurations: Configurations | None = None,
    lint_cache: LintCache | None = None,
) -> FileReport | None:
    """Returns what `check` would, if an earlier run has checked the same text; otherwise None."""
    try:
        rules, header = _settings(file, configurations)
        if lint_cache is None or header is not None or not changes.has_report_as_is:
            return None
        content = inputs.read(file)
        results = lint_cache.of_text(content, rules)
        return _known(file, content, results, selection, changes.fixes, rules)
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
    found = results.found()
    if found is None or (fixes is not Fixes.NONE and any(map(_may_be_fixed, found.diagnostics))):
        return None
    return known_report(file, content, found, results, selection, rules)


def _may_be_fixed(diagnostic: Diagnostic) -> bool:
    return any(each.applicability is not Applicability.GUESS for each in diagnostic.ready)


def _report(
    file: Input,
    selection: Selection,
    changes: Changes,
    rules: RuleSettings,
    header: AssumedHeader | None,
    lint_cache: LintCache | None,
) -> FileReport:
    opened = _opened(file, selection, changes, rules, header, lint_cache)
    if isinstance(opened, FileReport):
        return opened
    document, modules, mending, results, functions = opened
    fixes = changes.fixes
    if fixes.is_patch:
        return patch_report(file, mending)
    from ptx_ls.cli.targets.linting import linted

    found = linted(document, modules, header, rules, caches())
    if modules and fixes is not Fixes.NONE and any(each.ready for each in found.diagnostics):
        from ptx_ls.semantics.recognition import DUMP

        mending = mending._replace(refusal=DUMP)
    is_as_it_is = header is None and not modules
    checked = CheckedFile(
        found,
        mending,
        ReadFile(document, results),
        results,
        header,
        is_as_it_is=is_as_it_is,
    )
    report = reported(file, checked, selection, rules)
    # Only now, as the diagnostics have the fixes that the reports asked for.
    if results is not None:
        results.keep(checked.found)
    if functions is not None:
        functions.keep(document)
    return report


class _Opened(NamedTuple):
    """A file that is read, and where its results will be stored if there is a cache.

    If the file is the output of `cuobjdump`, it has `modules`, and a document with only their
    lines.
    """

    document: Document
    modules: tuple[DumpedModule, ...]
    mending: Mending
    results: TextResults | None = None
    functions: KnownFunctions | None = None


def _opened(
    file: Input,
    selection: Selection,
    changes: Changes,
    rules: RuleSettings,
    header: AssumedHeader | None,
    lint_cache: LintCache | None,
) -> _Opened | FileReport:
    """Opens a file, after changing it, unless its report is known.

    The text of the file does not outlive the call, and its bytes not even the reading: a document
    has its own copy.
    """
    found = _text_of(file, selection, changes, rules, header, lint_cache)
    if isinstance(found, FileReport):
        return found
    text, mending, results = found
    dump = dump_in(text)
    if dump is not None:
        if not dump.modules:
            raise OtherLanguageError(NO_MODULES)
        return _Opened(read(file, dump.masked, rules, None)[0], dump.modules, mending)
    document, functions = read(file, text, rules, lint_cache)
    other = other_language_of(file.path, text)
    if other or results is not None:
        from ptx_ls.semantics.recognition import begins_as_ptx

        is_ptx = begins_as_ptx(document.lines, document.records)
        if other and not is_ptx:
            raise OtherLanguageError(f"not PTX: {other}")
        results = results if is_ptx else None  # else the name of the file decides, too
    if functions is not None:
        functions.restore(document)
    return _Opened(document, (), mending, results, functions)


def _text_of(
    file: Input,
    selection: Selection,
    changes: Changes,
    rules: RuleSettings,
    header: AssumedHeader | None,
    lint_cache: LintCache | None,
) -> tuple[str, Mending, TextResults | None] | FileReport:
    """Returns the text of a file, after changing it.

    If the cache has results for it, its report is returned. If the text is that of the file as it
    was found, it comes with the place of its results.
    """
    content, results = inputs.read(file), None
    if lint_cache is not None:
        results = lint_cache.of_text(content, rules)
        report = _known(file, content, results, selection, changes.fixes, rules)
        if report is not None:
            return report
    text, mending = mended(file, content, selection, changes, rules, header)
    is_as_it_was = mending._replace(difference="") == UNCHANGED
    return text, mending, results if is_as_it_was else None
