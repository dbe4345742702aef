"""Finds the mismatches in the instructions of one function.

Instructions that name only plain register banks are judged once for each shape. A line is examined
by itself only if its names have to be looked up one by one, or its numbers matter.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.checked_parts import (
    CHECKED,
    CheckedFunction,
    CheckedPart,
    WrongLine,
    as_names,
    checked_before,
)
from ptx_ls.semantics.instructions.fast_path import FastPath
from ptx_ls.semantics.instructions.inline_block import is_in_order
from ptx_ls.semantics.instructions.violation_ranges import instruction_mismatches
from ptx_ls.semantics.name_resolver import NameResolver
from ptx_ls.semantics.problems.instructions import (
    BadGuard,
    Unavailable,
    UnknownOpcode,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.semantics.symbols.symbols import Facts
from ptx_ls.syntax import parser
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.record import InlineAsmLine, MultiLine, Record, Shape
from ptx_ls.syntax.written.names import identifiers_of
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function
    from ptx_ls.isa import Violation
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.instructions.verdicts import InstructionVerdict
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_NO_BAD: Final[Mapping[int, WrongLine]] = {}
_LINES_OF_STEP: Final = 2_000
"""Number of statements to check between two calls of `should_stop`."""


class RegionChecker:
    """Checks one function; stops early, without a result, once `should_stop` returns True."""

    def __init__(
        self,
        text: RegionText,
        facts: RegionFacts,
        module: ModuleFacts,
        region: int,
        checker: InstructionChecker,
        should_stop: Callable[[], bool],
    ) -> None:
        self.text, self.facts, self.module = text, facts, module
        self.region, self.checker, self.should_stop = region, checker, should_stop
        self.mismatches: list[Mismatch] = []
        self._first_outside: FunctionPosition | None = None
        self._names = NameResolver(text, facts, module, region, checker, self.mismatches)
        self._cache = checker.bank_cache(facts.banks)

    def check(
        self, first_outside: FunctionPosition | None = None, function: Function | None = None
    ) -> list[Mismatch]:
        """Returns the mismatches of the function's instructions, in the order of the text.

        `first_outside`: the start of the first statement that belongs in a function body but is
        outside of all bodies. From there on, operands outside of bodies are not checked: their
        mistakes follow from that one, and there could be one on every line. `function`: the node to
        keep the result with, unless lines depend on those before them.
        """
        self._first_outside = first_outside
        function = function if first_outside is None else None
        before = checked_before(function, self.module, self.checker)
        parts = self.text.parts
        valid = before.valid_for(parts, self.facts) if before is not None else [None] * len(parts)
        found: list[CheckedPart] = []
        fast = FastPath(self.text, self.facts, self.checker, self._names)
        placed: Sequence[tuple[int, Chunk | None]] = parts or ((0, None),)
        for number, (first, chunk) in enumerate(placed):
            part = valid[number] if parts else None
            if part is None:
                known = before.bad_of(number, first, self.facts) if before is not None else {}
                part = self._checked(first, chunk, known, fast)
                if part is None:
                    return []
            elif part.mismatches:
                self.mismatches += part.mismatches
            found.append(part)
        if function is not None and (parts or any(part.bad for part in found)):
            given = tuple(parts), found, self.module, self.checker, self.facts
            CHECKED.store(function, CheckedFunction.of(*given), ())
        self.mismatches.sort(key=lambda mismatch: (mismatch.start, mismatch.end))
        return self.mismatches

    def _checked(
        self, first: int, chunk: Chunk | None, known: Mapping[int, WrongLine], fast: FastPath
    ) -> CheckedPart | None:
        """Adds the mismatches of a part of the function, and returns it; None if work was stopped.

        `known`: lines whose mistakes are known, unless the lines have changed.
        """
        n_others = len(self.mismatches)
        fast.looked_up.clear()
        if chunk is None:
            visits = self.text.lines_of(self._visits(self.text.distinct))
            self._names.check_numbers(self.text.shown, "".join(self.text.shown_lines))
        else:
            rows = range(first, first + chunk.n_lines)
            wanted = self._visits(chunk.distinct)
            if self._is_all_outside(rows):
                wanted = {read for read in wanted if not self._is_of_known_opcode(read)}
            visits = [first + row for row in chunk.rows_where(wanted.__contains__)]
            self._names.check_numbers(rows, chunk.text)
        bad: dict[int, WrongLine] = {}
        changed = [*self._changed(visits, known, bad)] if known else visits
        unclear = fast.unclear(changed)
        for number, found in enumerate(self.text.statements(unclear)):
            if number % _LINES_OF_STEP == 0 and self.should_stop():
                return None
            if isinstance(found.record, Shape):
                n_before = len(self.mismatches)
                self._instruction(found.record, found, fast)
                row, mismatches = found.start[0], tuple(self.mismatches[n_before:])
                if mismatches and self.text.records[row] is found.record:
                    bad[row] = WrongLine(self.text.lines[row], found.record, mismatches)
        names = as_names(fast.looked_up) if chunk is not None else ""
        return CheckedPart(tuple(self.mismatches[n_others:]), bad or _NO_BAD, names)

    def _changed(
        self, rows: Iterable[int], known: Mapping[int, WrongLine], bad: dict[int, WrongLine]
    ) -> Iterator[int]:
        """Yields the rows whose mistakes are unknown; adds the known ones to `bad`."""
        lines, records = self.text.lines, self.text.records
        for row in rows:
            found = known.get(row)
            if found is None or found.record is not records[row] or found.line != lines[row]:
                yield row
            else:
                bad[row] = found
                self.mismatches += found.mismatches

    def _visits(self, distinct: Iterable[Record]) -> set[Record]:
        """Returns the records among `distinct` whose lines must be examined one by one."""
        visits: set[Record] = set()
        known = self._cache.visits
        for read in distinct:
            is_wanted = known.get(read)  # type: ignore[call-overload]  # no other has one
            if self._is_visited(read) if is_wanted is None else is_wanted:
                visits.add(read)
        return visits

    def _is_visited(self, read: Record) -> bool:
        """Whether a line that was read as a record must be examined by itself."""
        if isinstance(read, InlineAsmLine):
            clean = self._cache.blocks
            if read.form not in clean:
                clean[read.form] = is_in_order(read.form, self.facts.banks, self.checker)
            return not clean[read.form]
        if not isinstance(read, Shape):
            return isinstance(read, MultiLine)
        verdict = self._of_banks(read)
        found = verdict is None or bool(verdict.violations) or verdict.needs_numbers
        self._cache.visits[read] = found
        return found

    def _of_banks(self, shape: Shape) -> InstructionVerdict | None:
        """Returns the verdict on a shape that names only plain registers; None for others."""
        banks = self.facts.banks
        facts = []
        for identifier in shape.identifiers:
            known = banks.get(identifier.name)
            if known is None and "0" not in identifier.name:
                known = self._names.constant(identifier.name, identifier.full)
            if known is None:
                return None
            facts.append(known)
        if shape.guard and facts[0].type != ".pred":
            return None
        if not self.checker.is_known(shape.opcode.partition(".")[0]):
            return None
        return self.checker.shape(shape, tuple(facts))

    def _instruction(self, shape: Shape, found: Found, fast: FastPath) -> None:
        """Reports what is wrong with an instruction that `fast` found unclear."""
        opcode = shape.opcode.partition(".")[0]
        if not self.checker.is_known(opcode):
            if shape.guard and self._is_opcode_for_guard(shape, found):
                return
            name = instruction_parts.opcode_parts(parser.parse(found.text).tree)[0]
            start, end = (shifted(place, found.start) for place in name[1:])
            modifiers = tuple(modifiers_of(shape.opcode))
            self.mismatches.append(UnknownOpcode(opcode, start, end, modifiers))
            return
        if self._is_outside(found):
            return
        verdict = fast.verdict
        if verdict is None:
            facts = self._names.resolve(shape, found, fast.looked_up)
            verdict = self.checker.shape(shape, facts)
            if verdict.needs_numbers:
                verdict = self.checker.written(shape, written_operands(shape, found.text), facts)
        if verdict.violations:
            self._violations(verdict, shape, found)

    def _is_outside(self, found: Found) -> bool:
        if self._first_outside is None or found.start < self._first_outside:
            return False
        return self.facts.scope_at(found.start) is self.facts.module_scope

    def _is_all_outside(self, rows: range) -> bool:
        """Whether no line of some rows is checked, as all are outside, except for opcodes."""
        begin, facts = FunctionPosition((rows.start, 0)), self.facts
        if self._first_outside is None or begin < self._first_outside:
            return False
        after = bisect_right(facts.events, begin)
        is_alone = after == len(facts.events) or facts.events[after] >= (rows.stop, 0)
        return is_alone and facts.scope_at(begin) is facts.module_scope

    def _is_of_known_opcode(self, read: Record) -> bool:
        return isinstance(read, Shape) and self.checker.is_known(read.opcode.partition(".")[0])

    def _is_opcode_for_guard(self, shape: Shape, found: Found) -> bool:
        """Whether a guard has an opcode instead of a predicate (`@ bra done;`); reports it."""
        guard = identifiers_of(shape, found.text)[0]
        name = guard.full
        scope = self.facts.scope_at(found.start)
        if (
            not self.checker.is_known(name)
            or self._names.facts_of(name, scope, found.start) is not None
        ):
            return False
        start, end = (shifted(place, found.start) for place in (guard.start, guard.end))
        self.mismatches.append(BadGuard(name, Facts("opcode"), start, end))
        return True

    def _unavailable(self, violation: Violation, shape: Shape, found: Found) -> None:
        identifier = identifiers_of(shape, found.text)[int(violation.part[-1])]
        start, end = shifted(identifier.start, found.start), shifted(identifier.end, found.start)
        self.mismatches.append(Unavailable(identifier.name, violation, start, end))

    def _violations(self, verdict: InstructionVerdict, shape: Shape, found: Found) -> None:
        for violation in verdict.violations:
            if violation.part[0] == "identifier":
                self._unavailable(violation, shape, found)
        for mismatch in instruction_mismatches(verdict, shape, found):
            if mismatch.start not in self._names.unknown:
                self.mismatches.append(mismatch)
