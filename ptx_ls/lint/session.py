"""Linting a document at once, or again and again while it is edited.

Results are kept per region with lines relative to it. An edit empties what was derived from its
region, so only that region is checked again; a change of the module's version, targets or symbols
makes all regions due.
"""

from __future__ import annotations

from functools import partial
from itertools import compress, count
from operator import is_not
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.engine import RegionInput, check_region
from ptx_ls.lint.known import KnownDiagnostics
from ptx_ls.lint.moving import moved, touching
from ptx_ls.lint.work import LintResults, LintSettings, LintWork, ModuleRead, Result, Task
from ptx_ls.semantics.calls.call_graph import calls_of
from ptx_ls.semantics.directives.header import places_of
from ptx_ls.semantics.instructions.checked_lines import CheckedLines
from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker, judge_among
from ptx_ls.semantics.symbols.module import SEMANTICS, is_alike, region_facts
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
    from ptx_ls.syntax.outline import Region

_AT_ONCE: Final = 100_000
"""Lines that are handed out at once where only the module around them has changed."""
_RESULT: Final = "lint"
_TICKET: Final = "lint ticket"
_CHECKED: Final = "lint lines"


class LintSession:
    """The diagnostics of one document as it changes. Use it on one thread only.

    `judges` are kept for other documents that the same reader made (see `shared_caches.py`).
    """

    def __init__(
        self,
        document: Document,
        settings: LintSettings | None = None,
        judges: dict[object, InstructionChecker] | None = None,
    ) -> None:
        self._document = document
        self._settings = settings or LintSettings()
        self._judges = {} if judges is None else judges
        self._own_judges: dict[object, InstructionChecker] = {}
        self._read: ModuleRead | None = None

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
            facts = region.facts.get(SEMANTICS)
            assert facts is None or isinstance(facts, RegionFacts)  # noqa: S101  for mypy
            current = self._current(index)
            if current is not None and facts is not None:
                tasks.append(Task(region, None, facts, None, (), calls=current.calls))
                continue
            is_due = True
            if n_lines > _AT_ONCE and facts is not None and isinstance(result, Result):
                # It is checked the next time.
                tasks.append(Task(region, None, facts, None, (), calls=result.calls))
                continue
            ticket = region.facts[_TICKET] = object()
            text = region_text(self._document, index)
            n_lines += len(text.lines)
            braces, checked = tuple(region.problems), self._checked(region)
            former = region.former.get(SEMANTICS)
            tasks.append(Task(region, ticket, facts, text, braces, former, checked=checked))
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
                region.facts[SEMANTICS] = facts
                if result is not None:
                    del region.facts[_TICKET]
                    self._keep(region, result)
                    changed = True
        return changed

    @property
    def known(self) -> KnownDiagnostics:
        """What is known so far."""
        return KnownDiagnostics(tuple(self._results()), self._header(), self._declarations())

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

    def at_once(
        self, first: int, last: int, max_lines: int, *, is_alone: bool = True
    ) -> list[Diagnostic] | None:
        """What touches the lines from `first` to `last` now, in order, without waiting for work.

        Where their functions are due, they are checked now. None if they have more than
        `max_lines` lines, or if more of the module is due. `is_alone`: no work that was handed out
        is being done.
        """
        if self._read is None or not self._is_of(self._read):
            return None
        outline = self._document.outline
        touching = self._touching(first, last)
        due = [index for index in touching if self._current(index) is None]
        if sum(outline.stop(it) - outline.regions[it].start for it in due) > max_lines:
            return None
        if not all(self._check(index, self._read, is_alone=is_alone) for index in due):
            return None
        return self.within(first, last)

    def _is_of(self, read: ModuleRead) -> bool:
        """Whether all regions say to the others what they said when the module was `read`."""
        regions = self._document.outline.regions
        if len(regions) != len(read.facts):
            return False
        known = [region.facts.get(SEMANTICS) for region in regions]
        others = compress(count(), map(is_not, known, read.facts))
        return all(is_alike(region_facts(self._document, it), read.facts[it]) for it in others)

    def _check(self, index: int, read: ModuleRead, *, is_alone: bool) -> bool:
        """Checks a region now; False if it calls others than when the module was `read`.

        It has judges of its own while another thread may use the others.
        """
        document = self._document
        region, text = document.outline.regions[index], region_text(document, index)
        facts = region_facts(document, index)
        calls = calls_of(text, facts)
        if calls != read.calls[index]:
            return False
        judge_of = partial(
            judge_among,
            self._judges if is_alone else self._own_judges,
            is_generated=is_generated(document.lines),
        )
        checked = self._checked(region) if is_alone else CheckedLines()
        given = RegionInput(index, text, facts, tuple(region.problems), checked)
        found = check_region(given, read.module, judge_of, self._settings.ignored, lambda: False)
        names = frozenset(each.name for one in found for each in one.related if each.name)
        is_inside = text.is_inside
        result = Result(found, read.signature, calls, names, is_inside=is_inside, checked=checked)
        self._keep(region, result)
        return True

    @staticmethod
    def _checked(region: Region) -> CheckedLines:
        """The mismatches of a region's lines that were found before, even before an edit."""
        checked = region.facts.get(_CHECKED) or region.former.get(_CHECKED) or CheckedLines()
        assert isinstance(checked, CheckedLines)  # noqa: S101  for mypy
        return checked

    @staticmethod
    def _keep(region: Region, result: Result) -> None:
        region.facts[_RESULT], region.facts[_CHECKED] = result, result.checked
        region.former.clear()

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
        facts = first.facts.get(SEMANTICS)
        return places_of(facts) if isinstance(facts, RegionFacts) else {}

    def _declarations(self) -> dict[str, Range]:
        """Where the module first declares the names that diagnostics point to."""
        wanted = set().union(*[result.names for _, result in self._results()])
        found: dict[str, Range] = {}
        if not wanted:
            return found
        for region in self._document.outline.regions:
            facts = region.facts.get(SEMANTICS)
            for symbol in facts.exports if isinstance(facts, RegionFacts) else ():
                if symbol.name in wanted and symbol.name not in found:
                    start, end = (
                        Position(region.start + line, column)
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
