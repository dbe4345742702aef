"""Checks how threads work together in a function and in those that it calls.

The rules see the function with bodies in place of calls, and their findings are moved to the calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.document import Document
from ptx_ls.lint.calls.expansion import ExpandedFunction, expanded
from ptx_ls.lint.calls.function_body import read_body
from ptx_ls.lint.checks import computation_checks_on, other_rules, thread_rules
from ptx_ls.lint.rule_settings import RuleSettings
from ptx_ls.semantics.calls.call_sites import call_sites
from ptx_ls.semantics.calls.thread_effects import concerns_threads
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Diagnostic, Fix, Position, Range, RelatedRange, TextEdit
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ptx_ls.document.function import Function
    from ptx_ls.lint.calls.function_body import FunctionBody
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch

_CALL: Final = ("call",)


class ThroughCalls(NamedTuple):
    """A function with bodies in place of its calls, as checks see it."""

    seen: CheckInput
    function: ExpandedFunction
    bodies: Mapping[str, FunctionBody]

    def diagnostics(
        self, settings: RuleSettings, should_stop: Callable[[], bool], *, is_changed: bool
    ) -> Iterator[Diagnostic]:
        """Yields what the rules about threads report, at places in the function itself.

        `is_changed`: as in `worded`.
        """
        mismatches = _mismatches(self.seen, settings, should_stop)
        if not mismatches:
            return
        from ptx_ls.lint.wording import worded  # noqa: PLC0415  not for correct code

        known = set[tuple[str, Range]]()
        for each in worded(mismatches, self.seen, settings, is_changed=is_changed)[0]:
            callee = self._callee_of(each)
            found = _Mover(self.function).moved(each)
            if (each.rule, found.range) in known or (callee and self._is_own(callee, each.rule)):
                continue
            known.add((each.rule, found.range))
            yield found

    def _callee_of(self, diagnostic: Diagnostic) -> str:
        """Returns the function if a diagnostic is about one call only; else ""."""
        ranges = [diagnostic.range, *(each.range for each in diagnostic.related if not each.name)]
        origins = {self.function.origins[each.start.line][::2] for each in ranges}
        return origins.pop()[1] if len(origins) == 1 else ""

    def _is_own(self, callee: str, rule: str) -> bool:
        """Whether a rule reports something in a called function that is checked by itself."""
        function = _function_in(self.bodies[callee].text)
        if function is None:
            return False
        alone = _seen(self.seen, function)
        through = seen_through_calls(alone)
        others = RuleSettings((thread_rules() | other_rules()) - {rule})
        found = _mismatches(alone if through is None else through.seen, others, _never)
        return bool(found)


def seen_through_calls(seen: CheckInput) -> ThroughCalls | None:
    """Returns a function with bodies in place of its calls; None if it calls no known function.

    In compiler output, this is only done for kernels, where all that threads do is seen:
    there, functions are often called through many others.
    """
    bodies, sharing = seen.bodies
    if not bodies or not seen.text.has_opcodes(_CALL):
        return None
    own = seen.facts.function
    if seen.is_generated and (own is None or own.kind is not SymbolKind.KERNEL):
        return None
    called = {call.name.text for _, call in call_sites(seen.text)}
    if bodies.keys().isdisjoint(called) or not is_understood(seen.function, seen.text):
        return None
    if sharing.isdisjoint(called) and not any(map(concerns_threads, seen.text.shapes)):
        return None
    placed = read_body(seen.function, seen.facts, is_called=False)
    function = expanded(placed, bodies) if placed is not None else None
    if function is None:
        return None
    return ThroughCalls(_seen(seen, function.function), function, bodies)


def _seen(seen: CheckInput, function: Function) -> CheckInput:
    """Returns the input of the checks for another function in place of one of the module."""
    text, facts = region_text(function), region_facts(function)
    return seen._replace(text=text, facts=facts, function=function)


def _function_in(text: str) -> Function | None:
    leaves = Document.read(text).leaves()
    return next((each for each in leaves if each.head is Kind.FUNCTION), None)


def _mismatches(
    seen: CheckInput, settings: RuleSettings, should_stop: Callable[[], bool]
) -> list[Mismatch]:
    """Returns what the rules about threads find in a function without errors."""
    found: list[Mismatch] = []
    for check in computation_checks_on(settings.ignored | other_rules()):
        if should_stop():
            break
        found += check.run(seen)
    return found


def _never() -> bool:
    return False


class _Mover:
    """Moves diagnostics of an expanded function to the function itself."""

    def __init__(self, function: ExpandedFunction) -> None:
        self._function = function

    def moved(self, found: Diagnostic) -> Diagnostic:
        """Returns a diagnostic at places of the function itself.

        A fix is kept if it only changes statements of the function itself.
        """
        return found._replace(
            range=self._range(found.range),
            message=self._words(found.range, found.message),
            ready=tuple([self._fix(each) for each in found.ready if self._is_outside(each)]),
            related=tuple(map(self._related, found.related)),
            offers=None,
        )

    def _words(self, place: Range, message: str) -> str:
        """Returns a message that names the called function in which a place is."""
        callee = self._function.origins[place.start.line].callee
        return f"in `{callee}`, {message}" if callee else message

    def _related(self, each: RelatedRange) -> RelatedRange:
        if each.name:
            return each
        return each._replace(
            range=self._range(each.range), message=self._words(each.range, each.message)
        )

    def _range(self, place: Range) -> Range:
        start = self._function.place(*place.start, is_end=False)
        end = self._function.place(*place.end, is_end=True)
        return Range(Position(*start), Position(*end))

    def _is_outside(self, fix: Fix) -> bool:
        rows = (each.range.start.line for each in fix.edits)
        return not any(self._function.origins[row].callee for row in rows)

    def _fix(self, fix: Fix) -> Fix:
        edits = [TextEdit(self._range(each.range), each.new_text) for each in fix.edits]
        return fix._replace(edits=tuple(edits))
