"""One piece of linting work: a snapshot of what is due, and what comes out of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ptx_ls.lint.engine import RegionInput, check_region
from ptx_ls.lint.moving import moved
from ptx_ls.semantics.calls.call_graph import Calls, calls_of
from ptx_ls.semantics.instructions.checked_lines import CheckedLines
from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker, judge_among
from ptx_ls.semantics.symbols.module import ModuleFacts, is_alike, module_of, same_facts
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_reader import read_region
from ptx_ls.semantics.symbols.region_text import RegionText
from ptx_ls.source import Diagnostic, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ptx_ls.syntax.nesting import BraceProblem
    from ptx_ls.syntax.outline import Region


class LintSettings(NamedTuple):
    """What to leave out: names of rules."""

    ignored: frozenset[str] = frozenset()


class Result:
    """Diagnostics of a region, lines relative to it, and the module they were found under.

    `calls` is what the region calls, `names` those of the module that diagnostics point to.
    `is_inside` as of its text. `checked` is for the next check of the region.
    """

    __slots__ = ("_moved", "calls", "checked", "diagnostics", "is_inside", "module", "names")

    def __init__(
        self,
        diagnostics: list[Diagnostic],
        module: object,
        calls: Calls,
        names: frozenset[str],
        *,
        is_inside: bool,
        checked: CheckedLines,
    ) -> None:
        self.diagnostics, self.module = tuple(diagnostics), module
        self.calls, self.names, self.is_inside = calls, names, is_inside
        self.checked = checked
        self._moved: dict[object, list[Diagnostic]] = {}

    def at(
        self, start: int, header: dict[str, Range], declared: Mapping[str, Range]
    ) -> list[Diagnostic]:
        """The diagnostics where the region starts on line `start`.

        `header` and `declared`: where the values of the header and names of the module are, as
        `moved` needs them.
        """
        places = header | {name: declared[name] for name in self.names if name in declared}
        key = start, tuple(places.items())
        found = self._moved.get(key)
        if found is None:
            self._moved.clear()
            found = [moved(diagnostic, start, places) for diagnostic in self.diagnostics]
            self._moved[key] = found
        return found


class Task(NamedTuple):
    """A region of the snapshot. `text` is None where only the facts and calls are needed.

    `former`: the facts from before an edit, if they are known.
    """

    region: Region
    ticket: object
    facts: RegionFacts | None
    text: RegionText | None
    braces: tuple[BraceProblem, ...]
    former: object = None
    calls: Calls = Calls()
    checked: CheckedLines | None = None


class ModuleRead(NamedTuple):
    """What the regions of a module say, each and together.

    `signature` is the same object for all modules whose regions see the same.
    """

    facts: list[RegionFacts]
    calls: list[Calls]
    module: ModuleFacts
    signature: object

    def is_of(self, facts: list[RegionFacts], calls: list[Calls]) -> bool:
        """Whether these regions say the same, as after an edit within a body."""
        are_alike = len(facts) == len(self.facts) and all(map(is_alike, facts, self.facts))
        return are_alike and calls == self.calls


class LintResults(NamedTuple):
    """What a piece of work found, to be handed to the session that gave it out."""

    regions: tuple[tuple[Region, object, RegionFacts, Result | None], ...]
    read: ModuleRead | None
    """None if the work was stopped before it knew the whole module."""
    is_complete: bool


class LintWork:
    """An immutable snapshot of what is due. `run` may be called on any thread."""

    __slots__ = ("_before", "_is_generated", "_judges", "_settings", "_tasks")

    def __init__(
        self,
        tasks: tuple[Task, ...],
        settings: LintSettings,
        before: ModuleRead | None,
        judges: dict[object, InstructionChecker],
        *,
        is_generated: bool,
    ) -> None:
        self._tasks, self._settings, self._before = tasks, settings, before
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
                found = same_facts(task.former, read_region(task.text))
            facts.append(found)
            calls.append(task.calls if task.text is None else calls_of(task.text, found))
        read = self._module(facts, calls)
        module = read.module
        judge_of = partial(judge_among, self._judges, is_generated=self._is_generated)
        done: list[tuple[Region, object, RegionFacts, Result | None]] = []
        for number, (task, found) in enumerate(zip(self._tasks, facts, strict=True)):
            if task.text is None:
                continue
            if should_stop():
                return LintResults(tuple(done), read, is_complete=False)
            checked = task.checked or CheckedLines()
            given = RegionInput(number, task.text, found, task.braces, checked=checked)
            diagnostics = check_region(given, module, judge_of, self._settings.ignored, should_stop)
            if should_stop():
                return LintResults(tuple(done), read, is_complete=False)
            names = frozenset(r.name for one in diagnostics for r in one.related if r.name)
            is_rest = task.text.is_inside
            result = Result(
                diagnostics,
                read.signature,
                calls[number],
                names,
                is_inside=is_rest,
                checked=checked,
            )
            done.append((task.region, task.ticket, found, result))
        return LintResults(tuple(done), read, is_complete=True)

    def _module(self, facts: list[RegionFacts], calls: list[Calls]) -> ModuleRead:
        """What the regions say together; what they did before if nothing is different."""
        before = self._before
        if before is not None and before.is_of(facts, calls):
            return before._replace(facts=facts)  # so that next time the same are compared
        module = module_of(facts, calls)
        signature = _signature(module)
        if before is not None and signature == before.signature:
            signature = before.signature  # so that sessions can compare by identity
        return ModuleRead(facts, calls, module, signature)

    def _read(
        self, facts: list[RegionFacts]
    ) -> tuple[tuple[Region, object, RegionFacts, Result | None], ...]:
        """The regions whose facts were read before the work was stopped."""
        return tuple(
            (task.region, task.ticket, found, None)
            for task, found in zip(self._tasks, facts, strict=False)
            if task.facts is None
        )


def _signature(module: ModuleFacts) -> object:
    """Equal for modules whose regions see the same context and the same module symbols."""
    names = frozenset(
        (name, tuple([place.symbol.interface for place in places]))
        for name, places in module.names.items()
    )
    own = module.context, module.doubtful, module.has_section, module.has_file, module.graph
    return names, module.section_labels, module.metadata, module.changed, *own
