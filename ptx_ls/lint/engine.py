"""Finds the mismatches of a function, and has the rules word them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.braces import braces
from ptx_ls.lint.calls.through_calls import seen_through_calls
from ptx_ls.lint.check_input import CheckInput
from ptx_ls.lint.checks import checks_on, computation_checks_on, thread_rules
from ptx_ls.lint.results.result import CLEAN, Result, outermost
from ptx_ls.lint.suppression.marks import function_is_marked
from ptx_ls.semantics.directives.module_scope import check_outside
from ptx_ls.semantics.instructions.checks.register_needs import check_register_needs
from ptx_ls.semantics.instructions.excerpt import Excerpt
from ptx_ls.semantics.region_check import RegionChecker
from ptx_ls.semantics.symbols.contexts import Contexts
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.isa import Context
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.source import Diagnostic


def check_function(
    seen: CheckInput,
    checker_of: Callable[[Context], InstructionChecker],
    settings: RuleSettings,
    should_stop: Callable[[], bool],
) -> Result:
    """Returns the diagnostics of a function in order; positions are relative to its start.

    A function whose body has a `.target` of its own has several contexts. It is checked in each
    context, and a mismatch is kept if the context applies at its place.
    """
    settings = settings.of_module(is_generated=seen.is_generated)
    if not settings.has_rules:
        return CLEAN
    found: list[Diagnostic] = []
    hidden: frozenset[tuple[int, str]] = frozenset()
    contexts = Contexts(seen.facts, seen.module.context_before(seen.number))
    in_force = [*contexts]
    for context in in_force:
        here, is_changed = seen, context != seen.module.context
        if is_changed:
            module = seen.module._replace(context=context)
            here = seen._replace(module=module, checker=checker_of(context))
        if len(in_force) == 1:
            is_wanted = not thread_rules() <= settings.ignored
            through = seen_through_calls(here) if is_wanted else None
            apart = thread_rules() if through is not None else frozenset()
            mismatches = mismatches_of(here, should_stop, settings.ignored | apart)
            if through is not None and not _has_error(here, mismatches):
                found += through.diagnostics(settings, should_stop, is_changed=is_changed)
        else:
            lines = contexts.lines_of(context, len(seen.text.records))
            shown = here._replace(text=Excerpt(seen.text, *lines))
            mismatches = mismatches_of(shown, should_stop, settings.ignored)
            mismatches = [each for each in mismatches if contexts.at(each.start) == context]
        if mismatches:
            from ptx_ls.lint.wording import worded  # noqa: PLC0415  not for correct code

            reported, effects = worded(mismatches, here, settings, is_changed=is_changed)
            found += reported
            hidden |= effects
    if not found and not hidden:
        return CLEAN
    if not function_is_marked(seen.function):
        hidden = outermost(hidden)
    return Result(sorted(found, key=lambda one: (one.range, one.rule)), hidden)


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
    mismatches += checker.check(first, seen.function)
    mismatches += check_register_needs(text, facts, seen.module, seen.number, seen.checker)
    if not _has_error(seen, mismatches):
        for check in computation_checks_on(ignored):
            if should_stop():
                break
            mismatches += check.run(seen)
    return mismatches


def _has_error(seen: CheckInput, mismatches: list[Mismatch]) -> bool:
    """Whether an error may hide what a function computes.

    An error after the end of the body cannot, unless the text after it may belong to the body. One
    in the header of the module cannot either, unless the body of a function may be there.
    """
    if not mismatches or (seen.function.head is None and not seen.outside):
        return False
    from ptx_ls.lint.wording import severity_of  # noqa: PLC0415  not for correct code

    matched = braces(seen.function)
    close = None if matched.problems or seen.outside else matched.close
    return any(
        severity_of(each) is Severity.ERROR
        for each in mismatches
        if close is None or each.start[0] <= close
    )
