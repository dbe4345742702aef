"""Lints one file, from its bytes to the text of the output; possibly in a worker process."""

from __future__ import annotations

import gc
from collections import Counter
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls import lint
from ptx_ls.cli import baseline, console, inputs, pool
from ptx_ls.cli.inputs import NotPtxError
from ptx_ls.cli.reports.report import Findings
from ptx_ls.cli.status import ExitStatus
from ptx_ls.document.document import Document
from ptx_ls.files.configuration.settings import RuleSettings, default_rules
from ptx_ls.files.languages import OtherLanguageError, other_language, other_language_of
from ptx_ls.lint.shared_caches import SharedCaches
from ptx_ls.semantics.recognition import begins_as_ptx
from ptx_ls.source import Diagnostic, Position, Range, Severity
from ptx_ls.source.encoding import (
    FOREIGN,
    DecodedText,
    EncodingError,
    decode,
    encode,
    foreign_bytes,
)
from ptx_ls.source.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ptx_ls.cli.baseline import Identity
    from ptx_ls.cli.inputs import Input
    from ptx_ls.cli.reports.choice import Selection
    from ptx_ls.cli.suppress import Suppressing
    from ptx_ls.files.configuration.discovery import Configurations
    from ptx_ls.lint.fixes.apply import Fixed

SYNTAX_RULE: Final = "syntax-error"
"""The rule that reports a byte order mark, which is not part of the text that rules see."""
_BYTES_BEFORE_COLLECTION: Final = 64_000_000
"""The number of bytes that a process lints before it collects cyclic garbage."""


class Fixes(Enum):
    """The fixes to apply."""

    NONE = auto()
    CERTAIN = auto()
    UNSAFE = auto()
    SHOWN = auto()
    """Certain and unsafe fixes are shown as a diff; the file is not changed."""


class Changes(NamedTuple):
    """What a run changes in files.

    Attributes:
        fixes: the fixes to apply.
        adds_suppressions: whether to add comments that suppress what is found.
        reason: the reason that these give; "" for none.
    """

    fixes: Fixes = Fixes.NONE
    adds_suppressions: bool = False
    reason: str = ""


NO_CHANGES: Final = Changes()


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
        n_fixed: how many diagnostics were fixed.
        n_fixable: how many of those left have a certain fix, and how many an unsafe one.
        refusal: why the file was not changed although it has such fixes; "" otherwise.
        difference: its fixes as a patch, if they are shown; "" otherwise.
        found: how many diagnostics of each identity it has, if there is a baseline.
        n_known: how many of them the baseline has.
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
    suppressed: Mapping[Severity, int] = _NONE_SUPPRESSED
    n_newly_suppressed: int = 0


class _Mending(NamedTuple):
    """The decoding and fixing of a file; `had_bom` and `is_mixed` as in `DecodedText`.

    Attributes:
        difference: the fixes as a patch, if they are shown; "" otherwise.
        n_fixed: how many diagnostics were fixed.
        refusal: why the file was not changed; "" otherwise.
        n_newly_suppressed: how many diagnostics were suppressed by comments that were added.
    """

    had_bom: bool
    is_mixed: bool
    difference: str = ""
    n_fixed: int = 0
    refusal: str = ""
    n_newly_suppressed: int = 0


def check(
    file: Input,
    selection: Selection,
    changes: Changes = NO_CHANGES,
    configurations: Configurations | None = None,
) -> FileReport:
    """Reads, decodes, parses, lints and fixes a file. Failures are part of the report."""
    try:
        rules = default_rules()
        if configurations is not None:
            rules = configurations.of(file.path).rules_of(file.path)
        report = _report(file, selection, changes, rules)
    except (OSError, EncodingError, OtherLanguageError) as error:
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


def _report(file: Input, selection: Selection, changes: Changes, rules: RuleSettings) -> FileReport:
    document, mending = _opened(file, selection, changes, rules)
    diagnostics = found = lint.lint(document, rules.ignored, checkers=_caches().checkers)
    if mending.had_bom and SYNTAX_RULE not in rules.ignored:
        diagnostics = [_byte_order_mark(), *diagnostics]
    if mending.is_mixed and SYNTAX_RULE not in rules.ignored:
        diagnostics = sorted([*diagnostics, *_foreign(document, diagnostics)], key=_start)
    if rules.severities:
        diagnostics = [_as_configured(each, rules.severities) for each in diagnostics]
    every, identities = diagnostics, _NONE_FOUND
    if file.known is not None:
        diagnostics, identities = baseline.compared(document, every, file.known)
        found, _ = baseline.compared(document, found, file.known)
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
        n_fixable=_fixable(file, document, found, selection, rules),
        refusal=str(NotPtxError(mending.refusal)) if mending.refusal else "",
        difference=mending.difference,
        found=identities,
        n_known=sum((identities & Counter(file.known or ())).values()),
        suppressed=_suppressed(document, rules),
        n_newly_suppressed=mending.n_newly_suppressed,
    )


