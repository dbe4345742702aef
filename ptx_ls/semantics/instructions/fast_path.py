"""Finds the lines that are certainly correct, so that only the others are checked in full.

Only names that do not belong to a plain register bank are looked up, and the verdict on their facts
is cached with the shape. So a load of a parameter costs one search for names and two dictionary
lookups; a branch to a label of the function does not even need the search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.instructions.operands import CONSTANT, SPECIAL
from ptx_ls.semantics.instructions.verdicts import NameBinding
from ptx_ls.semantics.symbols.symbols import Facts, SymbolKind
from ptx_ls.syntax.offsets import shifted, slice_lines
from ptx_ls.syntax.record import MultiLine, Shape
from ptx_ls.syntax.statements import BLANKS
from ptx_ls.syntax.written.names import numbers_in, opcode_and_names
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.instructions.verdicts import InstructionVerdict
    from ptx_ls.semantics.name_resolver import NameResolver
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_BRANCH: Final = "bra"
_MAX_VERDICTS_OF_SHAPE: Final = 4_000
_LABEL: Final = (Facts(SymbolKind.LABEL.value),)
"""The facts of the only name in a branch that is looked up: its label."""


class FastPath:
    """Checks the lines of one function, whose names `names` resolves."""

    def __init__(
        self,
        text: RegionText,
        facts: RegionFacts,
        checker: InstructionChecker,
        names: NameResolver,
    ) -> None:
        self._text, self._facts, self._checker, self._names = text, facts, checker, names
        self._has_blocks = facts.has_blocks or facts.function is None
        self._bindings = checker.bank_cache(facts.banks).bindings
        self.verdict: InstructionVerdict | None = None
        """The verdict on the line that `unclear` yielded last; None if its names are unclear."""
        self.looked_up: set[str] = set()
        """The names that were looked up one by one; the caller clears it."""

    def unclear(self, rows: Sequence[int]) -> Iterator[int]:
        """Yields the rows that need a full check, in order."""
        previous: object = None
        for row, line, read in self._text.rows(rows):
            if isinstance(read, Shape):
                if not self._is_correct(read, line, FunctionPosition((row, 0))):
                    yield row
            elif (
                isinstance(read, MultiLine)
                and read is not previous
                and not self._is_correct_run(read, FunctionPosition((row, 0)))
            ):
                self.verdict = None
                yield row
            previous = read

    def _is_correct_run(self, run: MultiLine, start: FunctionPosition) -> bool:
        for piece in run.pieces:
            if isinstance(piece.record, Shape):
                first, last = shifted(piece.start, start), shifted(piece.end, start)
                text = slice_lines(self._text.lines, first, last)
                if not self._is_correct(piece.record, text, first):
                    return False
        return True

    def _is_correct(self, shape: Shape, text: str, place: FunctionPosition) -> bool:
        if shape not in self._bindings:
            self._bindings[shape] = self._binding(shape)
        binding = self._bindings[shape]
        verdict = self._verdict(binding, text, place) if binding is not None else None
        if verdict is not None and not verdict.violations:
            return True
        self.verdict = None if binding is None or binding.has_constant else verdict
        return False

    def _verdict(
        self, binding: NameBinding, text: str, place: FunctionPosition
    ) -> InstructionVerdict | None:
        """Returns the verdict on a statement; None if a name or the guard has to be checked."""
        if "/" in text or '"' in text:
            return None
        facts: tuple[Facts, ...] = ()
        if binding.unbound:
            scope = self._facts.scope_at(place) if self._has_blocks else self._facts.scope
            if binding.is_branch:
                label = _last_word(text)
                self.looked_up.add(label)
                target = scope.names.get(label)
                if label in scope.labels or (target and target.kind is SymbolKind.LABEL):
                    verdict = binding.verdicts.get(_LABEL)
                    if verdict is not None:
                        return verdict
            names = opcode_and_names(text)
            if len(names) != len(binding.facts) + 1:
                return None
            found: list[Facts] = []
            for number in binding.unbound:
                name = names[number]
                self.looked_up.add(name)
                known = self._names.facts_of(name, scope, place)
                if known is None:
                    return None
                found.append(known)
            facts = tuple(found)
        return binding.verdicts.get(facts) or self._new_verdict(binding, facts, text)

    def _new_verdict(
        self, binding: NameBinding, looked_up: tuple[Facts, ...], text: str
    ) -> InstructionVerdict | None:
        """Judges a shape with the facts of its unbound names, and caches the verdict."""
        rest = iter(looked_up)
        facts = tuple([known if known is not None else next(rest) for known in binding.facts])
        if binding.shape.guard and facts[0].type != ".pred":
            return None
        verdict = self._checker.shape(binding.shape, facts)
        known = binding.verdicts
        if len(known) > _MAX_VERDICTS_OF_SHAPE:
            known.clear()
        if not verdict.needs_numbers:
            known[looked_up] = verdict
            return verdict
        key = (*looked_up, *numbers_in(text))
        if key not in known:
            written = written_operands(binding.shape, text.rstrip(BLANKS))
            known[key] = self._checker.written(binding.shape, written, facts)
        return known[key]

    def _binding(self, shape: Shape) -> NameBinding | None:
        """Returns the binding of a shape; None for an unknown opcode or a name like `%tid .x`."""
        if shape.has_gap or not self._checker.is_known(shape.name):
            return None
        facts = []
        for identifier in shape.identifiers:
            known = self._facts.banks.get(identifier.name)
            if known is None and "0" not in identifier.name and identifier.name != "n":
                known = self._names.constant(identifier.name, identifier.full)
            facts.append(known)
        opcode = 1 if shape.guard else 0
        unbound = [number for number, known in enumerate(facts) if known is None]
        places = tuple([number + (number >= opcode) for number in unbound])
        kinds = {known.kind for known in facts if known is not None}
        has_constant = not kinds.isdisjoint((CONSTANT, SPECIAL))
        is_branch = shape.name == _BRANCH and len(places) == 1
        return NameBinding(shape, tuple(facts), places, has_constant, is_branch, {})


def _last_word(text: str) -> str:
    """Returns the word before the `;` of an instruction, which is the target of a branch."""
    return text.rstrip(BLANKS)[:-1].rsplit(None, 1)[-1]
