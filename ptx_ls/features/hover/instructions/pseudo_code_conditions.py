"""Evaluates the conditions of pseudo-code for an instruction in a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.execution.variant import Variant
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.instructions.operands import SPECIAL
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.operands import OperandForm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.semantics.analysis import Analysis, JudgedInstruction
    from ptx_ls.semantics.symbols.symbols import Facts
    from ptx_ls.syntax.operands import OperandSyntax


_FUNCTIONS: Final = ("kernel", "device function")
_NUMBERS: Final = frozenset(
    {
        OperandForm.INTEGER,
        OperandForm.FLOAT32,
        OperandForm.FLOAT64,
        OperandForm.DECIMAL,
        OperandForm.EXPRESSION,
    }
)


def variant_of(
    analysis: Analysis, judged: JudgedInstruction, operands: Mapping[str, str]
) -> Variant:
    """Returns the variant that is written; `operands` maps the manual's names to texts."""
    if judged.verdict is None:
        return Variant(None, {}, judged.modifiers, operands, lambda kind, _: kind == "rejected")
    is_rejected = not all(each.lenient for each in judged.verdict.violations)

    def looks(kind: str, name: str) -> bool:
        if kind == "rejected":
            return is_rejected
        if kind == "in":
            return name == _function_around(analysis, judged)
        if kind == "before":
            return _is_before(analysis.context.target, name)
        if kind == "repeated":
            return _repeats_a_number(judged, name)
        return any(
            spec.name == name and _looks(kind, operand, judged)
            for operand, spec in judged.placed_operands()
        )

    slots = {**judged.verdict.slots, **_selectors(judged)}
    return Variant(judged.form, slots, judged.modifiers, operands, looks)


def _function_around(analysis: Analysis, judged: JudgedInstruction) -> str:
    """Returns "kernel" or "function", for what an instruction is in."""
    around = analysis.function_at(judged.statement.start)
    is_kernel = around is not None and around.symbol.kind is SymbolKind.KERNEL
    return "kernel" if is_kernel else "function"


def _repeats_a_number(judged: JudgedInstruction, name: str) -> bool:
    """Whether an operand is the same constant as the operand before it."""
    before: OperandSyntax | None = None
    for operand, spec in judged.placed_operands():
        if spec.name == name and before is not None:
            value = integer(operand.text)
            return value is not None and value == integer(before.text)
        before = operand
    return False


def _is_before(targets: Sequence[str], name: str) -> bool:
    """Whether the architecture of a module is older than another; False if it is unknown."""
    architectures = filter(None, map(isa.parse_target, targets))
    limit = isa.parse_target(name)
    return limit is not None and any(number < limit[0] for number, _ in architectures)


def _selectors(judged: JudgedInstruction) -> dict[str, str]:
    """Maps slots to the selectors after operands (`.b0`) that fill them."""
    slots = judged.form.row.slots if judged.form is not None else ()
    return {
        slots[spec.row.selector].name: operand.selector
        for operand, spec in judged.placed_operands()
        if spec.row.selector >= 0 and operand.selector.startswith((".b", ".h"))
    }


def _looks(kind: str, operand: OperandSyntax, judged: JudgedInstruction) -> bool:
    facts = judged.facts
    known = facts[operand.identifier] if 0 <= operand.identifier < len(facts) else None
    match kind:
        case "negated":
            return operand.text.lstrip().startswith("-")
        case "constant":
            return operand.form in _NUMBERS
        case "name":
            is_parameter = any(text.startswith(".param") for text in judged.modifiers)
            return is_parameter and _is_name_in_brackets(operand)
        case "vector" if operand.text.startswith("{"):
            return True
    return known is not None and _is_declared_as(kind, operand, known, judged.modifiers)


def _is_declared_as(
    kind: str, operand: OperandSyntax, known: Facts, modifiers: Sequence[str]
) -> bool:
    """Whether the declaration of the name that an operand is makes it what `kind` says."""
    if known.kind == SPECIAL:
        return kind == "special" or (kind == "volatile" and _is_volatile(operand.text))
    match kind:
        case "vector":
            return known.vector_size > 1
        case "predicate":
            return known.type == ".pred"
        case "address":
            return known.space not in ("", ".reg") or known.kind in _FUNCTIONS
        case "wide":
            types = isa.database().type_facts
            own = types.get(known.type, (0, ""))[0]
            instruction_types = [text for text in modifiers if text in types]
            return own > max((types[text][0] for text in instruction_types[-1:]), default=0)
        case _:
            return False


def _is_volatile(text: str) -> bool:
    """Whether two reads of a special register may give different values."""
    name = text.partition(".")[0]
    register = find_special_register(isa.database().special_registers, name)
    return register is not None and register.volatile


def _is_name_in_brackets(operand: OperandSyntax) -> bool:
    """Whether an operand is `[name]` or `[name+0]`."""
    if operand.form is not OperandForm.ADDRESS or len(operand.elements) != 1:
        return False
    (name,) = operand.elements
    added = [integer(each.text) for each in name.elements]
    return name.form is OperandForm.IDENTIFIER and not any(number != 0 for number in added)
