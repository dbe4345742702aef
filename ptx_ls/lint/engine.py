"""Finds the mismatches of a function, and has the rules word them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ptx_ls.lint.check_input import CheckInput
from ptx_ls.lint.checks import checks_on
from ptx_ls.lint.rule import Finding, Repair, Rule, RuleContext, rule_for
from ptx_ls.lint.suppression import unsuppressed
from ptx_ls.lint.undeclared import is_label, with_uses
from ptx_ls.semantics.directives.module_scope import check_outside
from ptx_ls.semantics.instructions.excerpt import Excerpt
from ptx_ls.semantics.instructions.register_needs import check_register_needs
from ptx_ls.semantics.problems.instructions import (
    InstructionMismatch,
    Unavailable,
    Undeclared,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.semantics.region_check import RegionChecker
from ptx_ls.semantics.symbols.contexts import Contexts
from ptx_ls.source import (
    Applicability,
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker


def check_function(
    seen: CheckInput,
    checker_of: Callable[[Context], InstructionChecker],
    commented: Sequence[str],
    ignored: frozenset[str],
    should_stop: Callable[[], bool],
) -> list[Diagnostic]:
    """Returns the diagnostics of a function in order; positions are relative to its start.

    A function whose body has a `.target` of its own has several contexts. It is checked in each
    context, and a mismatch is kept if the context applies at its place. `commented`: the lines
    whose comments suppress diagnostics.
    """
    found: list[Diagnostic] = []
    contexts = Contexts(seen.facts, seen.module.context_before(seen.number))
    in_force = [*contexts]
    for context in in_force:
        here, is_changed = seen, context != seen.module.context
        if is_changed:
            module = seen.module._replace(context=context)
            here = seen._replace(module=module, checker=checker_of(context))
        if len(in_force) == 1:
            mismatches = mismatches_of(here, should_stop, ignored)
        else:
            lines = contexts.lines_of(context, len(seen.text.records))
            shown = here._replace(text=Excerpt(seen.text, *lines))
            mismatches = mismatches_of(shown, should_stop, ignored)
            mismatches = [each for each in mismatches if contexts.at(each.start) == context]
        if mismatches:
            found += _worded(mismatches, here, ignored, is_changed=is_changed)
    return sorted(
        unsuppressed(found, commented),
        key=lambda diagnostic: (diagnostic.range, diagnostic.rule),
    )


def _worded(
    found: list[Mismatch], seen: CheckInput, ignored: frozenset[str], *, is_changed: bool
) -> Iterator[Diagnostic]:
    """Yields a diagnostic for each mismatch that a rule reports and that follows from no other.

    `is_changed`: whether a `.target` in the body overrides that of the header.
    """
    from ptx_ls.lint.causes.relations import without_effects  # noqa: PLC0415  rarely needed
    from ptx_ls.lint.grouping import grouped  # noqa: PLC0415

    labels = {each.name for each in found if isinstance(each, Undeclared) and is_label(each)}
    mismatches = list(grouped(without_effects(found, seen), seen.text, seen.facts))
    n_undeclared = sum(isinstance(mismatch, Undeclared) for mismatch in mismatches)
    context = RuleContext(seen, n_undeclared, missing_labels=labels, is_target_changed=is_changed)
    for mismatch in mismatches:
        diagnostic = word(mismatch, context, ignored)
        if diagnostic is not None:
            yield diagnostic


def mismatches_of(
    seen: CheckInput,
    should_stop: Callable[[], bool],
    ignored: frozenset[str] = frozenset(),
) -> list[Mismatch]:
    """Returns all mismatches in a function, in no particular order.

    Checks that only rules in `ignored` need do not run, unless their mismatches may cause others.
    """
    text, facts = seen.text, seen.facts
    seen = seen._replace(outside=tuple(check_outside(text, facts)))
    mismatches: list[Mismatch] = []
    for check in checks_on(ignored):
        mismatches += check.run(seen)
    first = min((mismatch.start for mismatch in seen.outside), default=None)
    checker = RegionChecker(text, facts, seen.module, seen.number, seen.checker, should_stop)
    mismatches += checker.check(first)
    mismatches += check_register_needs(text, facts, seen.module, seen.number, seen.checker)
    return mismatches


def word(mismatch: Mismatch, context: RuleContext, ignored: frozenset[str]) -> Diagnostic | None:
    """Returns the diagnostic for a mismatch; None if no rule reports it."""
    rule = rule_for(mismatch)
    if rule is None or rule.name in ignored:
        return None
    finding = rule.check(mismatch, context)
    if finding is None:
        return None
    singles: tuple[Single, ...] = ()
    if isinstance(mismatch, InstructionMismatch) and mismatch.uses:
        singles = tuple(_singles(mismatch, finding, rule, context))
        finding = with_uses(finding, f"{len(mismatch.uses)} more like this", mismatch.uses)
    return Diagnostic(
        _range(finding.start or mismatch.start, finding.end or mismatch.end),
        rule.name,
        _severity(finding.severity or rule.severity, mismatch),
        finding.message,
        tuple([_fix(repair) for repair in finding.repairs]),
        tuple([RelatedRange(_range(r.start, r.end), r.message, r.name) for r in finding.related]),
        finding.tags,
        singles,
        finding.guesses and Offers(partial(_offered, finding.guesses)),
    )


def _offered(guesses: Callable[[], tuple[Repair, ...]]) -> tuple[Fix, ...]:
    return tuple(_fix(repair) for repair in guesses())


def _singles(
    first: InstructionMismatch, finding: Finding, rule: Rule, context: RuleContext
) -> Iterator[Single]:
    """Yields each place of a group of mismatches, with the message that it would have alone."""
    if first.alike:
        yield Single(_range(first.start, first.end), finding.message)
    for other in first.alike:
        alone = rule.check(other, context)
        if alone is not None:
            yield Single(_range(other.start, other.end), alone.message)


def _severity(severity: Severity, mismatch: Mismatch) -> Severity:
    """Returns the severity of a mismatch: at most a warning if ptxas accepts it."""
    if severity is not Severity.ERROR or not isinstance(
        mismatch, InstructionMismatch | Unavailable
    ):
        return severity
    return Severity.WARNING if mismatch.violation.lenient else severity


def _range(start: FunctionPosition, end: FunctionPosition) -> Range:
    return Range(Position(*start), Position(*end))


def _fix(repair: Repair) -> Fix:
    edits = tuple([TextEdit(_range(edit.start, edit.end), edit.text) for edit in repair.edits])
    title = repair.title
    if repair.applicability is Applicability.GUESS:
        title = f"Perhaps {title[0].lower()}{title[1:]}"
    return Fix(title, edits, repair.applicability, repair.header)
