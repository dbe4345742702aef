"""Judges registers and constants against what an operand place takes, as ptxas 13.5 does.

A bit-size type takes any register of that size. Integer types ignore the sign, and take packed
halves if they are the type of the instruction, not a fixed type of the place. `.f32` takes `.f32`
and `.b32`. A `wide` operand takes wider registers too.
"""

from __future__ import annotations

from ptx_ls.isa.checking.verdict import Part, Violation, ViolationKind
from ptx_ls.isa.notation.expression import evaluate
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import SpecRow
from ptx_ls.isa.operand import Operand, OperandKind

_PACKED_HALF_BITS = 32
_LOW_WORD = 0xFFFF_FFFF
SINGLE_BITS = 32
DOUBLE_BITS = 64


def is_number(operand: Operand) -> bool:
    """Whether the operand is a constant in any notation."""
    return operand.kind in (OperandKind.INTEGER, OperandKind.FLOAT, OperandKind.EXPRESSION)


def found_text(operand: Operand) -> str:
    """Returns the written text, for a message."""
    return operand.text or operand.kind.value


def wrong_kind(part: Part, operand: Operand, expected: tuple[str, ...] = ()) -> Violation:
    """Returns the violation that an operand is of a kind that is not allowed here."""
    return Violation(ViolationKind.OPERAND_KIND, part, found_text(operand), expected)


def spec_type(spec: SpecRow, scope: ExpressionScope) -> str:
    """Returns the type that a specification requires in this instruction, "" when any fits."""
    return str(evaluate(spec.type, scope)) if spec.type is not None else ""


def spec_count(spec: SpecRow, scope: ExpressionScope) -> int:
    """Returns the number of elements that a vector must have."""
    return int(evaluate(spec.size, scope)) if spec.size is not None else 1


def describe(spec: SpecRow, scope: ExpressionScope) -> str:
    """Describes an alternative: `.u32 register`, `constant from 0 to 31`, `vector of 4 .f32`."""
    type_ = spec_type(spec, scope)
    if spec.kind == "reg":
        wider = " or wider" if "wide" in spec.flags else ""
        if wider:  # a wider register of the other kind does not fit
            is_integer = scope.types.get(type_, (0, ""))[1] in ("unsigned", "signed")
            wider += " integer" if is_integer else " untyped"
        return f"{type_}{wider} register".strip()
    if spec.kind == "imm":
        return _describe_immediate(spec, type_)
    if spec.kind == "vec":
        count = spec_count(spec, scope)
        plain = count == 1 and "braces" not in spec.flags
        return f"{type_} register".strip() if plain else f"vector of {count} {type_}".strip()
    if spec.kind == "addr":
        space = type_ or " or ".join(spec.words)
        return f"{space} address".strip()
    if spec.kind == "name":
        return " ".join((*spec.words, type_)).strip()
    return {"sreg": "special register", "pack": f"vector with {type_[2:]} bits in total"}.get(
        spec.kind, spec.kind
    )


def _describe_immediate(spec: SpecRow, type_: str) -> str:
    text = "constant"
    if spec.choices:
        text = "one of " + ", ".join(map(constant_text, spec.choices))
    elif spec.low is not None:
        is_single = spec.low == spec.high
        text = (
            f"constant {spec.low}" if is_single else f"constant from {spec.low:,} to {spec.high:,}"
        )
    if spec.multiple > 1:
        text += f" that is a multiple of {spec.multiple}"
    return f"{type_} {text}".strip()


def constant_text(number: float) -> str:
    """Returns a constant as one writes it: a mask of all lanes in hexadecimal."""
    return f"{_LOW_WORD:#x}" if number == _LOW_WORD else str(number)


