"""Makes the report of a file from its diagnostics."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from ptx_ls.cli.inputs import NotPtxError
from ptx_ls.cli.linting.fixing import Mending
from ptx_ls.cli.reports.report import Findings
from ptx_ls.files.languages import other_language
from ptx_ls.source import Diagnostic, Position, Range, Severity
from ptx_ls.source.encoding import FOREIGN, foreign_bytes
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.cli.cache.results import TextResults
    from ptx_ls.cli.inputs import Input
    from ptx_ls.cli.linting.baseline import Identity
    from ptx_ls.cli.linting.file_findings import FileFindings
    from ptx_ls.cli.reports.choice import Selection
    from ptx_ls.cli.reports.report import OpenFile
    from ptx_ls.cli.status import ExitStatus
    from ptx_ls.cli.targets.verdicts import TargetVerdict
    from ptx_ls.document.document import Document
    from ptx_ls.lint.assumed import AssumedHeader
    from ptx_ls.lint.rule_settings import RuleSettings

SYNTAX_RULE: Final = "syntax-error"
"""The rule that reports a byte order mark, which is not part of the text that rules see."""


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


UNCHANGED: Final = Mending(had_bom=False, is_mixed=False)
"""The decoding of a text in UTF-8 to which no fixes were applied."""


class CheckedFile(NamedTuple):
    """A file that was checked, now or by an earlier run.

    Attributes:
        found: its diagnostics.
        mending: how it was decoded and fixed.
        file: its text, which may be read only if it is needed.
        results: where results of its text are stored, if there is a cache.
        header: what it was checked against, instead of its own version and target.
        is_as_it_is: whether it is one module that was checked against its own header.
    """

    found: FileFindings
    mending: Mending
    file: OpenFile
    results: TextResults | None = None
    header: AssumedHeader | None = None
    is_as_it_is: bool = True


def patch_report(file: Input, mending: Mending) -> FileReport:
    """Returns the report of a file of which only the fixes are of interest."""
    return FileReport(
        file.path,
        (),
        {},
        n_fixed=mending.n_fixed,
        refusal=str(NotPtxError(mending.refusal)) if mending.refusal else "",
        difference=mending.difference,
    )


def reported(
    file: Input, checked: CheckedFile, selection: Selection, rules: RuleSettings
) -> FileReport:
    """Returns the report of a file that was checked."""
    found, mending = checked.found.diagnostics, checked.mending
    diagnostics = found
    if mending.had_bom and rules.is_on(SYNTAX_RULE):
        diagnostics = [rules.applied(_byte_order_mark()), *diagnostics]
    if mending.is_mixed and rules.is_on(SYNTAX_RULE):
        foreign = map(rules.applied, _foreign(checked.file.document, diagnostics))
        diagnostics = sorted([*diagnostics, *foreign], key=_start)
    header = checked.header
    if header is not None:
        diagnostics = [
            each if each.targets else each._replace(targets=header.targets) for each in diagnostics
        ]
    every, identities, n_known = diagnostics, _NONE_FOUND, 0
    if file.known is not None:
        from ptx_ls.cli.linting import baseline

        diagnostics, identities = baseline.compared(checked.file, every, file.known)
        found, _ = baseline.compared(checked.file, found, file.known)
        n_known = (identities & Counter(file.known)).total()
        identities += baseline.of_rules_off(file.known, rules)
    counts: dict[Severity, int] = {}
    for diagnostic in diagnostics:
        counts[diagnostic.severity] = counts.get(diagnostic.severity, 0) + 1
    shown = [each for each in diagnostics if each.severity in selection.severities]
    findings = Findings(file.path, checked.file, shown)
    return FileReport(
        file.path,
        tuple([each.report.elements(findings, each.look) for each in selection.outputs]),
        counts,
        rules=dict(Counter(each.rule for each in shown)),
        n_fixed=mending.n_fixed,
        n_fixable=_n_fixable(file, checked, found, selection, rules),
        refusal=str(NotPtxError(mending.refusal)) if mending.refusal else "",
        difference=mending.difference,
        found=identities,
        n_known=n_known,
        verdicts=_verdicts(file, diagnostics, header),
        suppressed=checked.found.suppressed,
        n_newly_suppressed=mending.n_newly_suppressed,
    )


def _verdicts(
    file: Input, diagnostics: Sequence[Diagnostic], header: AssumedHeader | None
) -> tuple[TargetVerdict, ...]:
    if header is None or not header.targets:
        return ()
    from ptx_ls.cli.targets.verdicts import verdicts

    return tuple(verdicts(file.path, diagnostics, header.targets))


def _n_fixable(
    file: Input,
    checked: CheckedFile,
    found: list[Diagnostic],
    selection: Selection,
    rules: RuleSettings,
) -> tuple[int, int]:
    """Counts the shown diagnostics that `--fix` would fix, and those with unsafe fixes.

    They are not counted if no report is for people.
    """
    is_wanted = selection.is_for_people and checked.is_as_it_is
    has_fixes = checked.mending.had_bom or any(each.ready for each in found)
    if not is_wanted or not has_fixes or other_language(file.path):
        return 0, 0
    results = checked.results if file.known is None else None  # a baseline leaves some out
    wanted = sorted(each.value for each in selection.severities)
    stored = None if results is None else results.n_fixable(wanted)
    if stored is not None:
        return stored
    from ptx_ls.cli.linting.fixing import fixable, is_foreign

    document, counts = checked.file.document, (0, 0)
    if not is_foreign(file, document):
        had_bom = checked.mending.had_bom
        counts = fixable(document, found, selection, rules, had_bom=had_bom)
    if results is not None:
        results.keep_fixable(wanted, counts)
    return counts


def _byte_order_mark() -> Diagnostic:
    return Diagnostic(
        Range(Position(0, 0), Position(0, 0)),
        SYNTAX_RULE,
        Severity.ERROR,
        "byte order mark before the text: ptxas rejects it; `--fix` removes it",
    )


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
    message = f"`{shown}`{more} is not UTF-8: ptxas ignores it, but other tools may reject it"
    return [Diagnostic(left[0], SYNTAX_RULE, Severity.WARNING, message)]


def _start(diagnostic: Diagnostic) -> Position:
    return diagnostic.range.start
