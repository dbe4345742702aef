"""What the instruction being typed takes at the cursor, as the ISA judges it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa import Operand, OperandKind
from ptx_ls.semantics.operands import to_operand
from ptx_ls.semantics.symbols import Facts
from ptx_ls.syntax import operands as syntax_operands
from ptx_ls.syntax import parser
from ptx_ls.syntax.operands import OperandForm, OperandSyntax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.typing_place import TypingPlace
    from ptx_ls.isa import OperandSpec, Verdict
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.tokens import Token

_MORE: Final = 4
"""Operands that may still be missing behind the one at the cursor."""
_NAME: Final = OperandSyntax(OperandForm.IDENTIFIER, (0, 0), (0, 0), "", identifier=0)


class OperandFit:
    """The operand at the cursor of an instruction whose tokens before the cursor are given."""

    def __init__(self, analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> None:
        parsed = _parsed(statement)
        opcode, *self.modifiers = [part[0] for part in syntax_operands.opcode_parts(parsed.tree)]
        self._given = operands_before(analysis, place, statement)
        self._context = analysis.context
        self._instruction = isa.database().instruction(opcode)
        self._spec: OperandSpec | None = None
        self._missing = self._find_missing()
        self._fits: dict[Facts, bool] = {}

    def _verdict(self, operand: Operand, missing: int) -> Verdict | None:
        if self._instruction is None:
            return None
        unknown = [Operand(OperandKind.UNKNOWN)] * missing
        operands = [*self._given, operand, *unknown]
        return isa.check(self._instruction, self.modifiers, operands, self._context)

    def _find_missing(self) -> int:
        """How many operands may follow the one at the cursor; -1 if no form can be told."""
        for missing in range(_MORE):
            verdict = self._verdict(Operand(OperandKind.UNKNOWN), missing)
            if verdict is not None and verdict.is_accepted:
                self._spec = verdict.operand_specs[len(self._given)]
                return missing
        return -1

    @property
    def is_result(self) -> bool:
        """Whether the instruction writes the operand."""
        return self._spec is not None and self._spec.role == "write"

    @property
    def types(self) -> tuple[str, ...]:
        """The types that the instruction has for the operand; empty if nobody can tell."""
        return self._spec.types if self._spec is not None else ()

    def fits(self, facts: Facts) -> bool | None:
        """Whether a name with these facts fits as the whole operand; None if nobody can tell."""
        if self._missing < 0:
            return None
        if facts not in self._fits:
            operand = to_operand(_NAME, (facts,), values=False)._replace(text=facts.name)
            verdict = self._verdict(operand, self._missing)
            self._fits[facts] = verdict is not None and verdict.is_accepted
        return self._fits[facts]


def _parsed(statement: Sequence[Token]) -> parser.Parsed:
    text = " ".join(token.string for token in statement)
    return parser.parse(f"{text} _;")


def operands_before(
    analysis: Analysis, place: TypingPlace, statement: Sequence[Token]
) -> list[Operand]:
    """The operands of an instruction that are complete before the cursor."""
    written, identifiers = syntax_operands.of_instruction(_parsed(statement).tree)
    position = place.range.start
    facts = tuple(analysis.facts_of(identifier.full, position) for identifier in identifiers)
    given = [to_operand(operand, facts, values=True) for operand in written]
    return given[: count_operands(statement)]


def count_operands(statement: Sequence[Token]) -> int:
    """Operands before the cursor."""
    depth = count = 0
    for token in statement:
        if token.string in "([{":
            depth += 1
        elif token.string in ")]}":
            depth -= 1
        elif token.string == "," and not depth:
            count += 1
    return count
