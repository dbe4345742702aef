"""Has the rules word the mismatches of a function."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ptx_ls.lint.causes.relations import without_effects
from ptx_ls.lint.declarations.undeclared import is_label, with_uses
from ptx_ls.lint.grouping import grouped
from ptx_ls.lint.rule import Finding, Related, Repair, Rule, RuleContext, rule_for
from ptx_ls.semantics.problems.instructions import (
    InstructionMismatch,
    Unavailable,
    Undeclared,
)
from ptx_ls.source import (
    Diagnostic,
    Fix,
    Offers,
    Position,
    Range,
    RelatedRange,
    Severity,
    Single,
    TextEdit,
)
from ptx_ls.syntax.names import shortened_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.semantics.problems.mismatch import Mismatch


def worded(
    found: list[Mismatch], seen: CheckInput, settings: RuleSettings, *, is_changed: bool
) -> tuple[list[Diagnostic], set[tuple[int, str]]]:
    """Returns a diagnostic for each mismatch that a rule reports and that follows from no other.

    Also returns the rows and rules of the mismatches that follow from others, and of the further
    uses of a mismatch. `is_changed`: whether a `.target` in the body overrides that of the header.
    """
    labels = {each.name for each in found if isinstance(each, Undeclared) and is_label(each)}
    causes = without_effects(found, seen)
    mismatches = list(grouped(causes, seen.text, seen.facts))
    n_undeclared = sum(isinstance(mismatch, Undeclared) for mismatch in mismatches)
    context = RuleContext(seen, n_undeclared, missing_labels=labels, is_target_changed=is_changed)
    is_generated = seen.is_generated
    diagnostics = [
        _diagnostic_for(mismatch, context, settings, is_generated=is_generated)
        for mismatch in mismatches
    ]
    hidden = {*_effects(found, causes), *_further_uses(mismatches)}
    return [settings.applied(each) for each in diagnostics if each is not None], hidden


def worded_alone(mismatch: Mismatch, settings: RuleSettings) -> Diagnostic | None:
    """Returns the diagnostic for a mismatch whose rule needs no context; None if it is off."""
    found = _diagnostic_for(mismatch, None, settings)
    return None if found is None else settings.applied(found)


def _effects(found: list[Mismatch], causes: list[Mismatch]) -> Iterator[tuple[int, str]]:
    """Yields the row and the rule of each mismatch that is not among `causes`."""
    if len(causes) == len(found):
        return
    kept = set(map(id, causes))
    for mismatch in found:
        rule = rule_for(mismatch) if id(mismatch) not in kept else None
        if rule is not None:
            yield mismatch.start[0], rule.name


def _further_uses(mismatches: list[Mismatch]) -> Iterator[tuple[int, str]]:
    """Yields the row and the rule of each use that one diagnostic is about, except the first."""
    for mismatch in mismatches:
        if isinstance(mismatch, InstructionMismatch | Undeclared) and mismatch.uses:
            rule = rule_for(mismatch)
            if rule is not None:
                yield from ((start[0], rule.name) for start, _ in mismatch.uses)


def _diagnostic_for(
    mismatch: Mismatch,
    context: RuleContext | None,
    settings: RuleSettings,
    *,
    is_generated: bool = False,
) -> Diagnostic | None:
    """Returns the diagnostic for a mismatch; None if no rule reports it.

    `context`: None if the rule needs none. `is_generated`: whether a compiler wrote the module.
    """
    rule = rule_for(mismatch)
    if rule is None or not settings.is_on(rule.name):
        return None
    finding = rule.check(mismatch, context)
    if finding is None:
        return None
    severity = rule.severity_of(
        finding, is_generated=is_generated and rule.name not in settings.named
    )
    singles: tuple[Single, ...] = ()
    if isinstance(mismatch, InstructionMismatch) and mismatch.uses:
        singles = tuple(_singles(mismatch, finding, rule, context))
        finding = with_uses(finding, f"{len(mismatch.uses)} more like this", mismatch.uses)
    return Diagnostic(
        _range(finding.start or mismatch.start, finding.end or mismatch.end),
        rule.name,
        _severity(severity, mismatch),
        _with_short_names(finding.message),
        tuple([_fix(repair) for repair in finding.repairs]),
        tuple([_related(each) for each in finding.related]),
        finding.tags,
        singles,
        finding.guesses and Offers(partial(_offered, finding.guesses)),
    )


def _offered(guesses: Callable[[], tuple[Repair, ...]]) -> tuple[Fix, ...]:
    return tuple(_fix(repair) for repair in guesses())


def _singles(
    first: InstructionMismatch, finding: Finding, rule: Rule, context: RuleContext | None
) -> Iterator[Single]:
    """Yields each place of a group of mismatches, with the message that it would have alone."""
    if first.alike:
        yield Single(_range(first.start, first.end), _with_short_names(finding.message))
    for other in first.alike:
        alone = rule.check(other, context)
        if alone is not None:
            yield Single(_range(other.start, other.end), _with_short_names(alone.message))


def severity_of(mismatch: Mismatch) -> Severity | None:
    """Returns how severe a mismatch is, whatever the settings are; None if no rule reports it."""
    rule = rule_for(mismatch)
    return None if rule is None else _severity(rule.severity, mismatch)


def _severity(severity: Severity, mismatch: Mismatch) -> Severity:
    """Returns the severity of a mismatch: at most a warning if ptxas accepts it."""
    if severity is not Severity.ERROR or not isinstance(
        mismatch, InstructionMismatch | Unavailable
    ):
        return severity
    return Severity.WARNING if mismatch.violation.lenient else severity


def _range(start: FunctionPosition, end: FunctionPosition) -> Range:
    return Range(Position(*start), Position(*end))


def _related(found: Related) -> RelatedRange:
    message = _with_short_names(found.message)
    return RelatedRange(_range(found.start, found.end), message, found.name)


def _with_short_names(message: str) -> str:
    """Returns a message with its long names shortened; names are between backticks."""
    parts = message.split("`")
    parts[1::2] = [each if " " in each else shortened_name(each) for each in parts[1::2]]
    return "`".join(parts)


def _fix(repair: Repair) -> Fix:
    edits = tuple([TextEdit(_range(edit.start, edit.end), edit.text) for edit in repair.edits])
    return Fix(_with_short_names(repair.title), edits, repair.applicability, repair.header)
