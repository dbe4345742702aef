"""Judges an operand against one alternative of its place, by the kind of the alternative."""

from __future__ import annotations

from ptx_ls.isa.checking.address_check import check_address, check_name
from ptx_ls.isa.checking.scalar_check import (
    check_immediate,
    check_register,
    spec_count,
    spec_type,
    wrong_kind,
)
from ptx_ls.isa.checking.vector_check import check_pack, check_vector
from ptx_ls.isa.checking.verdict import Part, Violation, ViolationKind
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import SpecRow
from ptx_ls.isa.operand import Operand, OperandKind


def _check_special_register(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    if operand.kind is not OperandKind.SPECIAL_REGISTER:
        return [wrong_kind(part, operand)]
    wanted, actual = spec_type(spec, scope), operand.type
    size = 1 if operand.selector else operand.vector_size
    if size not in (1, spec_count(spec, scope)):
        expected = ("single component",)
        return [Violation(ViolationKind.VECTOR_SIZE, part, str(size), expected)]
    wanted_bits, wanted_class = scope.types.get(wanted, (0, ""))
    bits, class_ = scope.types.get(actual, (0, ""))
    if not bits or not wanted_bits:
        return []
    if ("predicate" in (wanted_class, class_) and wanted_class != class_) or wanted_class in (
        "float", "half", "alternate",
    ):  # fmt: skip
        return [Violation(ViolationKind.OPERAND_TYPE, part, actual, (wanted,))]
    narrowest = scope.types.get(operand.space, (bits, ""))[0]
    too_wide = wanted_bits < narrowest and "wide" not in spec.flags
    if (wanted_bits > bits or too_wide) and not operand.offset:
        return [Violation(ViolationKind.OPERAND_WIDTH, part, actual, (wanted,))]
    return []


def _check_list(
    _spec: SpecRow, operand: Operand, _scope: ExpressionScope, part: Part
) -> list[Violation]:
    is_list = operand.kind in (OperandKind.LIST, OperandKind.EXPRESSION)  # `(5)` is read as either
    return [] if is_list else [wrong_kind(part, operand)]


def _check_string(
    _spec: SpecRow, operand: Operand, _scope: ExpressionScope, part: Part
) -> list[Violation]:
    return [] if operand.kind is OperandKind.STRING else [wrong_kind(part, operand)]


def _check_anything(
    _spec: SpecRow, _operand: Operand, _scope: ExpressionScope, _part: Part
) -> list[Violation]:
    return []


CHECKS = {
    "reg": check_register,
    "imm": check_immediate,
    "vec": check_vector,
    "pack": check_pack,
    "addr": check_address,
    "name": check_name,
    "sreg": _check_special_register,
    "list": _check_list,
    "str": _check_string,
    "any": _check_anything,
}
