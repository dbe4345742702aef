"""Judges addresses and names against what an operand place takes."""

from __future__ import annotations

from ptx_ls.isa.checking.scalar_check import describe, found_text, spec_type, wrong_kind
from ptx_ls.isa.checking.verdict import Part, Violation, ViolationKind
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import SpecRow
from ptx_ls.isa.operand import MEMORY_SPACES, OPAQUE_TYPES, Operand, OperandKind

_NOT_ADDRESSES = frozenset({"label", "branchtargets", "prototype", "function", "kernel"})
_NEVER_ADDRESSES = frozenset({OperandKind.VECTOR, OperandKind.FLOAT})
_ADDRESS_BITS = 64


def check_address(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Returns what is wrong with an address, or with an operand without brackets in its place."""
    if operand.kind is not OperandKind.ADDRESS:
        if "bare" in spec.flags and operand.kind is OperandKind.REGISTER and spec.low is None:
            return []  # ptxas checks the type of such a register only if it copies the register
        if "bare" in spec.flags and operand.kind in (OperandKind.REGISTER, OperandKind.NAME):
            return _check_base(spec, operand, scope, part)
        if "indexed" in spec.flags and operand.kind is OperandKind.NAME and operand.elements:
            return _check_base(spec, operand, scope, part)  # `array[1]` is `[array + 4]`
        return [wrong_kind(part, operand)]
    if len(operand.elements) > 1:
        size = str(len(operand.elements))
        return [Violation(ViolationKind.OPERAND_COUNT, part, size, (describe(spec, scope),))]
    if not operand.elements:
        return []
    return _check_base(spec, operand.elements[0], scope, part)


def _base_register(
    spec: SpecRow, base: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Checks the register of an address: its class, and its width if ptxas copies the register."""
    bits, class_ = scope.types.get(base.type, (0, ""))
    if class_ in ("float", "half", "predicate", "alternate"):
        expected = ("integer or untyped register",)
        return [Violation(ViolationKind.OPERAND_TYPE, part, base.type, expected)]
    is_moved = "generic" not in spec.flags or not (spec_type(spec, scope) or spec.words)
    low, high = (spec.low or 0) if is_moved else 0, spec.high or _ADDRESS_BITS
    if bits and not low <= bits <= high:
        size = f"{low}" if low == high else f"{low} to {high}" if low else f"at most {high}"
        expected = (f"register of {size} bits",)
        return [Violation(ViolationKind.OPERAND_WIDTH, part, base.type, expected)]
    return []


def _check_base(
    spec: SpecRow, base: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    is_single = base.vector_size == 1 and "." not in base.text  # not `%tid.x`
    if base.kind in _NEVER_ADDRESSES or (
        base.kind is OperandKind.SPECIAL_REGISTER and not is_single
    ):
        return [wrong_kind(part, base)]
    if "untyped" in spec.flags:
        bits = scope.types.get(base.type, (0, ""))[0]
        return [wrong_kind(part, base)] if bits > _ADDRESS_BITS else []
    space = spec_type(spec, scope)
    spaces = (space,) if space else spec.words
    if base.kind is OperandKind.REGISTER:
        return _base_register(spec, base, scope, part)
    if base.kind is OperandKind.NAME and base.space in MEMORY_SPACES:
        plain = tuple(name.partition("::")[0] for name in spaces)
        generic = not plain and base.space in (".param", ".const")
        if (plain and base.space not in plain) or generic:
            expected = ("generic address" if generic else describe(spec, scope),)
            return [Violation(ViolationKind.STATE_SPACE, part, base.space, expected)]
    if "indexed" in spec.flags and base.type in OPAQUE_TYPES:
        note = "textures, samplers and surfaces are not memory"
        return [Violation(ViolationKind.OPERAND_TYPE, part, base.type, note=note)]
    if base.kind is OperandKind.NAME and base.space in _NOT_ADDRESSES:
        return [Violation(ViolationKind.OPERAND_KIND, part, base.space)]
    if _is_constant(base) and ".local" not in spaces:
        note = "only `.local` addresses may be constants"
        return [Violation(ViolationKind.OPERAND_KIND, part, found_text(base), note=note)]
    return []


def _is_constant(base: Operand) -> bool:
    is_sum = base.kind is OperandKind.EXPRESSION and all(map(_is_constant, base.elements))
    return is_sum or base.kind is OperandKind.INTEGER


def check_name(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Returns what is wrong with a name, which denotes a label, function, variable or list."""
    if operand.kind is not OperandKind.NAME:
        return [wrong_kind(part, operand)]
    role = "variable" if operand.space.startswith(".") else operand.space
    words = spec.words
    if role and words and role not in words and operand.space not in words:
        return [wrong_kind(part, operand)]
    wanted = spec_type(spec, scope)
    if wanted.endswith("ref") and wanted != operand.type:
        is_opaque = operand.type.endswith("ref")
        if is_opaque or operand.space in MEMORY_SPACES:  # `.tex` variables are of an integer type
            found = operand.type if is_opaque else found_text(operand)
            return [Violation(ViolationKind.OPERAND_TYPE, part, found, (wanted,))]
    return []