def fits(
    scope: ExpressionScope, wanted: str, actual: str, *, wide: bool, fixed: bool = False
) -> ViolationKind | None:
    """Returns the kind of violation if a register of type `actual` does not fit `wanted`, or None.

    `wide`: whether it may be wider. `fixed`: whether `wanted` is not a type of the instruction.
    """
    if not wanted or not actual or wanted == actual:
        return None
    wanted_bits, wanted_class = scope.types.get(wanted, (0, ""))
    bits, class_ = scope.types.get(actual, (0, ""))
    if not bits or not wanted_bits:
        return None
    if "predicate" in (wanted_class, class_):
        return ViolationKind.OPERAND_TYPE
    if bits < wanted_bits or (bits > wanted_bits and not wide):
        return ViolationKind.OPERAND_WIDTH
    if "bits" in (class_, wanted_class):
        return None
    if wanted_class in ("unsigned", "signed"):
        packed = class_ == "half" and bits == _PACKED_HALF_BITS and not fixed
        plain = class_ in ("unsigned", "signed") and "x" not in wanted
        return None if plain or packed else ViolationKind.OPERAND_TYPE
    return ViolationKind.OPERAND_TYPE


def type_violation(
    spec: SpecRow, actual: str, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Returns the violation of a register of type `actual`, if it does not fit."""
    wanted = spec_type(spec, scope)
    flags = spec.flags
    kind = fits(scope, wanted, actual, wide="wide" in flags, fixed="fixed" in flags)
    if kind is None:
        return []
    return [Violation(kind, part, actual, (describe(spec, scope),))]


def check_register(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Returns what is wrong with an operand that must be a register."""
    if operand.kind is OperandKind.SINK and "sink" in spec.flags:
        return []
    if operand.kind is not OperandKind.REGISTER:
        return [wrong_kind(part, operand)]
    if operand.vector_size > 1 and not operand.selector:
        return [
            Violation(
                ViolationKind.VECTOR_SIZE, part, str(operand.vector_size), (describe(spec, scope),)
            )
        ]
    return type_violation(spec, operand.type, scope, part)


def has_literals(type_: str, class_: str) -> bool:
    """Whether a type has constants: packed values and 16-bit floats have none."""
    return "x" not in type_ and class_ not in ("half", "alternate")


def check_immediate(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Returns what is wrong with an operand that must be a constant."""
    type_ = spec_type(spec, scope)
    class_ = scope.types.get(type_, (0, ""))[1]
    is_computed = operand.kind is OperandKind.EXPRESSION
    if operand.kind is OperandKind.FLOAT or (is_computed and operand.type == ".f64"):
        if class_ == "float" or _fills_bits(operand, scope.types.get(type_, (0, "")), spec):
            return range_violation(spec, operand, scope, part)
    elif operand.kind in (OperandKind.INTEGER, OperandKind.EXPRESSION):
        if has_literals(type_, class_) and (
            class_ != "float" or (is_computed and not operand.type)
        ):
            return range_violation(spec, operand, scope, part)
    else:
        return [wrong_kind(part, operand)]
    return [
        Violation(ViolationKind.OPERAND_TYPE, part, found_text(operand), (describe(spec, scope),))
    ]


def _fills_bits(operand: Operand, wanted: tuple[int, str], spec: SpecRow) -> bool:
    """Whether a literal fits: `.b32` takes `0f` literals, `.b64` all others."""
    bits, class_ = wanted
    single = operand.text.lstrip("(+- ")[:2].lower() == "0f"
    if not class_:
        return "decimal" in spec.flags or any(isinstance(value, float) for value in spec.choices)
    return class_ == "bits" and (bits == SINGLE_BITS if single else bits == DOUBLE_BITS)


def range_violation(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Returns the violation of a constant outside the range or the choices of its place."""
    value = operand.value
    if value is None:
        return []
    if isinstance(value, int) and "word" in spec.flags:
        value &= _LOW_WORD
    outside = (spec.low is not None and value < spec.low) or (
        spec.high is not None and value > spec.high
    )
    wrong_choice = spec.choices and value not in spec.choices
    if outside or wrong_choice or (spec.multiple > 1 and value % spec.multiple):
        found = operand.text or str(value)
        return [Violation(ViolationKind.IMMEDIATE_RANGE, part, found, (describe(spec, scope),))]
    return []
