"""The engine: mismatches of regions, worded by the rules, with severities applied once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ptx_ls.lint.analyses import analyses_on
from ptx_ls.lint.analysis import AnalysisInput
from ptx_ls.lint.rule import Finding, Repair, Rule, Surroundings, rule_for
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
from ptx_ls.semantics.symbols.module import ModuleFacts
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
    from ptx_ls.document.function import Function
    from ptx_ls.isa import Context
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText


class RegionInput(NamedTuple):
    """A function to check: immutable, so it may cross threads.

    `number`: which of the document's functions it is. `is_inside`: the function before is never
    closed, so the rest of that may be in this one. `is_last`: the document ends with it.
    `commented`: the lines whose comments keep diagnostics quiet.
    """

    number: int
    text: RegionText
    facts: RegionFacts
    function: Function
    is_inside: bool = False
    is_last: bool = True
    commented: Sequence[str] = ()


def check_region(
    region: RegionInput,
    module: ModuleFacts,
    judge_of: Callable[[Context], InstructionChecker],
    ignored: frozenset[str],
    should_stop: Callable[[], bool],
) -> list[Diagnostic]:
    """Diagnostics of one region in order; lines relative to the region.

    A region has several contexts if its body names another `.target`: it is checked in each, and
    what is found counts where that context is in force.
    """
    found: list[Diagnostic] = []
    contexts = Contexts(region.facts, module.context_before(region.number))
    in_force = [*contexts]
    for context in in_force:
        is_changed = context != module.context
        seen = module._replace(context=context) if is_changed else module
        if len(in_force) == 1:
            mismatches = mismatches_of(region, seen, judge_of(context), should_stop, ignored)
        else:
            lines = contexts.lines_of(context, len(region.text.records))
            shown = region._replace(text=Excerpt(region.text, *lines))
            mismatches = mismatches_of(shown, seen, judge_of(context), should_stop, ignored)
            mismatches = [each for each in mismatches if contexts.at(each.start) == context]
        if mismatches:
            found += _worded(mismatches, region, seen, ignored, is_changed=is_changed)
    return sorted(
        unsuppressed(found, region.commented),
        key=lambda diagnostic: (diagnostic.range, diagnostic.rule),
    )


def _worded(
    found: list[Mismatch],
    region: RegionInput,
    module: ModuleFacts,
    ignored: frozenset[str],
    *,
    is_changed: bool,
) -> Iterator[Diagnostic]:
    """Mismatches that do not follow from others, as their rules put them.

    `is_changed`: they are in a stretch whose target is not the header's.
    """
    from ptx_ls.lint.causes.relation import FaultyFunction  # noqa: PLC0415  most have no mistake
    from ptx_ls.lint.causes.relations import without_effects  # noqa: PLC0415
    from ptx_ls.lint.grouping import grouped  # noqa: PLC0415

    labels = {each.name for each in found if isinstance(each, Undeclared) and is_label(each)}
    function = FaultyFunction(region.text, region.facts, module, region.is_inside)
    mismatches = list(grouped(without_effects(found, function), region.text, region.facts))
    n_undeclared = sum(isinstance(mismatch, Undeclared) for mismatch in mismatches)
    surroundings = Surroundings(
        module,
        region.facts,
        region.text,
        n_undeclared,
        missing_labels=labels,
        is_target_changed=is_changed,
    )
    for mismatch in mismatches:
        diagnostic = word(mismatch, surroundings, ignored)
        if diagnostic is not None:
            yield diagnostic


def mismatches_of(
    region: RegionInput,
    module: ModuleFacts,
    judge: InstructionChecker,
    should_stop: Callable[[], bool],
    ignored: frozenset[str] = frozenset(),
) -> list[Mismatch]:
    """All that is wrong with a region, in no order; places relative to the region.

    Checks that only rules in `ignored` need do not run, unless what they find may be a cause.
    """
    outside = tuple(check_outside(region.text, region.facts))
    seen = AnalysisInput(
        region.text,
        region.facts,
        module,
        region.number,
        region.function,
        judge,
        outside,
        is_last=region.is_last,
    )
    mismatches: list[Mismatch] = []
    for analysis in analyses_on(ignored):
        mismatches += analysis.run(seen)
    first = min((mismatch.start for mismatch in outside), default=None)
    checker = RegionChecker(region.text, region.facts, module, region.number, judge, should_stop)
    mismatches += checker.check(first)
    return [*mismatches, *check_register_needs(region.text, region.facts, judge)]


def word(
    mismatch: Mismatch, surroundings: Surroundings, ignored: frozenset[str]
) -> Diagnostic | None:
    """A mismatch as its rule puts it; None if no rule reports it."""
    rule = rule_for(mismatch)
    if rule is None or rule.name in ignored:
        return None
    finding = rule.check(mismatch, surroundings)
    if finding is None:
        return None
    singles: tuple[Single, ...] = ()
    if isinstance(mismatch, InstructionMismatch) and mismatch.uses:
        singles = tuple(_singles(mismatch, finding, rule, surroundings))
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
    first: InstructionMismatch, finding: Finding, rule: Rule, surroundings: Surroundings
) -> Iterator[Single]:
    """Each place of mismatches that are told together, as its rule puts it alone."""
    if first.alike:
        yield Single(_range(first.start, first.end), finding.message)
    for other in first.alike:
        alone = rule.check(other, surroundings)
        if alone is not None:
            yield Single(_range(other.start, other.end), alone.message)


def _severity(severity: Severity, mismatch: Mismatch) -> Severity:
    """What ptxas accepts is no error, whatever the manual says."""
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