def _suppressed(document: Document, rules: RuleSettings) -> Mapping[Severity, int]:
    """Returns how many diagnostics of each severity comments suppress in a checked document."""
    found = lint.LintSession(document, rules.ignored).suppressed()
    return dict(Counter(rules.severities.get(each.rule, each.severity) for each in found))


def _is_reported(selection: Selection, rules: RuleSettings) -> Callable[[Diagnostic], bool]:
    """Returns whether a diagnostic, with the severity of its rule, would be reported."""
    return lambda one: _as_configured(one, rules.severities).severity in selection.severities


def _as_configured(diagnostic: Diagnostic, severities: Mapping[str, Severity]) -> Diagnostic:
    severity = severities.get(diagnostic.rule)
    return diagnostic if severity is None else diagnostic._replace(severity=severity)


def _opened(
    file: Input, selection: Selection, changes: Changes, rules: RuleSettings
) -> tuple[Document, _Mending]:
    """Returns the document of a file, after changing the file.

    The text of the file does not outlive the call, and its bytes not even the reading: a document
    has its own copy.
    """
    text, mending = _mended(file, selection, changes, rules)
    _caches().begin(len(text))
    document = Document.read(text, _caches().reader)
    other = other_language_of(file.path, text)
    if other and not begins_as_ptx(document.lines, document.records):
        raise OtherLanguageError(f"not PTX: {other}")
    return document, mending


def _mended(
    file: Input, selection: Selection, changes: Changes, rules: RuleSettings
) -> tuple[str, _Mending]:
    """Returns the text of a file, after changing the file."""
    content = inputs.read(file)
    decoded = decode(content)
    text = decoded.text
    mending = _Mending(decoded.had_bom, decoded.is_mixed)
    fixes = changes.fixes
    if changes.adds_suppressions:
        added = _suppressing(file, text, changes.reason, selection, rules)
        mending = mending._replace(n_newly_suppressed=added.n_suppressed, refusal=added.refusal)
        if added.text != text:
            inputs.write(file, encode(DecodedText(added.text, decoded.had_bom)), content)
        text = added.text
    elif fixes is not Fixes.NONE:
        fixed = _fixed(file, text, selection, fixes, rules)
        if fixes is Fixes.SHOWN:
            shown = _difference(file.path, text, fixed.text, selection)
            mending = mending._replace(difference=shown, refusal=fixed.refusal)
        else:
            mending = mending._replace(n_fixed=fixed.n_fixed, refusal=fixed.refusal)
            if fixed.text != text:
                inputs.write(file, encode(DecodedText(fixed.text, decoded.had_bom)), content)
            text = fixed.text
    return text, mending


def _suppressing(
    file: Input, text: str, reason: str, selection: Selection, rules: RuleSettings
) -> Suppressing:
    """Returns the text of a file with comments that suppress what would be reported."""
    from ptx_ls.cli.suppress import add_suppressions

    is_reported = _is_reported(selection, rules)

    def chosen(document: Document, found: list[Diagnostic]) -> list[Diagnostic]:
        new = found if file.known is None else baseline.compared(document, found, file.known)[0]
        return list(filter(is_reported, new))

    return add_suppressions(file.path, text, reason, chosen, rules.ignored, _caches())


def _fixed(
    file: Input, text: str, selection: Selection, fixes: Fixes, rules: RuleSettings
) -> Fixed:
    """Returns the text of a file with fixes applied; unchanged if it is in another language."""
    from ptx_ls.lint.fixes import apply

    fixed = apply.fix(
        text,
        has_unsafe=fixes is not Fixes.CERTAIN,
        is_wanted=_is_reported(selection, rules),
        ignored=rules.ignored,
        caches=_caches(),
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


def _fixable(
    file: Input,
    document: Document,
    found: list[Diagnostic],
    selection: Selection,
    rules: RuleSettings,
) -> tuple[int, int]:
    """Counts the shown diagnostics that `--fix` would fix, and those with unsafe fixes.

    They are not counted if no report is for people.
    """
    is_counted = selection.is_for_people and any(each.ready for each in found)
    if not is_counted or _is_foreign(file, document):
        return 0, 0
    from ptx_ls.lint.fixes import apply

    return apply.fixable(
        document,
        found,
        is_wanted=_is_reported(selection, rules),
        ignored=rules.ignored,
        caches=_caches(),
    )


def _is_foreign(file: Input, document: Document) -> bool:
    """Whether a file is never fixed because it is in another language."""
    from ptx_ls.semantics.recognition import begins_as_ptx

    is_ptx = begins_as_ptx(document.lines, document.records)
    return not is_ptx or other_language(file.path) != ""


def _byte_order_mark() -> Diagnostic:
    return Diagnostic(
        Range(Position(0, 0), Position(0, 0)),
        SYNTAX_RULE,
        Severity.ERROR,
        "byte order mark before the text: ptxas rejects it; save the file as UTF-8 without one",
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
    wrong = {each.range.start.line for each in diagnostics if each.severity is Severity.ERROR}
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
