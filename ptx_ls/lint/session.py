"""Checks a document once, or again after each edit.

The result of a function is kept with it, so after an edit only the edited function is checked
again; a change to the module's version, targets or symbols makes all functions due.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.calls.summaries import checked_signature
from ptx_ls.lint.results.document_positions import placed, touching
from ptx_ls.lint.results.known_diagnostics import KnownDiagnostics
from ptx_ls.lint.results.reported_diagnostics import reported, reported_of
from ptx_ls.lint.results.result import Result
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.lint.task import LintTask
from ptx_ls.semantics.directives.header import header_places
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_names import module_names
from ptx_ls.source import Diagnostic, Position, Range, Severity
from ptx_ls.source.dumps import dump_begin
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.lint.suppression.function_results import Suppressed
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker


_DUMP_RULE: Final = "syntax-error"
_DUMP_MESSAGE: Final = (
    "output of `cuobjdump`, which is not a PTX module; `ptx-ls lint` checks each module in it"
)


class LintSession:
    """The diagnostics of a document as it changes. Not thread-safe.

    `settings`: the settings of the rules. `checkers`: caches to share with documents that the same
    reader made.

    Attributes:
        document: the document to check; the caller replaces it after an edit.
    """

    def __init__(
        self,
        document: Document,
        settings: RuleSettings = DEFAULT_RULES,
        checkers: dict[object, InstructionChecker] | None = None,
    ) -> None:
        self.document = document
        self._settings = settings
        self._checkers = {} if checkers is None else checkers

    def pending(self, lines: tuple[int, int] | None = None) -> LintTask | None:
        """Returns the task for what is due; None if there is none.

        `lines`: only the functions that touch the lines from the first to the last one.
        """
        document, located = self.document, None if lines is None else self._touching(*lines)
        task = LintTask(document, self._settings, self._checkers, located)
        signature = checked_signature.known(document)
        if signature is None:
            return task
        is_due = next(task.due(signature), None) is not None
        return task if is_due else None

    @property
    def known(self) -> KnownDiagnostics:
        """The diagnostics that are known so far."""
        results = tuple(self._results())
        return KnownDiagnostics(results, self._header(), self._declarations(results))

    def suppressed(self) -> list[Suppressed]:
        """Returns the diagnostics known so far that comments suppress; rows are lines."""
        if self._of_dump() is not None:
            return []
        found = reported(self.document, self._settings)
        return [
            one._replace(row=self.document.start(number).lines + one.row)
            for number, _, suppressed in found
            for one in suppressed
        ]

    def counts(self) -> Counter[str]:
        """Returns how many diagnostics of each rule are known so far."""
        return self.known.counts()

    def diagnostics(self, limit: int | None = None) -> list[Diagnostic]:
        """Returns the diagnostics known so far in text order; the `limit` most severe if given."""
        return self.known.in_order(limit)

    def within(self, first: int, last: int) -> list[Diagnostic]:
        """Returns the diagnostics known so far on the lines from `first` to `last`, in order.

        Only the functions of these lines are searched.
        """
        found: list[tuple[Position, Diagnostic]] = []
        if (dump := self._of_dump()) is not None:
            return [one for one in dump if first <= one.range.start.line <= last]
        numbers = [each.number for each in self._touching(first, last)]
        for number, result, _ in reported_of(self.document, numbers, self._settings):
            start = self.document.functions[number].start
            rows = first - start.line, last - start.line
            found += [(start, one) for one in touching(result.diagnostics, *rows)]
        places = self._header() if found else {}
        diagnostics = (placed(one, start, places) for start, one in found)
        return sorted(diagnostics, key=lambda diagnostic: (diagnostic.range, diagnostic.rule))

    def _of_dump(self) -> list[Diagnostic] | None:
        """Returns the only diagnostic of the output of `cuobjdump`; None for another text."""
        row = dump_begin(self.document.lines)
        if row is None:
            return None
        if not self._settings.is_on(_DUMP_RULE):
            return []
        place = Range.on_line(row, 0, content_length(self.document.lines[row]))
        found = Diagnostic(place, _DUMP_RULE, Severity.ERROR, _DUMP_MESSAGE)
        return [self._settings.applied(found)]

    def _touching(self, first: int, last: int) -> list[LocatedFunction]:
        """Returns the functions on the lines from `first` to `last`."""
        document = self.document
        numbers = range(
            document.number_at(Position(first, 0)), document.located_on(last).number + 1
        )
        return [document.functions[number] for number in numbers]

    def of_rule(self, rule: str) -> Iterator[Diagnostic]:
        """Yields the diagnostics of one rule that are known so far, in text order."""
        places = self._header()
        for start, result in self._results():
            for one in result.diagnostics:
                if one.rule == rule:
                    yield placed(one, start, places)

    def _header(self) -> dict[str, Range]:
        """Returns where the values of `.version` and `.target` are; empty while unknown."""
        return header_places.known(self.document.leaf(0)) or {}

    def _declarations(self, results: tuple[tuple[Position, Result], ...]) -> dict[str, Range]:
        """Returns where the module first declares the names that diagnostics point to."""
        wanted = set().union(*[result.names for _, result in results])
        if not wanted:
            return {}
        names, found = module_names(self.document), {}
        for name in wanted:
            for number in names.declaring(name)[:1]:
                located = self.document.functions[number]
                exports = region_facts(located.function).exports
                symbol = next(each for each in exports if each.name == name)
                found[name] = located.range(symbol.start, symbol.end)
        return found

    def _results(self) -> Iterator[tuple[Position, Result]]:
        """Yields the start and the result of each function that has diagnostics."""
        if (dump := self._of_dump()) is not None:
            yield Position(0, 0), Result(dump)
            return
        document = self.document
        for number, result, _ in reported(document, self._settings):
            if result.diagnostics:
                yield document.functions[number].start, result


def never() -> bool:
    """Returns False; for use as a `should_stop` that never stops the work."""
    return False


def lint(
    document: Document,
    settings: RuleSettings = DEFAULT_RULES,
    should_stop: Callable[[], bool] = never,
    checkers: dict[object, InstructionChecker] | None = None,
) -> list[Diagnostic]:
    """Returns all diagnostics of a document in text order; only some if it is stopped.

    `settings` and `checkers`: as in `LintSession`.
    """
    session = LintSession(document, settings, checkers)
    while not should_stop() and (task := session.pending()) is not None:
        task.run(should_stop)
    return session.diagnostics()
