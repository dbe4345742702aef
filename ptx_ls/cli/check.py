"""Lints one file, from its bytes to the text of the output; possibly in a worker process."""

from __future__ import annotations

import gc
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.cli import baseline, console, inputs, pool
from ptx_ls.cli.changes import NO_CHANGES, Changes, Fixes
from ptx_ls.cli.fixing import Mending, fixable, is_foreign, mended
from ptx_ls.cli.inputs import NotPtxError
from ptx_ls.cli.reports.report import Findings
from ptx_ls.cli.status import ExitStatus
from ptx_ls.cli.targets.linting import linted
from ptx_ls.cli.targets.options import assumed_header
from ptx_ls.document.document import Document
from ptx_ls.files.languages import OtherLanguageError, other_language_of
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.lint.shared_caches import SharedCaches
from ptx_ls.semantics.recognition import DUMP, begins_as_ptx
from ptx_ls.source import Diagnostic, Position, Range, Severity
from ptx_ls.source.dumps import NO_MODULES, dump_in
from ptx_ls.source.encoding import (
    FOREIGN,
    EncodingError,
    foreign_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.cli.baseline import Identity
    from ptx_ls.cli.inputs import Input
    from ptx_ls.cli.reports.choice import Selection
    from ptx_ls.cli.targets.verdicts import TargetVerdict
    from ptx_ls.files.configuration.discovery import Configurations
    from ptx_ls.lint.assumed import AssumedHeader
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source.dumps import DumpedModule

SYNTAX_RULE: Final = "syntax-error"
"""The rule that reports a byte order mark, which is not part of the text that rules see."""
_BYTES_BEFORE_COLLECTION: Final = 64_000_000
"""The number of bytes that a process lints before it collects cyclic garbage."""


class Failure(NamedTuple):
    """Why a file has no diagnostics.

    Attributes:
        status: BAD_INPUT or INTERNAL_ERROR.
        message: one line.
        details: a traceback, or nothing.
    """

    status: ExitStatus
    message: str
    details: str = ""


_NO_RULES: Final[Mapping[str, int]] = {}
_NONE_SUPPRESSED: Final[Mapping[Severity, int]] = {}
_NONE_FOUND: Final = Counter["Identity"]()


class FileReport(NamedTuple):
    """The result of one file.

    Attributes:
        path: as the output names it.
        elements: what it adds to each report of the run.
        counts: number of diagnostics of each severity, written or not.
        failure: why it could not be linted.
        rules: number of diagnostics of each rule, of the severities that are reported.
        n_fixed: how many diagnostics were fixed, or would be if the fixes are only shown.
        n_fixable: how many of those left have a certain fix, and how many an unsafe one.
        refusal: why the file was not changed although it has such fixes; "" otherwise.
        difference: its fixes as a patch, if they are shown; "" otherwise.
        found: how many diagnostics of each identity it has, if there is a baseline.
        n_known: how many of them the baseline has.
        verdicts: the result for each target that it is checked against instead of its own.
        suppressed: how many diagnostics of each severity comments suppress.
        n_newly_suppressed: how many of them were suppressed by comments that were added.
    """

    path: str
    elements: tuple[list[str], ...]
    counts: dict[Severity, int]
    failure: Failure | None = None
    rules: Mapping[str, int] = _NO_RULES
    n_fixed: int = 0
    n_fixable: tuple[int, int] = (0, 0)
    refusal: str = ""
    difference: str = ""
    found: Counter[Identity] = _NONE_FOUND
    n_known: int = 0
    verdicts: tuple[TargetVerdict, ...] = ()
    suppressed: Mapping[Severity, int] = _NONE_SUPPRESSED
    n_newly_suppressed: int = 0


def check(
    file: Input,
    selection: Selection,
    changes: Changes = NO_CHANGES,
    configurations: Configurations | None = None,
) -> FileReport:
    """Reads, decodes, parses, lints and fixes a file. Failures are part of the report."""
    try:
        rules, header = DEFAULT_RULES, None
        if configurations is not None:
            configuration = configurations.of(file.path)
            rules, header = configuration.rules_of(file.path), assumed_header(configuration)
        report = _report(file, selection, changes, rules, header)
    except (OSError, EncodingError, OtherLanguageError, MemoryError) as error:
        message = inputs.reason_of(error)
        return FileReport(file.path, (), {}, Failure(ExitStatus.BAD_INPUT, message))
    except Exception as error:  # noqa: BLE001  # one file must not prevent linting the others
        return FileReport(
            file.path, (), {}, Failure(ExitStatus.INTERNAL_ERROR, *console.bug_report(error))
        )
    _collect(file.size)
    return report


def lost(file: Input) -> FileReport:
    """Returns the report of a file whose process died."""
    failure = Failure(ExitStatus.INTERNAL_ERROR, f"not linted: {pool.LOST}")
    return FileReport(file.path, (), {}, failure)


def _report(
    file: Input,
    selection: Selection,
    changes: Changes,
    rules: RuleSettings,
    header: AssumedHeader | None,
) -> FileReport:
    document, modules, mending = _opened(file, selection, changes, rules, header)
    fixes = changes.fixes
    if fixes.is_patch:
        return FileReport(
            file.path,
            (),
            {},
            n_fixed=mending.n_fixed,
            refusal=str(NotPtxError(mending.refusal)) if mending.refusal else "",
            difference=mending.difference,
        )
    found, suppressed = linted(document, modules, header, rules, _caches())
    diagnostics = found
    if mending.had_bom and rules.is_on(SYNTAX_RULE):
        diagnostics = [rules.applied(_byte_order_mark()), *diagnostics]
    if mending.is_mixed and rules.is_on(SYNTAX_RULE):
        added = map(rules.applied, _foreign(document, diagnostics))
        diagnostics = sorted([*diagnostics, *added], key=_start)
    if header is not None:
        diagnostics = [
            each if each.targets else each._replace(targets=header.targets) for each in diagnostics
        ]
    refusal = mending.refusal
    if modules and fixes is not Fixes.NONE and any(each.ready for each in found):
        refusal = DUMP
    every, identities = diagnostics, _NONE_FOUND
    if file.known is not None:
        diagnostics, identities = baseline.compared(document, every, file.known)
        found, _ = baseline.compared(document, found, file.known)
    is_as_it_is = header is None and not modules
    counts: dict[Severity, int] = {}
    for diagnostic in diagnostics:
        counts[diagnostic.severity] = counts.get(diagnostic.severity, 0) + 1
    shown = [each for each in diagnostics if each.severity in selection.severities]
    findings = Findings(file.path, document, shown)
    return FileReport(
        file.path,
        tuple([each.report.elements(findings, each.look) for each in selection.outputs]),
        counts,
        rules=dict(Counter(each.rule for each in shown)),
        n_fixed=mending.n_fixed,
        n_fixable=(
            fixable(document, found, selection, rules, _caches(), had_bom=mending.had_bom)
            if is_as_it_is and not is_foreign(file, document)
            else (0, 0)
        ),
        refusal=str(NotPtxError(refusal)) if refusal else "",
        difference=mending.difference,
        found=identities,
        n_known=sum((identities & Counter(file.known or ())).values()),
        verdicts=_verdicts(file, diagnostics, header),
        suppressed=suppressed,
        n_newly_suppressed=mending.n_newly_suppressed,
    )


def _verdicts(
    file: Input, diagnostics: Sequence[Diagnostic], header: AssumedHeader | None
) -> tuple[TargetVerdict, ...]:
    if header is None or not header.targets:
        return ()
    from ptx_ls.cli.targets.verdicts import verdicts

    return tuple(verdicts(file.path, diagnostics, header.targets))


def _opened(
    file: Input,
    selection: Selection,
    changes: Changes,
    rules: RuleSettings,
    header: AssumedHeader | None,
) -> tuple[Document, tuple[DumpedModule, ...], Mending]:
    """Returns the document of a file, after changing the file.

    If the file is the output of `cuobjdump`, also returns its modules, and a document that has only
    their lines.

    The text of the file does not outlive the call, and its bytes not even the reading: a document
    has its own copy.
    """
    text, mending = mended(file, selection, changes, rules, header, _caches())
    _caches().begin(len(text))
    dump = dump_in(text)
    if dump is not None:
        if not dump.modules:
            raise OtherLanguageError(NO_MODULES)
        return Document.read(dump.masked, _caches().reader), dump.modules, mending
    document = Document.read(text, _caches().reader)
    other = other_language_of(file.path, text)
    if other and not begins_as_ptx(document.lines, document.records):
        raise OtherLanguageError(f"not PTX: {other}")
    return document, (), mending


def _byte_order_mark() -> Diagnostic:
    return Diagnostic(
        Range(Position(0, 0), Position(0, 0)),
        SYNTAX_RULE,
        Severity.ERROR,
        "byte order mark before the text: ptxas rejects it; `--fix` removes it",
    )


@cache
def _caches() -> SharedCaches:
    """Returns the caches of this process, which all its files share."""
    return SharedCaches()


def _foreign(document: Document, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Reports all bytes that are not UTF-8 in one diagnostic, except on lines with an error."""
    places = [
        Range(Position(number, match.start()), Position(number, match.end()))
        for number, line in enumerate(document.lines)
        for match in FOREIGN.finditer(line)
    ]
    wrong = {each.range.start.line for each in diagnostics if each.is_rejected}
    left = [place for place in places if place.start.line not in wrong]
    if not left:
        return []
    start, end = left[0]
    shown = foreign_bytes(document.lines[start.line][start.column : end.column])
    more = f" (and {len(left) - 1} more)" if len(left) > 1 else ""
    message = f"`{shown}`{more} is not UTF-8: ptxas ignores it, other tools may not"
    return [Diagnostic(left[0], SYNTAX_RULE, Severity.WARNING, message)]


def _start(diagnostic: Diagnostic) -> Position:
    return diagnostic.range.start


_n_bytes_since_collection = 0


def _collect(n_bytes: int) -> None:
    """Frees cyclic garbage now and then, if the collector is off."""
    global _n_bytes_since_collection  # noqa: PLW0603  # one per process, as the collector is
    _n_bytes_since_collection += n_bytes
    if _n_bytes_since_collection >= _BYTES_BEFORE_COLLECTION and not gc.isenabled():
        _n_bytes_since_collection = 0
        gc.collect()
