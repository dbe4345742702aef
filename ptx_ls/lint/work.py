"""Checks one function, or all functions of a document that are due, on any thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import is_left_open
from ptx_ls.document.facts import StoredFact
from ptx_ls.lint.calls.call_summary import NO_SUMMARIES
from ptx_ls.lint.calls.summaries import (
    call_summaries,
    called_bodies,
    checked_module,
    checked_signature,
)
from ptx_ls.lint.check_input import CheckInput
from ptx_ls.lint.engine import check_function
from ptx_ls.lint.results.result import Result
from ptx_ls.semantics.directives.header import header_places
from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker, checker_among
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_facts import (
    interface,
    interfaces,
    is_generated,
    unused_names,
)
from ptx_ls.semantics.symbols.region_text import is_inside, region_text
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.document.branch import InnerNode
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.isa import Context
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.source import Position


class Inputs(NamedTuple):
    """Everything that the diagnostics of a function depend on, except its text.

    `signature`: that of the module. `settings`: those of the rules. `is_inside` and `is_last`: as
    in `CheckInput`.
    """

    signature: object
    settings: RuleSettings
    is_inside: bool
    is_last: bool


RESULT: Final = StoredFact["Function", Result, Inputs]("diagnostics")
"""The result of checking a function with the last inputs."""
_GROUP_RESULTS: Final = StoredFact[
    "InnerNode[Function, Position]", tuple[tuple[int, Result], ...], Inputs
]("diagnostics of a group")
"""The findings in a group of functions; present when all its functions have been checked."""


def inputs_of(document: Document, number: int, signature: object, settings: RuleSettings) -> Inputs:
    """Returns the inputs of the function with a number."""
    is_last = number + 1 == document.n_leaves
    return Inputs(signature, settings, is_inside(document, number), is_last)


def due_among(
    located: Sequence[LocatedFunction],
    document: Document,
    signature: object,
    settings: RuleSettings,
) -> Iterator[tuple[LocatedFunction, Inputs]]:
    """Yields the functions among `located` that have not been checked with their current inputs."""
    for each in located:
        inputs = inputs_of(document, each.number, signature, settings)
        if RESULT.known(each.function, inputs) is None:
            yield each, inputs


def due(
    document: Document, signature: object, settings: RuleSettings
) -> Iterator[tuple[LocatedFunction, Inputs]]:
    """Yields the functions that have not been checked with their current inputs, in order."""
    last: Inputs | None = None
    for first, group in document.groups():
        if checked_group(document, first, group, signature, settings) is not None:
            continue
        results: list[tuple[int, Result]] = []
        is_complete, is_in = True, is_inside(document, first)
        for number, function in enumerate(group.leaves(), first):
            is_last = number + 1 == document.n_leaves
            inputs = Inputs(signature, settings, is_in, is_last)
            if last is not None and inputs == last:
                inputs = last  # nearly all functions share one object
            last = inputs
            found = RESULT.known(function, inputs)
            if found is None:
                is_complete = False
                yield document.functions[number], inputs
            elif found.diagnostics or found.hidden:
                results.append((number - first, found))
            is_in = is_left_open(function)
        if is_complete:
            of_group = _inputs_of_group(document, first, group, signature, settings)
            _GROUP_RESULTS.store(group, tuple(results), of_group)


def checked_group(
    document: Document,
    first: int,
    group: InnerNode[Function, Position],
    signature: object,
    settings: RuleSettings,
) -> list[tuple[int, Result]] | None:
    """Returns the results that are not empty, with the numbers of their functions.

    Returns None unless all functions of the group, which begins with number `first`, are checked.
    """
    inputs = _inputs_of_group(document, first, group, signature, settings)
    known = _GROUP_RESULTS.known(group, inputs)
    return None if known is None else [(first + index, result) for index, result in known]


def _inputs_of_group(
    document: Document,
    first: int,
    group: InnerNode[Function, Position],
    signature: object,
    settings: RuleSettings,
) -> Inputs:
    last = first + group.n_leaves - 1
    is_last = last + 1 == document.n_leaves
    return Inputs(signature, settings, is_inside(document, first), is_last)


_MAX_LINES_AT_ONCE: Final = 10_000
"""Maximum number of lines of a document whose lines and symbols are held until it is checked.

For a longer one, they are read twice: for the interfaces of all functions, and for the check of
each function.
"""


class LintWork:
    """Checks the functions of one version of a document that are due. Use `run` on any thread.

    Only one thread at a time may use `checkers`. `located`: the functions to check; None for all.
    """

    __slots__ = ("_checkers", "_document", "_located", "_settings")

    def __init__(
        self,
        document: Document,
        settings: RuleSettings,
        checkers: dict[object, InstructionChecker],
        located: Sequence[LocatedFunction] | None = None,
    ) -> None:
        self._document, self._settings, self._checkers = document, settings, checkers
        self._located = located

    def due(self, signature: object) -> Iterator[tuple[LocatedFunction, Inputs]]:
        """Yields the functions that are due, in a module with this signature."""
        if self._located is None:
            return due(self._document, signature, self._settings)
        return due_among(self._located, self._document, signature, self._settings)

    def run(self, should_stop: Callable[[], bool]) -> bool:
        """Checks the functions that are due, and keeps the results with them.

        Returns False if `should_stop` returned true before all were checked.
        """
        document = self._document
        is_small = document.n_lines <= _MAX_LINES_AT_ONCE
        held: list[object] = []
        for _, group in document.groups():
            if interfaces.known(group) is None:
                for function in group.leaves():
                    if should_stop():
                        return False
                    if is_small and interface.known(function) is None:
                        # The check needs them, too; while they are held, they are not read again.
                        held += (region_text(function), region_facts(function))
                    interface(function)
        signature, module = checked_signature(document), checked_module(document)
        by_compiler, unused = is_generated(document), unused_names(document)
        calls = NO_SUMMARIES if by_compiler else call_summaries(document)
        bodies = called_bodies(document)
        checker_of = partial(checker_among, self._checkers, is_generated=by_compiler)
        for located, inputs in self.due(signature):
            if should_stop():
                return False
            seen = _seen(located, inputs, module, checker_of(module.context))
            seen = seen._replace(
                is_generated=by_compiler, unused=unused, calls=calls, bodies=bodies
            )
            if not check(seen, inputs, checker_of, should_stop):
                return False
        return True


def _seen(
    located: LocatedFunction, inputs: Inputs, module: ModuleFacts, checker: InstructionChecker
) -> CheckInput:
    """Returns the input of the checks of a function."""
    function = located.function
    return CheckInput(
        region_text(function),
        region_facts(function),
        module,
        located.number,
        function,
        checker,
        is_inside=inputs.is_inside,
        is_last=inputs.is_last,
    )


def check(
    seen: CheckInput,
    inputs: Inputs,
    checker_of: Callable[[Context], InstructionChecker],
    should_stop: Callable[[], bool],
) -> bool:
    """Checks a function and keeps the result with it; returns False if it was stopped."""
    if not seen.number:
        header_places(seen.function)  # computed now, because fixes in any function refer to them
    found = check_function(seen, checker_of, inputs.settings, should_stop)
    if should_stop():
        return False
    RESULT.store(seen.function, found, inputs)
    return True
