"""Linting a document at once, or again and again while it is edited.

Results are kept per region with lines relative to it. An edit empties what was derived from its
region, so only that region is checked again; a change of the module's version, targets or symbols
makes all regions due.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.at_once import LinesCheck
from ptx_ls.lint.known import Known
from ptx_ls.lint.moving import moved, touching
from ptx_ls.lint.work import LintResults, LintSettings, LintWork, ModuleRead, Result, Task
from ptx_ls.semantics.directives.header import present_places
from ptx_ls.semantics.instructions.checked_lines import CheckedLines
from ptx_ls.semantics.instructions.instruction_checker import Judge
from ptx_ls.semantics.symbols.module import SEMANTICS
from ptx_ls.semantics.symbols.producer import is_generated
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_text import is_inside, region_text
from ptx_ls.source import Position, Range
from ptx_ls.source.steps import ends_step, finished

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Generator, Iterator

    from ptx_ls.source import Diagnostic
    from ptx_ls.syntax.document import Document

_AT_ONCE: Final = 100_000
"""Lines that are handed out at once where only the module around them has changed."""
_FEW: Final = 100
"""Lines that may be checked alone: what is asked about at a cursor."""
_RESULT: Final = "lint"
_TICKET: Final = "lint ticket"
_CHECKED: Final = "lint lines"


class LintSession:
    """The diagnostics of one document as it changes. Use it on one thread only.

    `judges` are kept for other documents that the same reader made (see `learned.py`).
    """

    def __init__(
        self,
        document: Document,
        settings: LintSettings | None = None,
        judges: dict[object, Judge] | None = None,
    ) -> None:
        self._document = document
        self._settings = settings or LintSettings()
        self._judges = {} if judges is None else judges
        self._read: ModuleRead | None = None
        self._lines_check = LinesCheck(document, self._settings, self._judges)

    def pending(self) -> LintWork | None:
        """A snapshot of the regions that are due; None when nothing is."""
        return finished(self.pending_in_steps())

    def pending_in_steps(self) -> Generator[None, None, LintWork | None]:
        """The same in steps. After an edit between two of them, the result must not be used."""
        tasks: list[Task] = []
        is_due = False
        n_lines = 0
        regions = self._document.outline.regions
        for index, region in enumerate(regions):
            if ends_step(index):
                yield
            result = region.facts.get(_RESULT)
            facts = region.stable.get(SEMANTICS) if not region.moves else None
            assert facts is None or isinstance(facts, RegionFacts)  # noqa: S101  for mypy
            current = self._current(index)
            if current is not None and facts is not None:
                tasks.append(Task(region, None, facts, None, (), current.calls))
                continue
            is_due = True
            if n_lines > _AT_ONCE and facts is not None and isinstance(result, Result):
                tasks.append(Task(region, None, facts, None, (), result.calls))  # the next time
                continue
            ticket = region.facts[_TICKET] = object()
            text = region_text(self._document, index)
            n_lines += len(text.lines)
            braces = tuple(region.problems)
            checked = region.stable.get(_CHECKED) or CheckedLines()
            assert isinstance(checked, CheckedLines)  # noqa: S101  for mypy
            tasks.append(Task(region, ticket, facts, text, braces, checked=checked))
        if not is_due:
            return None
        return LintWork(
            tuple(tasks),
            self._settings,
            self._read,
            self._judges,
            is_generated=is_generated(self._document.lines),
        )

    def accept(self, results: LintResults) -> bool:
        """Takes results in; those of regions that changed meanwhile are dropped.

        Returns whether the diagnostics may have changed.
        """
        changed = False
        if results.read is not None:
            self._read = results.read
        for region, ticket, facts, result in results.regions:
            if region.facts.get(_TICKET) is ticket:
                region.stable[SEMANTICS] = facts
                region.moves.clear()
                region.former = None
                if result is not None:
                    del region.facts[_TICKET]
                    region.facts[_RESULT] = result
                    region.stable[_CHECKED] = result.checked
                    changed = True
        return changed

    @property
    def known(self) -> Known:
        """What is known so far."""
        return Known(tuple(self._results()), self._header(), self._declarations())

    def counts(self) -> Counter[str]:
        """How many diagnostics of each rule are known so far."""
        return self.known.counts()

    def diagnostics(self, limit: int | None = None) -> list[Diagnostic]:
        """What is known so far, in the order of the text; the `limit` severest if given."""
        return self.known.in_order(limit)

    def within(self, first: int, last: int) -> list[Diagnostic]:
        """What is known so far that touches the lines from `first` to `last`, in order.

        Costs nothing for regions elsewhere.
        """
        regions = self._document.outline.regions
        found: list[tuple[int, Diagnostic]] = []
        for index in self._touching(first, last):
            result = regions[index].facts.get(_RESULT)
            if isinstance(result, Result):
                start = regions[index].start
                found += [
                    (start, one)
                    for one in touching(result.diagnostics, first - start, last - start)
                ]
        return self._in_order(found)

    def at_once(self, first: int, last: int, *, is_alone: bool = True) -> list[Diagnostic] | None:
        """What touches the lines from `first` to `last` now, in order, without waiting for work.

        Where their function is due, they are checked alone (see `at_once.py`). None if that does
        not do: they are many, or more of the module is due. `is_alone`: no work that was handed out
        is being done.
        """
        read, regions = self._read, self._document.outline.regions
        if read is None or not self._lines_check.is_of(read):
            return None
        check = partial(self._lines_check.check, is_alone=is_alone)
        found: list[tuple[int, Diagnostic]] = []
        for index in self._touching(first, last):
            start = regions[index].start
            low, high = first - start, last - start
            result = self._current(index)
            if result is not None:
                found += [(start, one) for one in touching(result.diagnostics, low, high)]
                continue
            if last - first > _FEW or not self._lines_check.can_check(index):
                return None
            found += [(start, one) for one in check(index, low, high, read)]
        return self._in_order(found)

    def _touching(self, first: int, last: int) -> range:
        """Numbers of the regions that may reach to lines."""
        outline = self._document.outline
        begin = outline.region_at(first)
        while begin and outline.regions[begin].start == first:  # others may share the line
            begin -= 1
        return range(begin, outline.region_at(last) + 1)

    def _in_order(self, found: list[tuple[int, Diagnostic]]) -> list[Diagnostic]:
        """Diagnostics of regions that start on lines, in the order of the text."""
        places = self._header() if found else {}
        placed = [moved(one, start, places) for start, one in found]
        return sorted(placed, key=lambda diagnostic: (diagnostic.range, diagnostic.rule))

    def _current(self, index: int) -> Result | None:
        """What was found in a region as it is; None if it is due."""
        regions = self._document.outline.regions
        result = regions[index].facts.get(_RESULT)
        signature = self._read.signature if self._read is not None else None
        if not isinstance(result, Result) or result.module is not signature:
            return None
        return result if result.is_inside is is_inside(regions, index) else None

    def of_rule(self, rule: str) -> Iterator[Diagnostic]:
        """What is known so far of one rule, in the order of the text."""
        places = self._header()
        for start, result in self._results():
            for one in result.diagnostics:
                if one.rule == rule:
                    yield moved(one, start, places)

    def _header(self) -> dict[str, Range]:
        """Where the values of `.version` and `.target` stand; empty while that is not known."""
        first = self._document.outline.regions[0]
        facts = first.stable.get(SEMANTICS)
        return present_places(first, facts) if isinstance(facts, RegionFacts) else {}

    def _declarations(self) -> dict[str, Range]:
        """Where the module first declares the names that diagnostics point to."""
        wanted = set().union(*[result.names for _, result in self._results()])
        found: dict[str, Range] = {}
        if not wanted:
            return found
        for region in self._document.outline.regions:
            facts = region.stable.get(SEMANTICS)
            for symbol in facts.exports if isinstance(facts, RegionFacts) else ():
                if symbol.name in wanted and symbol.name not in found:
                    start, end = (
                        Position(region.start + region.present_line(line), column)
                        for line, column in (symbol.start, symbol.end)
                    )
                    found[symbol.name] = Range(start, end)
        return found

    def _results(self) -> Iterator[tuple[int, Result]]:
        """Start and result of the regions that have diagnostics."""
        for region in self._document.outline.regions:
            result = region.facts.get(_RESULT)
            if isinstance(result, Result) and result.diagnostics:
                yield region.start, result


def lint(document: Document, settings: LintSettings | None = None) -> list[Diagnostic]:
    """All diagnostics of a document, in the order of the text."""
    session = LintSession(document, settings)
    while (work := session.pending()) is not None:
        session.accept(work.run(_never))
    return session.diagnostics()


def _never() -> bool:
    return False
