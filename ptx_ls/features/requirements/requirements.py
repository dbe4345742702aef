"""The versions and targets that a module needs, and the lines that require them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.features.requirements.requirements_trial import Cell, Target, Trial, Version
from ptx_ls.isa.checking.gates import is_open, is_past
from ptx_ls.isa.checking.needs import GateRequirements
from ptx_ls.isa.version import (
    describe_target,
    describe_version,
    module_target,
    parse_target,
)
from ptx_ls.semantics.instructions.feature_requirements import Demand, demands
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ptx_ls.isa import Context

Cells = frozenset[Cell]
_PLAIN: Final = ""


class Least(NamedTuple):
    """The lowest version or target that a module needs, and the demands that force it.

    Without demands, only the target forces it, or nothing does.
    """

    value: str
    forced_by: tuple[Demand, ...]


class Requirements:
    """The needs of a module, among the versions and targets that ptx-ls knows."""

    def __init__(self, context: Context, found: Sequence[Demand]) -> None:
        self.context = context
        """The version and target that the module declares."""
        self.demands = tuple(found)
        self._known = _known_cells()

    def moved(self, n_lines: int) -> Requirements:
        """Returns the needs of the same module, `n_lines` further down in a text."""
        lower = [demand._replace(line=demand.line + n_lines) for demand in self.demands]
        return Requirements(self.context, lower)

    @cached_property
    def _cells(self) -> dict[tuple[GateRequirements, ...], Cells]:
        """The versions and targets that meet each kind of demand."""
        kinds = dict.fromkeys(demand.needs for demand in self.demands)
        return {kind: _met(kind, self._known) for kind in kinds}

    @cached_property
    def cells(self) -> Cells:
        """The versions and targets that have everything the module uses."""
        return frozenset(self._known).intersection(*self._cells.values())

    @property
    def is_possible(self) -> bool:
        """Whether any version and target have everything that the module uses."""
        return bool(self.cells)

    @cached_property
    def conflict(self) -> tuple[Demand, ...]:
        """Demands that no version and target meet together, though they meet all but one of them.

        Empty if `is_possible`.
        """
        if self.is_possible:
            return ()
        kept = dict(self._cells)
        for kind in self._cells:
            others = [cells for each, cells in kept.items() if each != kind]
            if not frozenset(self._known).intersection(*others):
                del kept[kind]
        first = {demand.needs: demand for demand in reversed(self.demands)}
        return tuple(sorted((first[kind] for kind in kept), key=lambda demand: demand.line))

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """Targets that have everything that the module uses, in some version; oldest first."""
        return _names({target for _, target in self.cells})

    @cached_property
    def version(self) -> Least:
        """The lowest version, on any target. Raises ValueError unless `is_possible`."""
        return self._least_version(self.cells)

    @cached_property
    def version_of_target(self) -> Least | None:
        """The lowest version with the module's own target; None if the target lacks something."""
        cells = self.own_cells
        return self._least_version(cells) if cells else None

    @property
    def own_cells(self) -> Cells:
        """The `cells` with the module's own target, under the name that the module uses."""
        own = module_target(self.context.target)
        named = [isa.database().targets.get(name) for name in self.context.target]
        entry = next((entry for entry in named if entry is not None), None)
        return frozenset(
            (version, target)
            for version, target in self.cells
            if target == own
            and (entry is None or entry.since <= version <= (entry.until or version))
        )

    @property
    def _first_of_own(self) -> Version | None:
        """The version that introduced the module's own target under its name."""
        named = [isa.database().targets.get(name) for name in self.context.target]
        return next((entry.since for entry in named if entry is not None), None)

    def _least_version(self, cells: Cells) -> Least:
        least = min(version for version, _ in cells)
        targets = {target for _, target in cells}
        named = cells == self.own_cells and least == self._first_of_own
        if named or least == min(version for version, target in self._known if target in targets):
            return Least(describe_version(least), ())
        forcing = tuple(
            demand
            for demand in self.demands
            if all(v >= least for v, target in self._cells[demand.needs] if target in targets)
        )
        return Least(describe_version(least), forcing)

    @cached_property
    def target(self) -> Least:
        """The oldest target that has everything. Raises ValueError unless `is_possible`."""
        oldest = min(target for _, target in self.cells)
        forcing = tuple(
            demand
            for demand in self.demands
            if all(target >= oldest for _, target in self._cells[demand.needs])
        )
        name = _names([oldest])[0]
        return Least(name, forcing if oldest > min(target for _, target in self._known) else ())

    @cached_property
    def lock(self) -> Least | None:
        """The restriction to an architecture (`a`) or family (`f`) of targets; None if none."""
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
        """Returns the demands that a version, a target or both do not meet."""
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
    """Returns what the module in a text needs. Takes as long as linting it several times.

    Once `should_stop` returns true, returns what has been found so far.
    """
    document = Document.read(text)
    trial = Trial(document, should_stop)
    found = Requirements(trial.context, demands(document, should_stop))
    asked: set[Cell] = set()
    while not should_stop() and (corners := _corners(found) - asked):
        cell = min(corners)
        asked.add(cell)
        further = trial.lacking(cell, found.cells)
        if further:
            found = Requirements(trial.context, [*found.demands, *further])
    return found


def _corners(found: Requirements) -> set[Cell]:
    """Returns the versions and targets that are reported as lowest, which must be tried."""
    if not found.cells:
        return set()
    return {
        min(found.cells),
        min(found.cells, key=lambda cell: (cell[1], cell[0])),
        *sorted(found.own_cells)[:1],
    }


def _known_cells() -> tuple[tuple[Version, Target], ...]:
    database = isa.database()
    found: dict[tuple[Version, Target], None] = {}
    for entry in database.targets.values():
        target = parse_target(entry.name)
        numbers = [version.number for version in database.versions.values()]
        if target is not None:
            known = [n for n in numbers if entry.since <= n <= (entry.until or n)]
            found.update(((number, target), None) for number in known)
    return tuple(found)


def _met(kind: tuple[GateRequirements, ...], cells: Iterable[tuple[Version, Target]]) -> Cells:
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
    """Returns names of targets, oldest first; for a renamed target, its newest name."""
    return tuple(describe_target(target) for target in sorted(targets))
