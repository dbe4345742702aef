"""The conditions that predicates stand for, so that equal and opposite ones are recognised.

Source: PTX ISA, "Comparison and Selection Instructions" and "Logic and Shift Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls import isa
from ptx_ls.flow.compared_numbers import Comparison, Condition, Literal, Term, outcome
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.names import identifiers_of
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.operands import OperandSyntax

Cases: TypeAlias = tuple[tuple[Literal, ...], ...]
"""Sets of literals: in each case, all literals of one set are true."""

ALWAYS: Final[Condition] = ("", "", 0, 0)
"""A condition that always holds."""
_NUMBERS: Final = (OperandForm.INTEGER, OperandForm.FLOAT32, OperandForm.FLOAT64)
_OPERATORS: Final = ("and", "or", "xor")
_PACKED: Final = frozenset({"f16x2", "bf16x2"})
_CONSTANT_REGISTERS: Final = ("%tid", "%ntid", "%ctaid", "%nctaid", "%laneid", "WARP_SZ")
"""Special registers whose values a thread never sees change."""
_UNSIGNED: Final = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
"""Operators that mean the same as others if the type is unsigned."""
_NEGATIONS: Final = {"ne": "eq", "ge": "lt", "gt": "le"}
"""For comparisons of integers, the opposites of operators."""
_SWAPPED: Final = {"gt": "lt", "ge": "le"}
"""The operators that mean the same as another one with its operands swapped."""
_UNORDERED: Final = {
    "ltu": "ge",
    "leu": "gt",
    "gtu": "le",
    "geu": "lt",
    "neu": "eq",
    "equ": "ne",
    "nan": "num",
}
"""For comparisons of floats, the opposite of each operator that holds for NaN."""
_COPYING: Final = {"mov": 2, "selp": 4, "min": 3, "max": 3}
"""The number of operands of the instructions that copy one of them."""
_COMPARED: Final = frozenset((kind + width,) for kind in "suf" for width in ("16", "32", "64"))
"""The modifiers with which `min` and `max` copy an operand."""
_MASKING: Final = "and"
_COMPARING: Final = "setp"
_SYMMETRIC: Final = frozenset({"eq", "ne", "num"})


class Meaning(NamedTuple):
    """Consequences of a predicate's value for the operands of the instruction that writes it.

    For each value, these are the cases in which it has that value.
    """

    if_true: Cases = ((),)
    if_false: Cases = ((),)

    def of(self, *, value: bool) -> Cases:
        """Returns what follows from a value."""
        return self.if_true if value else self.if_false


class Copy(NamedTuple):
    """A copy of a register or number. `condition`: when it is made, if not always."""

    target: int
    source: Term
    condition: Literal | None = None


def copies(found: Found, codes: Mapping[str, int]) -> tuple[Copy, ...]:
    """Returns the registers and numbers that an instruction may copy to a register.

    `codes`: the registers in the instruction by name. Empty if something else may be copied. `min`
    and `max` copy one of their operands.
    """
    opcode, *modifiers = _opcode_parts(found)
    if opcode not in _COPYING:
        return ()
    read = _OperandReading(found, codes)
    if len(read.written) != _COPYING[opcode]:
        return ()
    target, *sources = read.written
    code, terms = read.code(target), [*map(read.copied, sources[:2])]
    if code is None or None in terms:
        return ()
    copied = [Copy(code, term) for term in terms if term is not None]
    if opcode == "mov":
        return tuple(copied)
    chosen = read.literal(sources[-1]) if opcode == "selp" else _is_first(opcode, modifiers, copied)
    if chosen is None:
        return ()
    conditions = chosen, (chosen[0], not chosen[1])
    return tuple(
        each._replace(condition=condition)
        for each, condition in zip(copied, conditions, strict=True)
    )


def limit(found: Found, codes: Mapping[str, int]) -> Literal | None:
    """Returns that the result of `and` with a constant is not above the constant.

    None for other instructions.
    """
    opcode, *modifiers = _opcode_parts(found)
    if opcode != _MASKING or modifiers[-1:] == ["pred"]:
        return None
    read = _OperandReading(found, codes)
    mask = read.written[-1] if read.written else None
    code = read.code(read.written[0]) if mask is not None else None
    if code is None or mask is None or mask.form is not OperandForm.INTEGER:
        return None
    return _comparison(f"u{modifiers[-1][1:]}", "le", code, mask.text)


def _is_first(opcode: str, modifiers: Sequence[str], sources: Sequence[Copy]) -> Literal | None:
    """Returns the condition under which the first operand is the minimum or the maximum.

    None if neither is copied: `.relu` and `.xorsign` change the operand, and packed numbers are
    mixed.
    """
    if tuple(modifiers) not in _COMPARED:
        return None
    first, second = (each.source for each in sources)
    condition, holds = _comparison(
        ".".join(modifiers), *(("lt", second, first) if opcode == "min" else ("lt", first, second))
    )
    return condition, not holds


def with_copy(comparison: Comparison, copy: Copy) -> Condition | bool | None:
    """Returns a comparison of what was copied to a register instead of the register.

    Returns its outcome if it compares two numbers; None if that is unknown.
    """
    kind, operator, *terms = comparison
    first, second = (copy.source if term == copy.target else term for term in terms)
    if isinstance(first, str) and isinstance(second, str):
        return outcome(kind, operator, first, second)
    return _comparison(kind, operator, first, second)[0]


def meanings(found: Found, codes: Mapping[str, int]) -> dict[int, Meaning]:
    """Returns the meaning of each predicate that an instruction writes, by its code.

    `codes`: the registers in the instruction by name. Empty for instructions that are not about
    predicates.
    """
    opcode, *others = _opcode_parts(found)
    if opcode == _COMPARING:
        modifiers = [it[1:] for it in isa.types_last(tuple([f".{each}" for each in others]))]
        return _of_comparison(modifiers, _OperandReading(found, codes))
    read = _OperandReading(found, codes) if others == ["pred"] else None
    if read is not None and read.written:
        target, sources = read.code(read.written[0]), [*map(read.literal, read.written[1:])]
        known = [each for each in sources if each is not None]
        meaning = _of_logic(opcode, known) if len(known) == len(sources) else None
        if target is not None and meaning is not None:
            return {target: meaning}
    return {}


def combined_with(found: Found, codes: Mapping[str, int], code: int) -> tuple[Literal, ...]:
    """Returns when the result of `and`, `or` or a combined `setp` depends on a register.

    Empty if it always may.
    """
    opcode, *modifiers = _opcode_parts(found)
    read = _OperandReading(found, codes)
    if opcode == _COMPARING:
        operator, others = next(iter(modifiers[1:]), ""), read.written[3:]
    else:
        operator, others = opcode, read.written[1:] if modifiers == ["pred"] else ()
    known = [each for each in map(read.literal, others) if each is not None and each[0] != code]
    if operator not in ("and", "or") or len(known) != 1:
        return ()
    ((condition, holds),) = known
    return ((condition, holds is (operator == "and")),)


def _opcode_parts(found: Found) -> list[str]:
    """Returns the opcode of an instruction and its modifiers, without dots."""
    return found.record.opcode.split(".") if isinstance(found.record, Shape) else [""]


class _OperandReading:
    """The operands of an instruction, and what they mean."""

    def __init__(self, found: Found, codes: Mapping[str, int]) -> None:
        record = found.record
        self.written = written_operands(record, found.text) if isinstance(record, Shape) else ()
        self._names = identifiers_of(record, found.text) if isinstance(record, Shape) else ()
        self._codes = codes

    def code(self, operand: OperandSyntax) -> int | None:
        """Returns the code of a register; None for anything else."""
        if operand.identifier < 0 or operand.selector:
            return None
        return self._codes.get(self._names[operand.identifier].name)

    def term(self, operand: OperandSyntax) -> Term | None:
        """Returns an operand of a comparison; None if its value may change unseen."""
        if operand.identifier < 0:
            return operand.text if operand.form in _NUMBERS else None
        full = self._names[operand.identifier].full
        if operand.negation or operand.elements:
            return None
        return full if full.startswith(_CONSTANT_REGISTERS) else self.code(operand)

    def copied(self, operand: OperandSyntax) -> Term | None:
        """Returns a register or a number; None for anything else."""
        return operand.text if operand.form in _NUMBERS else self.code(operand)

    def literal(self, operand: OperandSyntax) -> Literal | None:
        """Returns what it means that a predicate operand is true; None if that is unknown."""
        if operand.form is OperandForm.INTEGER:
            return ALWAYS, operand.text.lstrip("-").strip("0") != ""
        code = self.code(operand)
        return None if code is None else (code, operand.negation != "!")


def _of_logic(opcode: str, sources: Sequence[Literal]) -> Meaning | None:
    opposite = tuple((condition, not holds) for condition, holds in sources)
    match opcode, sources:
        case "mov", (source,):
            return Meaning(((source,),), (opposite,))
        case "not", (source,):
            return Meaning((opposite,), ((source,),))
        case "and", (one, other):
            return Meaning(((one, other),), (opposite[:1], (one, opposite[1])))
        case "or", (one, other):
            return Meaning(((one,), (opposite[0], other)), (opposite,))
        case "xor", (one, other):
            are_equal, differ = ((one, other), opposite), ((one, opposite[1]), (opposite[0], other))
            return Meaning(differ, are_equal)
    return None


def _of_comparison(modifiers: Sequence[str], read: _OperandReading) -> dict[int, Meaning]:
    if len(modifiers) < 2 or len(read.written) < 3 or modifiers[-1] in _PACKED:  # noqa: PLR2004
        return {}
    target, first, second = read.written[0], *map(read.term, read.written[1:3])
    if first is None or second is None:
        return {}
    kind = ".".join(each for each in modifiers[1:] if each not in _OPERATORS)
    condition = _comparison(kind, modifiers[0], first, second)
    found = {}
    pairs = [(target, condition), (target.paired, (condition[0], not condition[1]))]
    for operand, literal in pairs:
        code = read.code(operand) if operand is not None else None
        meaning = _joined(modifiers[1], literal, read)
        if code is not None and meaning is not None:
            found[code] = meaning
    return found


def _joined(operator: str, literal: Literal, read: _OperandReading) -> Meaning | None:
    """Returns the meaning of a comparison that is combined with another predicate, if any."""
    rest = read.written[3:]
    if not rest:
        return Meaning(((literal,),), (((literal[0], not literal[1]),),))
    other = read.literal(rest[0])
    return _of_logic(operator, (literal, other)) if other is not None else None


def _comparison(kind: str, operator: str, first: Term, second: Term) -> Literal:
    """Returns a comparison so that equal ones are equal, and opposite ones have opposite signs."""
    is_float, holds = "f" in kind, True
    operator = _UNSIGNED.get(operator, operator)
    opposite = (_UNORDERED if is_float else _NEGATIONS).get(operator)
    if opposite is not None:
        operator, holds = opposite, False
    if operator in _SWAPPED:
        operator, first, second = _SWAPPED[operator], second, first
    if operator == "le" and not is_float:
        operator, first, second, holds = "lt", second, first, not holds
    if operator in _SYMMETRIC:
        first, second = sorted((first, second), key=str)
        kind = kind if is_float else f"b{kind[1:]}"  # signs do not matter
    return (kind, operator, first, second), holds
