"""The versions and targets that a module really needs, and the lines that force them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls import isa
from ptx_ls.isa.gates import is_open, is_past
from ptx_ls.isa.needs import Need
from ptx_ls.isa.table import Gate
from ptx_ls.isa.version import (
    describe_target,
    describe_version,
    module_target,
    parse_target,
    parse_version,
)
from ptx_ls.lint.session import lint
from ptx_ls.semantics.demands import Demand, demands
from ptx_ls.semantics.header import header_values
from ptx_ls.semantics.module import context_of, region_facts
from ptx_ls.semantics.region import read_region
from ptx_ls.semantics.region_text import region_text
from ptx_ls.source import Position
from ptx_ls.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ptx_ls.isa import Context
    from ptx_ls.source import Range

Version = tuple[int, int]
Target = tuple[int, str]
Cells = frozenset[tuple[Version, Target]]
_PLAIN: Final = ""
_UNSUPPORTED: Final = "unsupported-version"


class Least(NamedTuple):
    """The least of something that a module needs, and the demands that force it.

    No demand: nothing in the module asks for more, so the target alone decides, or nothing does.
    """

    value: str
    forced_by: tuple[Demand, ...]


class Requirements:
    """What a module needs. Versions and targets are those that ptx-ls knows."""

    def __init__(self, context: Context, found: Sequence[Demand]) -> None:
        self.context = context
        """What the module declares."""
        self.demands = tuple(found)
        self._every = _every_cell()

    @cached_property
    def _cells(self) -> dict[tuple[Need, ...], Cells]:
        """Where each kind of demand is met."""
        kinds = dict.fromkeys(demand.needs for demand in self.demands)
        return {kind: _met(kind, self._every) for kind in kinds}

    @cached_property
    def cells(self) -> Cells:
        """Versions and targets that have everything the module uses."""
        return frozenset(self._every).intersection(*self._cells.values())

    @property
    def is_possible(self) -> bool:
        """Whether any version and target has it all."""
        return bool(self.cells)

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """Targets that have everything, in some version; oldest first."""
        return _names({target for _, target in self.cells})

    @cached_property
    def version(self) -> Least:
        """The least version, on whatever target. Raises ValueError if nothing has everything."""
        return self._least_version(self.cells)

    @cached_property
    def version_of_target(self) -> Least | None:
        """The least version with the module's own target; None if the target lacks something."""
        own = module_target(self.context.target)
        cells = frozenset(cell for cell in self.cells if cell[1] == own)
        return self._least_version(cells) if cells else None

    def _least_version(self, cells: Cells) -> Least:
        least = min(version for version, _ in cells)
        targets = {target for _, target in cells}
        if least == min(version for version, target in self._every if target in targets):
            return Least(describe_version(least), ())
        forcing = tuple(
            demand
            for demand in self.demands
            if all(v >= least for v, target in self._cells[demand.needs] if target in targets)
        )
        return Least(describe_version(least), forcing)

    @cached_property
    def target(self) -> Least:
        """The oldest target that has everything. Raises ValueError if nothing has everything."""
        oldest = min(target for _, target in self.cells)
        forcing = tuple(
            demand
            for demand in self.demands
            if all(target >= oldest for _, target in self._cells[demand.needs])
        )
        name = _names([oldest])[0]
        return Least(name, forcing if oldest > min(target for _, target in self._every) else ())

    @cached_property
    def lock(self) -> Least | None:
        """What ties the module to one architecture (`a`) or family (`f`); None if nothing does."""
        suffixes = {target[1] for _, target in self.cells}
        if not suffixes or _PLAIN in suffixes:
            return None
        forcing = tuple(
            demand
            for demand in self.demands
            if all(target[1] for _, target in self._cells[demand.needs])
        )
        return Least("f" if "f" in suffixes else "a", forcing)

    def lacking(self, version: Version | None, target: Target | None) -> tuple[Demand, ...]:
        """The demands that a version, a target or both do not meet."""
        return tuple(
            demand
            for demand in self.demands
            if not any(
                version in (None, cell[0]) and target in (None, cell[1])
                for cell in self._cells[demand.needs]
            )
        )


def _never() -> bool:
    return False


def requirements(text: str, should_stop: Callable[[], bool] = _never) -> Requirements:
    """What a module needs, given its text. Takes as long as some lints of it.

    What is found so far when `should_stop` says so.
    """
    document = Document(text)
    texts = [region_text(document, index) for index in range(len(document.outline.regions))]
    context = context_of(read_region(texts[0]))
    found = Requirements(context, demands(texts, should_stop))
    while found.version_of_target is not None and not should_stop():
        further = _further(document, found)
        if not further:
            break
        found = Requirements(context, [*found.demands, *further])
    return found


def _further(document: Document, found: Requirements) -> list[Demand]:
    """What rules miss in the least version: they know more than statements by themselves."""
    least = found.version_of_target
    values = {name: (start, end) for name, start, end in header_values(region_facts(document, 0))}
    if least is None or ".version" not in values:
        return []
    start, end = values[".version"]
    document.edit(Position(*start), Position(*end), least.value)
    missing = [one for one in lint(document) if one.rule == _UNSUPPORTED]
    newer = [version for version, _ in found.cells if version > parse_version(least.value)]
    if not (missing and newer):
        return []
    need = Need((Gate(None, ((min(newer), ()),), lenient=False, needs_operands=False, note=""),))
    return [Demand(_text(document, one.range), one.range.start.line, (need,)) for one in missing]


def _text(document: Document, place: Range) -> str:
    line = document.lines[place.start.line]
    same = place.start.line == place.end.line
    return line[place.start.column : place.end.column if same else None].strip()


def _every_cell() -> tuple[tuple[Version, Target], ...]:
    database = isa.database()
    found: dict[tuple[Version, Target], None] = {}
    for entry in database.targets.values():
        target = parse_target(entry.name)
        numbers = [version.number for version in database.versions.values()]
        if target is not None:
            known = [n for n in numbers if entry.since <= n <= (entry.until or n)]
            found.update(((number, target), None) for number in known)
    return tuple(found)


def _met(kind: tuple[Need, ...], cells: Iterable[tuple[Version, Target]]) -> Cells:
    return frozenset(
        (version, target)
        for version, target in cells
        if any(
            all(is_open(gate, version, target) for gate in need.gates)
            and not any(is_past(gate, version, target) for gate in need.until)
            for need in kind
        )
    )


def _names(targets: Iterable[Target]) -> tuple[str, ...]:
    """Names of targets, oldest first; of a renamed one the newest name."""
    return tuple(describe_target(target) for target in sorted(targets))
