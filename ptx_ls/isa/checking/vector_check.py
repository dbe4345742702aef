"""Judges `{...}` against what an operand place takes: its elements, and the whole."""

from __future__ import annotations

from ptx_ls.isa.checking.neighbours import begins_with_constant, common_type, first_clash
from ptx_ls.isa.checking.scalar_check import (
    DOUBLE_BITS,
    SINGLE_BITS,
    check_immediate,
    check_register,
    describe,
    fits,
    found_text,
    is_number,
    range_violation,
    spec_count,
    spec_type,
    type_violation,
    wrong_kind,
)
from ptx_ls.isa.checking.verdict import Part, Violation, ViolationKind
from ptx_ls.isa.notation.expression import evaluate
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import SpecRow
from ptx_ls.isa.operand import Operand, OperandKind

_WHOLE_PART = 2
_ELEMENT_PART = 3
_SIZES_OF_PACKS = (1, 2, 4)
_IN_PACKS = (OperandKind.REGISTER, OperandKind.SPECIAL_REGISTER, OperandKind.UNKNOWN)


def check_vector(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Returns what is wrong with an operand that must be a vector of a certain size."""
    count = spec_count(spec, scope)
    if operand.kind is not OperandKind.VECTOR:
        is_whole = operand.kind is OperandKind.REGISTER and not operand.selector
        if is_whole and operand.vector_size == count > 1:
            return _element_type(spec, operand.type, scope, part)
        if count == 1 and "braces" not in spec.flags:
            if operand.kind is OperandKind.SINK:
                return [wrong_kind(part, operand)]
            found = check_register(spec, operand, scope, part)
            if found and "imm" in spec.flags and operand.kind is not OperandKind.REGISTER:
                return check_immediate(spec, operand, scope, part)
            return found
        is_vector = is_whole and operand.vector_size > 1
        found_size = str(operand.vector_size) if is_vector else found_text(operand)
        return [Violation(ViolationKind.VECTOR_SIZE, part, found_size, (describe(spec, scope),))]
    if len(operand.elements) != count:
        found_size = str(len(operand.elements))
        return [Violation(ViolationKind.VECTOR_SIZE, part, found_size, (describe(spec, scope),))]
    violations = _check_elements(spec, operand, scope, part)
    return _check_whole(spec, operand, scope, part, violations)


def _check_elements(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Checks each element by itself; registers of a type that fits are judged once."""
    violations: list[Violation] = []
    fitting: set[str] = set()
    n_indices = int(evaluate(spec.n_before, scope)) if spec.n_before is not None else 0
    for number, element in enumerate(operand.elements):
        if element.kind is OperandKind.REGISTER and element.type in fitting:
            continue  # fragments have up to 256 registers of one type
        is_index = number < n_indices and (is_number(element) or element.type)
        if is_index:
            continue
        found = _check_element(spec, element, scope, (*part, number))
        if not found and element.kind is OperandKind.REGISTER:
            fitting.add(element.type)
        violations += found
    return violations


def _check_whole(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part, violations: list[Violation]
) -> list[Violation]:
    """Checks a vector as ptxas does: neighbouring elements, then their common type."""
    is_register = OperandKind.REGISTER
    types = {element.type if element.kind is is_register else "" for element in operand.elements}
    if len(types) == 1 and "" not in types and spec.n_before is None:
        return violations  # nearly all vectors are of one type: nothing to compare
    clash = _clash(spec, operand, scope, part)
    if clash:
        others = (ViolationKind.OPERAND_TYPE, ViolationKind.OPERAND_WIDTH)
        return [violation for violation in violations if violation.kind not in others] + clash
    if all(is_number(element) for element in operand.elements):
        return violations + _check_constants(spec, operand, scope, part)
    common = common_type(operand.elements, scope.types)
    wide, fixed = "wide" in spec.flags, "fixed" in spec.flags
    if common and fits(scope, spec_type(spec, scope), common, wide=wide, fixed=fixed) is not None:
        return violations
    if "plain" in spec.flags and any(element.type == ".pred" for element in operand.elements):
        return violations
    tolerated = {ViolationKind.OPERAND_TYPE}
    if begins_with_constant(operand.elements):
        tolerated.add(ViolationKind.OPERAND_WIDTH)
    return [
        violation._replace(lenient=True) if violation.kind in tolerated else violation
        for violation in violations
    ]


def _check_constants(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Checks a vector of constants; if all have the same type, this must fit."""
    wanted = spec_type(spec, scope)
    bits, class_ = scope.types.get(wanted, (0, ""))
    of_place = "fixed" in spec.flags and "joined" not in spec.flags
    kinds = {
        element.text[:2].lower() == "0f" if element.kind is OperandKind.FLOAT else element.kind
        for element in operand.elements
    }
    if of_place and class_ in ("half", "alternate"):
        fitting = len(kinds) > 1
    elif kinds == {OperandKind.INTEGER}:
        fitting = (class_, bits) != ("float", SINGLE_BITS) and not (of_place and class_ == "bits")
    elif kinds in ({True}, {False}):
        width = SINGLE_BITS if kinds == {True} else DOUBLE_BITS
        fitting = class_ not in ("unsigned", "signed", "bits") or (class_, bits) == ("bits", width)
    else:
        fitting = True
    if fitting:
        return []
    expected = (describe(spec, scope),)
    return [Violation(ViolationKind.OPERAND_TYPE, part, found_text(operand), expected)]


def _clash(spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part) -> list[Violation]:
    """Returns the violation of an element that clashes with those before it.

    Leading indices are not compared, but the last of them must be an integer.
    """
    if all(element.kind is OperandKind.SINK for element in operand.elements):
        expected = ("vector with at least one register",)
        return [Violation(ViolationKind.OPERAND_TYPE, part, found_text(operand), expected)]
    index = int(evaluate(spec.n_before, scope)) if spec.n_before is not None else 0
    expected = ("element of the same width and kind as its neighbour",)
    number = first_clash(operand.elements, scope.types, index)
    if number is None:
        if not index or _is_index(operand.elements[index - 1], scope):
            return []
        number, expected = index - 1, ("index of type .u32",)
    is_whole = len(part) == _WHOLE_PART  # not a part of an address
    where: Part = ("operand", int(part[1]), number) if is_whole and len(part) > 1 else part
    found = found_text(operand.elements[number])
    return [Violation(ViolationKind.OPERAND_TYPE, where, found, expected)]


def _is_index(element: Operand, scope: ExpressionScope) -> bool:
    """Whether an operand may be the index of a layer; unknown ones may."""
    if element.kind is OperandKind.REGISTER:
        bits, class_ = scope.types.get(element.type, (0, ""))
        return not bits or class_ in ("bits", "unsigned", "signed")
    return element.kind is not OperandKind.FLOAT


def _check_element(
    spec: SpecRow, element: Operand, scope: ExpressionScope, part: tuple[str | int, ...]
) -> list[Violation]:
    where: Part = ("operand", int(part[1]), int(part[2])) if len(part) == _ELEMENT_PART else (
        "operand", int(part[1])
    )  # fmt: skip
    if element.kind is OperandKind.UNKNOWN:
        return []
    if element.kind is OperandKind.SINK:
        return [] if "sink" in spec.flags else [wrong_kind(where, element)]
    if is_number(element) and "imm" in spec.flags:
        return range_violation(spec, element, scope, where)
    if element.kind is OperandKind.SPECIAL_REGISTER and "plain" not in spec.flags:
        return _special_element(spec, element, scope, where)
    if element.kind is not OperandKind.REGISTER:
        return [wrong_kind(where, element, (f"{spec_type(spec, scope)} register",))]
    return _element_type(spec, element.type, scope, where)


def _special_element(
    spec: SpecRow, element: Operand, scope: ExpressionScope, where: Part
) -> list[Violation]:
    """Checks a special register in a vector: ptxas reads it as untyped; the manual forbids it."""
    wrong = wrong_kind(where, element, (f"{spec_type(spec, scope)} register",))
    if element.vector_size > 1 and not element.selector:
        return [wrong]
    bits = scope.types.get(element.type, (0, ""))[0]
    return _element_type(spec, f".b{bits}", scope, where) or [wrong._replace(lenient=True)]


def _element_type(
    spec: SpecRow, actual: str, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Returns the violation of an element's type; ptxas accepts integer registers for floats."""
    found = type_violation(spec, actual, scope, part)
    wanted = spec_type(spec, scope)
    wanted_bits, wanted_class = scope.types.get(wanted, (0, ""))
    bits, class_ = scope.types.get(actual, (0, ""))
    is_float = (wanted_class == "float" or wanted == ".f16") and "exact" not in spec.flags
    if is_float and class_ in ("unsigned", "signed") and bits == wanted_bits:
        return [
            violation._replace(lenient=violation.kind is ViolationKind.OPERAND_TYPE)
            for violation in found
        ]
    return found


def check_pack(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Checks a vector of equal elements that together fill the type, as in `mov.b64 d, {lo, hi}`.

    A vector register counts as its elements.
    """
    total = scope.types.get(spec_type(spec, scope), (0, ""))[0]
    if operand.kind is OperandKind.REGISTER and operand.vector_size > 1 and not operand.selector:
        if scope.types.get(operand.type, (0, ""))[0] * operand.vector_size == total:
            return []
        size = str(operand.vector_size)
        return [Violation(ViolationKind.VECTOR_SIZE, part, size, (describe(spec, scope),))]
    if operand.kind is not OperandKind.VECTOR:
        return [wrong_kind(part, operand)]
    return _clash(spec, operand, scope, part) or _check_filling(spec, operand, scope, part, total)


def _check_filling(
    spec: SpecRow, operand: Operand, scope: ExpressionScope, part: Part, total: int
) -> list[Violation]:
    """Checks that the elements of a vector have `total` bits together."""
    widths = set()
    for number, element in enumerate(operand.elements):
        if (element.kind is OperandKind.SINK and "sink" in spec.flags) or (
            is_number(element) and "imm" in spec.flags
        ):
            continue
        if element.kind not in _IN_PACKS:
            where: Part = ("operand", part[1], number) if len(part) > 1 else part
            return [wrong_kind(where, element)]
        widths.add(scope.types.get(element.type, (0, ""))[0])
    if all(element.kind is OperandKind.FLOAT for element in operand.elements):
        first = operand.elements[0].text[:2].lower()  # they are all of one kind
        widths = {SINGLE_BITS if first == "0f" else DOUBLE_BITS}
    if len(widths) > 1:
        widths.discard(1)  # predicates beside untyped registers
    count = len(operand.elements)
    if 0 in widths and count in _SIZES_OF_PACKS:
        return []
    is_filled = len(widths) <= 1 and all(width * count == total for width in widths)
    if count not in _SIZES_OF_PACKS or not is_filled:
        found = str(count)
        return [Violation(ViolationKind.VECTOR_SIZE, part, found, (describe(spec, scope),))]
    return []
