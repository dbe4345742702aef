"""Checks a module under versions and targets that it does not declare.

Most of what a module needs can be seen in single statements. The lint rules find the rest: values
of operands and directives, pragmas, the content of sections, the size of parameters.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.checking.gates import is_open
from ptx_ls.isa.checking.needs import GateRequirements
from ptx_ls.isa.notation.table import AvailabilityGate
from ptx_ls.isa.version import describe_target, module_target, parse_target
from ptx_ls.lint.check_input import CheckInput
from ptx_ls.lint.engine import mismatches_of
from ptx_ls.lint.rule import rule_for
from ptx_ls.semantics.directives.header import header_values
from ptx_ls.semantics.instructions.feature_requirements import Demand
from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
from ptx_ls.semantics.problems.instructions import InstructionMismatch, Unavailable
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.semantics.symbols.region_text import is_inside, region_text
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.document import Document
    from ptx_ls.isa.notation.table import Requirement
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region_text import RegionText

Version = tuple[int, int]
Target = tuple[int, str]
Cell = tuple[Version, Target]
_GATES: Final = (isa.ViolationKind.VERSION, isa.ViolationKind.TARGET)


class _Error(NamedTuple):
    """An error, identified across versions and targets."""

    function: int
    kind: str
    start: FunctionPosition
    end: FunctionPosition


class Trial:
    """The functions of a module, to be checked under any version and target."""

    def __init__(self, document: Document, should_stop: Callable[[], bool]) -> None:
        self._document = document
        self._module = module_facts(document)
        checker = InstructionChecker(self._module.context)
        self._functions = [
            CheckInput(
                region_text(function),
                region_facts(function),
                self._module,
                number,
                function,
                checker,
                is_inside(document, number),
            )
            for number, function in enumerate(document.leaves())
        ]
        self._should_stop = should_stop
        self._errors: dict[Cell, frozenset[_Error]] = {}
        header = header_values(self._functions[0].facts)
        self._header = {start[0] for _, start, _ in header}

    @property
    def context(self) -> isa.Context:
        """The version and target that the module declares."""
        return self._module.context

    def lacking(self, cell: Cell, cells: Iterable[Cell]) -> list[Demand]:
        """Returns the demands that a version and target do not meet; `cells`: those that may."""
        found = self._mismatches(cell)
        gated = [
            Demand(self._text(number, mismatch), self._line(number, mismatch.start), (need,))
            for number, mismatch in found
            if (need := _need(mismatch, cell)) is not None
        ]
        own, version = module_target(self.context.target), self.context.version
        if gated or own is None or version is None or self._should_stop():
            return gated
        self._errors[cell] = _errors(found)
        new = self._errors[cell] - self._errors_at((version, own))
        return [demand for error in sorted(new) for demand in self._since(error, cell, cells)]

    def _since(self, error: _Error, cell: Cell, cells: Iterable[Cell]) -> Iterable[Demand]:
        """Yields the demand for the first version or target that is known to avoid an error."""
        version, own = self.context.version, module_target(self.context.target)
        if version is None or own is None:
            return
        requirement: Requirement
        if error in self._errors_at((cell[0], own)):
            versions = sorted({v for v, _ in cells if cell[0] < v < version})
            place = bisect_left(versions, 1, key=lambda v: error not in self._errors_at((v, own)))
            requirement = ((*versions, version)[place], ())
        else:
            targets = sorted({t for _, t in cells if cell[1] < t < own and not t[1]})
            place = bisect_left(
                targets, 1, key=lambda t: error not in self._errors_at((version, t))
            )
            requirement = (1, 0), ((*targets, own)[place],)
        text = self._functions[error.function].text
        yield Demand(
            _between(text, error.start, error.end),
            self._line(error.function, error.start),
            (_asking([requirement]),),
        )

    def _errors_at(self, cell: Cell) -> frozenset[_Error]:
        if cell not in self._errors:
            self._errors[cell] = _errors(self._mismatches(cell))
        return self._errors[cell]

    def _mismatches(self, cell: Cell) -> list[tuple[int, Mismatch]]:
        """Returns the mismatches under a version and target, without those in the header."""
        version, target = cell
        own = self.context.target
        options = tuple(name for name in own if parse_target(name) is None)
        context = self.context._replace(version=version, target=(describe_target(target), *options))
        module, checker = self._module._replace(context=context), InstructionChecker(context)
        found: list[tuple[int, Mismatch]] = []
        for function in self._functions:
            if self._should_stop():
                return []
            found += (
                (function.number, mismatch)
                for mismatch in mismatches_of(
                    function._replace(module=module, checker=checker), self._should_stop
                )
                if function.number or mismatch.start[0] not in self._header
            )
        return found

    def _line(self, number: int, start: FunctionPosition) -> int:
        return self._document.start(number).lines + start[0]

    def _text(self, number: int, mismatch: Mismatch) -> str:
        return _between(self._functions[number].text, mismatch.start, mismatch.end)


def _need(mismatch: Mismatch, cell: Cell) -> GateRequirements | None:
    """Returns which versions and targets would avoid a mismatch; None if none would."""
    if not isinstance(mismatch, InstructionMismatch | Unavailable):
        return None
    violation = mismatch.violation
    if violation.kind not in _GATES or violation.lenient or not violation.needs:
        return None
    need = _asking(violation.needs)
    return need if not is_open(need.gates[0], *cell) else None


def _asking(requirements: Sequence[Requirement]) -> GateRequirements:
    gate = AvailabilityGate(None, tuple(requirements), lenient=False, needs_operands=False, note="")
    return GateRequirements((gate,))


def _errors(found: Iterable[tuple[int, Mismatch]]) -> frozenset[_Error]:
    """Returns an `_Error` for each mismatch that is an error."""
    return frozenset(
        _Error(number, type(mismatch).__name__, mismatch.start, mismatch.end)
        for number, mismatch in found
        if (rule := rule_for(mismatch)) is not None
        and rule.severity is Severity.ERROR
        and not _is_advice(mismatch)
    )


def _is_advice(mismatch: Mismatch) -> bool:
    """Whether ptxas accepts the code anyway, so that the mismatch is only a warning."""
    return isinstance(mismatch, InstructionMismatch | Unavailable) and mismatch.violation.lenient


def _between(text: RegionText, start: FunctionPosition, end: FunctionPosition) -> str:
    return text.lines[start[0]][start[1] : end[1] if end[0] == start[0] else None].strip()
