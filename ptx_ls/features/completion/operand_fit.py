"""Finds what an unfinished instruction takes at the cursor, by checking it against the ISA."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion.typing_place import CLOSING_BRACKETS
from ptx_ls.isa import Operand, OperandKind
from ptx_ls.isa.candidates import candidates
from ptx_ls.isa.checking.scalar_check import spec_count, spec_type
from ptx_ls.semantics.analysis import verdict_of
from ptx_ls.semantics.instructions.operands import to_operand
from ptx_ls.semantics.symbols.symbols import Facts, SymbolKind
from ptx_ls.syntax import parser
from ptx_ls.syntax.offsets import STATEMENT_START
from ptx_ls.syntax.operands import OperandForm, OperandSyntax
from ptx_ls.syntax.parsing import instruction_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa import OperandSpec, Verdict
    from ptx_ls.isa.candidates import Candidate
    from ptx_ls.isa.notation.table import OperandRow
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.tokens import Token

_MAX_MISSING_OPERANDS: Final = 9
"""Maximum number of operands after the one at the cursor, plus one."""
_NAME: Final = OperandSyntax(
    OperandForm.IDENTIFIER, STATEMENT_START, STATEMENT_START, "", identifier=-1
)
_INDEPENDENT: Final = "texmode_independent"
_MAX_PARTS: Final = 16
"""Maximum number of parts of an operand after the cursor, plus one."""
_MAX_OPTIONAL_OPERANDS: Final = 3
"""Maximum number of optional operands to try after the cursor."""
_MAX_PARTS_AFTER_VECTOR: Final = 3
"""Maximum number of parts of an address after a vector in it, plus one."""
_UNKNOWN: Final = Operand(OperandKind.UNKNOWN)
_GROUPS: Final = {
    OperandForm.ADDRESS: OperandKind.ADDRESS,
    OperandForm.VECTOR: OperandKind.VECTOR,
}
_ANYWHERE: Final = (".global", ".shared", ".local")
"""State spaces whose variables a generic address may point to."""


class OperandFit:
    """The operand at the cursor, given the tokens of its instruction before the cursor."""

    def __init__(self, analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> None:
        parsed = _parsed(statement, place.inside)
        opcode, *self.modifiers = [part[0] for part in instruction_parts.opcode_parts(parsed.tree)]
        written, self._facts = _read(analysis, place, parsed)
        count = count_operands(statement)
        self._given = [to_operand(each, self._facts, values=True) for each in written[:count]]
        self._written = _at_cursor(place, written[count:])
        self._is_nested = len(place.inside) > 1
        self._context = analysis.context
        self._instruction = isa.database().instruction(opcode)
        self._spec: OperandSpec | None = None
        self._n_doubts = 0
        self._missing = self._find_missing()
        if self._missing < 0:  # also complete instructions of other versions and targets
            self._context = self._context._replace(version=None, target=())
            self._missing = self._find_missing()
        self._padding = self._find_padding()
        self._fits: dict[Facts, bool] = {}

    def _verdict(self, operand: Operand, missing: int) -> Verdict | None:
        if self._instruction is None:
            return None
        operands = *self._given, operand, *[_UNKNOWN] * missing
        return verdict_of(self._instruction, tuple(self.modifiers), operands, self._context)

    def _find_missing(self) -> int:
        """Returns the minimum number of operands after the cursor's; -1 if no form fits."""
        for missing in range(_MAX_MISSING_OPERANDS):
            verdict = self._verdict(_UNKNOWN, missing)
            if verdict is not None and verdict.is_accepted:
                self._n_doubts = len(verdict.violations)
                self._spec = verdict.operand_specs[len(self._given)]
                return missing
        return -1

    def _find_padding(self) -> tuple[int, int] | None:
        """Returns how many parts the operand lacks after the cursor: `[texture, coordinates]`.

        The numbers are for the innermost brackets and for those around them; None if unknown.
        """
        group = _GROUPS.get(self._written.form) if self._written is not None else None
        if group is None or self._written is None:
            return 0, 0
        operand = to_operand(self._written, self._facts, values=False)
        if self._is_nested:
            inner = operand.elements[-1]
            unknown = inner._replace(elements=(*inner.elements[:-1], _UNKNOWN))
        else:
            unknown = _UNKNOWN
        operand = operand._replace(elements=(*operand.elements[:-1], unknown))
        is_vector = group is OperandKind.VECTOR  # tried with more than one element first
        counts: tuple[int, ...] = (*range(int(is_vector), _MAX_PARTS), 0)
        for padding in product(counts, range(_MAX_PARTS_AFTER_VECTOR if self._is_nested else 1)):
            verdict = self._verdict(self._padded(operand, padding), self._missing)
            if verdict is not None and verdict.is_accepted:
                self._n_doubts = len(verdict.violations)
                return padding
        return None

    def _padded(self, operand: Operand, padding: tuple[int, int]) -> Operand:
        """Returns the operand with unknown parts after the cursor."""
        inner, outer = padding
        parts = operand.elements
        if not self._is_nested:
            return operand._replace(elements=parts + (_UNKNOWN,) * inner)
        vector = parts[-1]._replace(elements=parts[-1].elements + (_UNKNOWN,) * inner)
        return operand._replace(elements=(*parts[:-1], vector, *(_UNKNOWN,) * outer))

    @property
    def row(self) -> OperandRow | None:
        """The operand in the form of the instruction, with its alternatives; None if unknown."""
        return self._spec.row if self._spec is not None else None

    @cached_property
    def n_elements(self) -> int:
        """The number of elements of the vector in which the cursor is; 0 if unknown."""
        at = len(self._given)
        counts = {
            spec_count(spec, candidate.scope)
            for candidate in self._candidates
            if candidate.is_complete and len(candidate.rows) > at
            for spec in candidate.rows[at].specs
            if spec.kind == "vec" and "lenient" not in spec.flags
        }
        if len(counts) == 1:
            return counts.pop()
        is_known = self._padding is not None and self._missing >= 0
        return self._padding[0] + 1 if is_known and self._padding is not None else 0

    @cached_property
    def has_sampler(self) -> bool:
        """Whether the part of an address at the cursor is the sampler that the module requires."""
        if self._written is None or self._is_nested or self.row is None:
            return False
        parts = self.row.parts[len(self._written.elements) - 1 :]
        return bool(parts) and parts[0].optional and _INDEPENDENT in self._context.target

    @property
    def is_result(self) -> bool:
        """Whether the instruction writes the operand."""
        return self._spec is not None and self._spec.role == "write"

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The types of the operand; empty if unknown.

        If the modifiers are incomplete, they are those of the likeliest form.
        """
        if self._spec is not None:
            return self._spec.types
        place = len(self._given)
        likeliest = next((it for it in self._candidates if len(it.rows) > place), None)
        if likeliest is None:
            return ()
        return tuple(spec_type(spec, likeliest.scope) for spec in likeliest.rows[place].specs)

    @cached_property
    def is_superfluous(self) -> bool:
        """Whether the cursor is after the last operand that the instruction can have."""
        is_open = self._spec is None and bool(self._candidates)
        return is_open and all(len(it.rows) <= len(self._given) for it in self._candidates)

    @cached_property
    def _candidates(self) -> Sequence[Candidate]:
        """The forms that the instruction may become."""
        if self._instruction is None:
            return ()
        return candidates(self._instruction, self.modifiers, self._given, self._context)

    def fits(self, facts: Facts) -> bool | None:
        """Whether a name with these facts fits at the cursor; None if unknown.

        It may be an operand, a second result (`d|p`), or a part of an address or vector.
        """
        if self._missing < 0 or self._written is None or self._padding is None:
            return None
        if facts not in self._fits:
            known = [*self._facts[:-1], facts]
            operand = to_operand(self._written, known, values=False)
            if operand.elements:
                inner, outer = self._padding
                operand = self._padded(operand, (inner + self.has_sampler, outer))
            elif self._spec is not None and self._spec.pair and not self._spec.row.pair_optional:
                operand = operand._replace(paired=operand.paired or _UNKNOWN)
            # The number of operands that must follow may depend on the kinds of earlier ones.
            self._fits[facts] = any(
                self._is_taken(operand, missing) for missing in range(self._missing, self._most + 1)
            )
        return self._fits[facts]

    @cached_property
    def _most(self) -> int:
        """The maximum number of operands after the one at the cursor."""
        accepted = [
            missing
            for missing in range(self._missing, self._missing + _MAX_OPTIONAL_OPERANDS + 1)
            if (verdict := self._verdict(_UNKNOWN, missing)) is not None and verdict.is_accepted
        ]
        return max(accepted, default=self._missing)

    def _is_taken(self, operand: Operand, missing: int) -> bool:
        verdict = self._verdict(operand, missing)
        if verdict is None or not verdict.is_accepted:
            return False
        return len(verdict.violations) <= self._n_doubts  # with more, the manual forbids it

    @cached_property
    def is_generic(self) -> bool:
        """Whether an address at the cursor may be the address of a variable in any space."""
        variable = SymbolKind.VARIABLE.value
        return all(self.fits(Facts(variable, ".b32", space)) for space in _ANYWHERE)


def _parsed(statement: Sequence[Token], inside: str = "") -> parser.Parsed:
    """Parses the statement before the cursor, ended by a name, closing brackets and `;`."""
    text = " ".join(token.string for token in statement)
    closing = "".join(CLOSING_BRACKETS[sign] for sign in reversed(inside))
    return parser.parse(f"{text} name{closing};")


def _at_cursor(place: TypingPlace, written: Sequence[OperandSyntax]) -> OperandSyntax | None:
    """Returns the operand at the cursor; None if it is nested deeply, or unreadable."""
    if len(place.inside) > 1 + (place.inside == "[{") or place.inside == "(":
        return None
    found = written[0] if written else _NAME
    is_read = not place.inside or (found.form in _GROUPS and bool(found.elements))
    if is_read and len(place.inside) > 1:
        is_read = found.elements[-1].form is OperandForm.VECTOR and bool(
            found.elements[-1].elements
        )
    return found if is_read else None


def operands_before(
    analysis: Analysis, place: TypingPlace, statement: Sequence[Token]
) -> list[Operand]:
    """Returns the complete operands before the cursor."""
    written, facts = _read(analysis, place, _parsed(statement))
    return [to_operand(each, facts, values=True) for each in written[: count_operands(statement)]]


def _read(
    analysis: Analysis, place: TypingPlace, parsed: parser.Parsed
) -> tuple[tuple[OperandSyntax, ...], list[Facts]]:
    """Returns the operands of a statement, and facts about the names in it."""
    written, identifiers = instruction_parts.of_instruction(parsed.tree)
    position = place.range.start
    return written, [analysis.facts_of(each.full, position) for each in identifiers]


def count_operands(statement: Sequence[Token]) -> int:
    """Returns the number of operands before the cursor."""
    depth = count = 0
    for token in statement:
        if token.string in "([{":
            depth += 1
        elif token.string in ")]}":
            depth -= 1
        elif token.string == "," and not depth:
            count += 1
    return count
