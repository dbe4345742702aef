"""Checks all functions of a document that are due, or some of them, on any thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.calls.call_summary import NO_SUMMARIES
from ptx_ls.lint.calls.summaries import (
    call_summaries,
    called_bodies,
    checked_module,
    checked_signature,
)
from ptx_ls.lint.check_input import CheckInput
from ptx_ls.lint.engine import check_function
from ptx_ls.lint.results.stored_results import RESULT, due, due_among
from ptx_ls.semantics.directives.header import header_places
from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker, checker_among
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_facts import (
    interface,
    interfaces,
    is_generated,
    unused_names,
)
from ptx_ls.semantics.symbols.region_text import region_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.isa import Context
    from ptx_ls.lint.results.stored_results import Inputs
    from ptx_ls.lint.rule_settings import RuleSettings


_MAX_LINES_AT_ONCE: Final = 10_000
"""Maximum number of lines of a document whose lines and symbols are held until it is checked.

For a longer one, they are read twice: for the interfaces of all functions, and for the check of
each function.
"""


class LintTask:
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
            seen = CheckInput(
                region_text(located.function),
                region_facts(located.function),
                module,
                located.number,
                located.function,
                checker_of(module.context),
                is_inside=inputs.is_inside,
                is_last=inputs.is_last,
                is_generated=by_compiler,
                unused=unused,
                calls=calls,
                bodies=bodies,
            )
            if not check(seen, inputs, checker_of, should_stop):
                return False
        return True


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
