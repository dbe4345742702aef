"""Resolves the names in the instructions of a function, and reports undeclared ones."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.instructions.operands import CONSTANT, UNDECLARED
from ptx_ls.semantics.instructions.unresolved_instruction import UnresolvedInstruction
from ptx_ls.semantics.problems.instructions import BadGuard, Undeclared
from ptx_ls.semantics.symbols.symbols import UNKNOWN_TYPE, Facts, Scope, Symbol
from ptx_ls.syntax.offsets import along, shifted
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.names import identifier_of, identifiers_of, names_of
from ptx_ls.syntax.written.register_ranges import exceeds, line_exceeds, may_exceed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_ALWAYS: Final = FunctionPosition((-1, 0))
_UNSEEN: Final[tuple[Facts | None, FunctionPosition]] = (None, _ALWAYS)
_BRANCHES: Final = frozenset({"bra"})


class NameResolver:
    """Resolves the names in the instructions of one function.

    Adds the names that nothing declares, and guards that are not predicates, to `mismatches`.

    Attributes:
        unknown: the places of operands of unknown type, which fit anywhere.
    """

    def __init__(
        self,
        text: RegionText,
        facts: RegionFacts,
        module: ModuleFacts,
        region: int,
        checker: InstructionChecker,
        mismatches: list[Mismatch],
    ) -> None:
        self._text, self._facts, self._module = text, facts, module
        self._region, self._checker, self._mismatches = region, checker, mismatches
        self.unknown: set[FunctionPosition] = set()
        self._has_blocks = facts.has_blocks or facts.function is None
        self._memo: dict[int, dict[str, tuple[Facts | None, FunctionPosition]]] = {}
        self._absent: set[str] = set()
        """Names, with components, that nothing declares anywhere; a mistake may repeat one."""
        self._ranges = dict(facts.ranges)

    def resolve(self, shape: Shape, found: Found, looked_up: set[str]) -> tuple[Facts, ...]:
        """Returns the facts of an instruction's names; reports undeclared names and bad guards.

        Adds the names that it looks up to `looked_up`.
        """
        names = names_of(shape, found.text)
        scope = self._facts.scope_at(found.start) if self._has_blocks else self._facts.scope
        banks = self._facts.banks
        facts: list[Facts] = []
        missing: list[int] = []
        for number, (identifier, full) in enumerate(zip(shape.identifiers, names, strict=False)):
            known = banks.get(identifier.name)
            if known is not None:
                facts.append(known)
                continue
            looked_up.add(full)
            known = self.facts_of(full, scope, found.start)
            if known is None:
                missing.append(number)
                known = UNDECLARED
            facts.append(known)
        if missing:
            self._report_undeclared(shape, found, missing, tuple(facts))
        if shape.guard and facts[0].kind and facts[0].type not in (".pred", UNKNOWN_TYPE):
            guard = identifiers_of(shape, found.text)[0]
            start, end = (shifted(place, found.start) for place in (guard.start, guard.end))
            if start not in self.unknown:
                self._mismatches.append(BadGuard(names[0], facts[0], start, end))
        return tuple(facts)

    def facts_of(self, full: str, scope: Scope, position: FunctionPosition) -> Facts | None:
        """Returns the facts of a name in a scope at a place; None if it is not declared there."""
        memo = self._memo.setdefault(id(scope), {})
        known, since = memo.get(full, _UNSEEN)
        if known is None or since >= position:
            known, since = self._look_up(full, scope, position)
            if known is not None:
                memo[full] = known, since
        return known

    def _look_up(
        self, full: str, scope: Scope, position: FunctionPosition
    ) -> tuple[Facts | None, FunctionPosition]:
        """Returns the facts of a name, and the place after which they are valid."""
        if full in self._absent:
            return None, _ALWAYS
        name = full.partition(".")[0]
        symbol = scope.lookup(name, position)
        if symbol is not None:
            return symbol.facts, _ALWAYS if symbol.is_forward else symbol.start
        symbol = self._module.lookup(name, self._region, position)
        if symbol is not None:
            return symbol.facts, _ALWAYS
        constant = self.constant(name, full)
        if constant is None and self._elsewhere(name) == (None, None):
            self._absent.add(full)
        return constant, _ALWAYS

    def constant(self, name: str, full: str) -> Facts | None:
        """Returns the facts of a special register or predefined constant; None for other names."""
        if name == "WARP_SZ":
            return Facts(CONSTANT)
        return self._checker.special(name, full) if name.startswith("%") else None

    def _elsewhere(self, name: str) -> tuple[Symbol | None, Symbol | None]:
        """Returns the function's and the module's symbol of a name, wherever it is declared."""
        return self._facts.named.first(name), self._module.lookup(name)

    def _report_undeclared(
        self, shape: Shape, found: Found, missing: list[int], facts: tuple[Facts, ...]
    ) -> None:
        """Reports the undeclared identifiers of a statement, given by their indices."""
        is_branch = shape.name in _BRANCHES
        for number in missing:
            place = identifier_of(shape, found.text, number)
            if place is None:
                return
            name = place.name
            start, end = shifted(place.start, found.start), shifted(place.end, found.start)
            end = along(start, len(name)) if start[0] == end[0] else end
            self.unknown.add(start)
            is_last = number == len(shape.identifiers) - 1
            wants = "label" if is_branch and is_last and not name.startswith("%") else ""
            near = self._near(name, found)
            is_absent = place.full in self._absent
            local, outer = (None, None) if is_absent else self._elsewhere(name)
            is_near = near is not None or local is not None
            attempt = UnresolvedInstruction(
                shape.opcode, found.text, facts, number, bool(shape.guard)
            )
            self._mismatches.append(
                Undeclared(name, start, end, wants, local or outer, near, is_near, attempt)
            )

    def check_numbers(self, rows: Sequence[int], text: str) -> None:
        """Reports registers of plain banks whose number is out of range, on some lines.

        `text`: that of these lines.
        """
        ranges = self._ranges
        if ranges and may_exceed(text, ranges):
            exceeding = [line_exceeds(line, ranges) for _, line, _ in self._text.rows(rows)]
            for found in self._text.statements(compress(rows, exceeding)):
                if isinstance(found.record, Shape):
                    self._check_numbers_in(found.record, found, ranges)

    def _check_numbers_in(self, shape: Shape, found: Found, ranges: Mapping[str, int]) -> None:
        for identifier in identifiers_of(shape, found.text):
            if exceeds(identifier.name, ranges):
                start = shifted(identifier.start, found.start)
                end = along(start, len(identifier.name))
                near = self._near(identifier.name, found)
                self.unknown.add(start)
                self._mismatches.append(Undeclared(identifier.name, start, end, near=near))

    def _near(self, name: str, found: Found) -> Symbol | None:
        prefix = name.rstrip("0123456789")
        if prefix == name:
            return None
        scope = self._facts.scope_at(found.start)
        while prefix not in scope.ranges and scope.parent is not None:
            scope = scope.parent
        return scope.ranges.get(prefix)
