"""Linting a document at once, or again and again while it is edited.

Results are kept per region with lines relative to it. An edit empties what was derived from its
region, so only that region is checked again; a change of the module's version, targets or symbols
makes all regions due.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.lint.engine import RegionInput, check_region
from ptx_ls.lint.moving import moved
from ptx_ls.semantics.call_graph import Calls, calls_of
from ptx_ls.semantics.header import header_values
from ptx_ls.semantics.judge import Judge
from ptx_ls.semantics.module import SEMANTICS, ModuleFacts, module_of
from ptx_ls.semantics.region import RegionFacts
from ptx_ls.semantics.region_reader import read_region
from ptx_ls.semantics.region_text import RegionText, is_inside, region_text
from ptx_ls.source import Diagnostic, Position, Range, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import BraceProblem, Region

_BANNER: Final = re.compile(r"\s*//.*\b[Gg]enerated by\b.*\b(?:Compiler|Back-End)\b").match
_TOP: Final = 16
"""Lines at the top of a module in which its compiler names itself."""
_AT_ONCE: Final = 100_000
"""Lines that are handed out at once where only the module around them has changed."""
_RESULT: Final = "lint"
_TICKET: Final = "lint ticket"


class LintSettings(NamedTuple):
    """What to leave out: names of rules."""

    ignored: frozenset[str] = frozenset()


class _Result:
    """Diagnostics of a region, lines relative to it, and the module they were found under.

    `calls` is what the region calls, `names` those of the module that diagnostics point to.
    `is_inside` as of its text.
    """

    __slots__ = ("_moved", "calls", "diagnostics", "is_inside", "module", "names")

    def __init__(
        self,
        diagnostics: list[Diagnostic],
        module: object,
        calls: Calls,
        names: frozenset[str],
        *,
        is_inside: bool,
    ) -> None:
        self.diagnostics, self.module = tuple(diagnostics), module
        self.calls, self.names, self.is_inside = calls, names, is_inside
        self._moved: dict[object, list[Diagnostic]] = {}

    def at(self, start: int, places: dict[str, Range]) -> list[Diagnostic]:
        """The diagnostics where the region starts on line `start`; `places` as in `moved`."""
        key = start, tuple(places.items())
        found = self._moved.get(key)
        if found is None:
            self._moved.clear()
            found = [moved(diagnostic, start, places) for diagnostic in self.diagnostics]
            self._moved[key] = found
        return found


class _Task(NamedTuple):
    """A region of the snapshot. `text` is None where only the facts and calls are needed."""

    region: Region
    ticket: object
    facts: RegionFacts | None
    text: RegionText | None
    braces: tuple[BraceProblem, ...]
    calls: Calls = Calls()


class LintResults(NamedTuple):
    """What a piece of work found, to be handed to the session that gave it out."""

    regions: tuple[tuple[Region, object, RegionFacts, _Result | None], ...]
    signature: object
    """None if the work was stopped before it knew the whole module."""
    is_complete: bool


class LintWork:
    """An immutable snapshot of what is due. `run` may be called on any thread."""

    __slots__ = ("_is_generated", "_judges", "_settings", "_signature", "_tasks")

    def __init__(
        self,
        tasks: tuple[_Task, ...],
        settings: LintSettings,
        signature: object,
        judges: dict[object, Judge],
        *,
        is_generated: bool,
    ) -> None:
        self._tasks, self._settings, self._signature = tasks, settings, signature
        self._judges, self._is_generated = judges, is_generated

    def run(self, should_stop: Callable[[], bool]) -> LintResults:
        """Checks the regions; what was found before `should_stop` said so is in the results."""
        facts: list[RegionFacts] = []
        calls: list[Calls] = []
        for task in self._tasks:
            if should_stop():
                return LintResults(self._read(facts), None, is_complete=False)
            found = task.facts
            if found is None:
                assert task.text is not None  # noqa: S101  it has facts or text
                found = read_region(task.text)
            facts.append(found)
            calls.append(task.calls if task.text is None else calls_of(task.text, found))
        module = module_of(facts, calls)
        signature = _signature(module)
        if signature == self._signature:
            signature = self._signature  # so that sessions can compare by identity
        key = module.context, self._is_generated
        judge = self._judges.get(key)
        if judge is None:
            judge = Judge(module.context, is_generated=self._is_generated)
            self._judges[key] = judge
        done: list[tuple[Region, object, RegionFacts, _Result | None]] = []
        for number, (task, found) in enumerate(zip(self._tasks, facts, strict=True)):
            if task.text is None:
                continue
            if should_stop():
                return LintResults(tuple(done), signature, is_complete=False)
            given = RegionInput(number, task.text, found, task.braces)
            diagnostics = check_region(given, module, judge, self._settings.ignored, should_stop)
            if should_stop():
                return LintResults(tuple(done), signature, is_complete=False)
            names = frozenset(r.name for one in diagnostics for r in one.related if r.name)
            is_rest = task.text.is_inside
            result = _Result(diagnostics, signature, calls[number], names, is_inside=is_rest)
            done.append((task.region, task.ticket, found, result))
        return LintResults(tuple(done), signature, is_complete=True)

    def _read(
        self, facts: list[RegionFacts]
    ) -> tuple[tuple[Region, object, RegionFacts, _Result | None], ...]:
        """The regions whose facts were read before the work was stopped."""
        return tuple(
            (task.region, task.ticket, found, None)
            for task, found in zip(self._tasks, facts, strict=False)
            if task.facts is None
        )


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
        self._signature: object = None

    def pending(self) -> LintWork | None:
        """A snapshot of the regions that are due; None when nothing is."""
        tasks: list[_Task] = []
        is_due = False
        n_lines = 0
        regions = self._document.outline.regions
        for index, region in enumerate(regions):
            result = region.facts.get(_RESULT)
            facts = region.stable.get(SEMANTICS) if not region.moves else None
            assert facts is None or isinstance(facts, RegionFacts)  # noqa: S101  for mypy
            is_current = (
                isinstance(result, _Result)
                and result.module is self._signature
                and result.is_inside is is_inside(regions, index)
            )
            if is_current and facts is not None:
                assert isinstance(result, _Result)  # noqa: S101  for mypy
                tasks.append(_Task(region, None, facts, None, (), result.calls))
                continue
            is_due = True
            if n_lines > _AT_ONCE and facts is not None and isinstance(result, _Result):
                tasks.append(_Task(region, None, facts, None, (), result.calls))  # the next time
                continue
            ticket = region.facts[_TICKET] = object()
            text = region_text(self._document, index)
            n_lines += len(text.lines)
            braces = tuple(region.problems)
            tasks.append(_Task(region, ticket, facts, text, braces))
        if not is_due:
            return None
        is_generated = any(map(_BANNER, self._document.lines[:_TOP]))
        return LintWork(
            tuple(tasks), self._settings, self._signature, self._judges, is_generated=is_generated
        )

    def accept(self, results: LintResults) -> bool:
        """Takes results in; those of regions that changed meanwhile are dropped.

        Returns whether the diagnostics may have changed.
        """
        changed = False
        if results.signature is not None:
            self._signature = results.signature
        for region, ticket, facts, result in results.regions:
            if region.facts.get(_TICKET) is ticket:
                region.stable[SEMANTICS] = facts
                region.moves.clear()
                if result is not None:
                    del region.facts[_TICKET]
                    region.facts[_RESULT] = result
                    changed = True
        return changed

    @property
    def n_diagnostics(self) -> int:
        """How many diagnostics are known so far."""
        return sum(len(result.diagnostics) for _, result in self._results())

    def counts(self) -> Counter[str]:
        """How many diagnostics of each rule are known so far."""
        return Counter(one.rule for _, result in self._results() for one in result.diagnostics)

    def diagnostics(self, limit: int | None = None) -> list[Diagnostic]:
        """What is known so far, in the order of the text; the `limit` severest if given."""
        found: list[Diagnostic] = []
        places = self._header() | self._declarations()
        if limit is None or self.n_diagnostics <= limit:
            for start, result in self._results():
                found += result.at(start, places)
        else:
            for severity in Severity:
                for start, result in self._results():
                    chosen = [one for one in result.diagnostics if one.severity is severity]
                    found += [moved(one, start, places) for one in chosen[: limit - len(found)]]
        found.sort(key=lambda diagnostic: (diagnostic.range, diagnostic.rule))
        return found

    def within(self, first: int, last: int) -> list[Diagnostic]:
        """What is known so far that touches the lines from `first` to `last`, in order.

        Costs nothing for regions elsewhere.
        """
        found: list[Diagnostic] = []
        places: dict[str, Range] | None = None
        outline = self._document.outline
        begin = outline.region_at(first)
        while begin and outline.regions[begin].start == first:  # others may share the line
            begin -= 1
        for region in outline.regions[begin : outline.region_at(last) + 1]:
            result = region.facts.get(_RESULT)
            if not isinstance(result, _Result):
                continue
            low, high = first - region.start, last - region.start
            for one in result.diagnostics:
                if one.range.start.line <= high and one.range.end.line >= low:
                    places = self._header() if places is None else places
                    found.append(moved(one, region.start, places))
        return sorted(found, key=lambda diagnostic: (diagnostic.range, diagnostic.rule))

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
        if first.moves or not isinstance(facts, RegionFacts):
            return {}
        return {name: Range(Position(*s), Position(*e)) for name, s, e in header_values(facts)}

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

    def _results(self) -> Iterator[tuple[int, _Result]]:
        """Start and result of the regions that have diagnostics."""
        for region in self._document.outline.regions:
            result = region.facts.get(_RESULT)
            if isinstance(result, _Result) and result.diagnostics:
                yield region.start, result


def lint(document: Document, settings: LintSettings | None = None) -> list[Diagnostic]:
    """All diagnostics of a document, in the order of the text."""
    session = LintSession(document, settings)
    while (work := session.pending()) is not None:
        session.accept(work.run(_never))
    return session.diagnostics()


def _never() -> bool:
    return False


def _signature(module: ModuleFacts) -> object:
    """Equal for modules whose regions see the same context and the same module symbols."""
    names = frozenset(
        (name, tuple([place.symbol.interface for place in places]))
        for name, places in module.names.items()
    )
    own = module.context, module.doubtful, module.has_section, module.has_file, module.graph
    return names, module.section_labels, module.metadata, *own
