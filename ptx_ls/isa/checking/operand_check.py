"""Judges operands: which place each fills, its sign, selector and pair, and its kind and type."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ptx_ls.isa.checking.scalar_check import (
    describe,
    found_text,
    is_number,
    spec_count,
    spec_type,
    wrong_kind,
)
from ptx_ls.isa.checking.spec_check import CHECKS
from ptx_ls.isa.checking.verdict import SECOND, Part, Violation, ViolationKind
from ptx_ls.isa.notation.expression_scope import ExpressionScope
from ptx_ls.isa.notation.table import FormRow, OperandRow, SpecRow
from ptx_ls.isa.operand import COMPONENTS, MEMORY_SPACES, Operand, OperandKind

_BYTES = ".b"
"""In a vector, ptxas reads this selector as one for bytes, but without a number."""
_RESULTS = frozenset({OperandKind.REGISTER, OperandKind.SINK, OperandKind.UNKNOWN})
"""Kinds of operands that may follow `|`."""
_NO_VARIABLES = frozenset({"label", "prototype", "branchtargets", "calltargets"})


def bindings(form: FormRow, n_operands: int) -> list[tuple[OperandRow, ...]]:
    """Returns every way to omit optional operands so that `n_operands` remain."""
    rows = form.operands
    required = sum(not row.optional for row in rows)
    extra = n_operands - required
    optional = [index for index, row in enumerate(rows) if row.optional]
    if extra < 0 or extra > len(optional):
        return []
    if extra == len(optional):
        return [rows]
    return [
        tuple(row for index, row in enumerate(rows) if not row.optional or index in kept)
        for kept in combinations(optional, extra)
    ]


def bind(rows: Sequence[OperandRow], operands: Sequence[Operand]) -> dict[str, Operand]:
    """Maps the names in the form to operands, second destinations and parts of addresses."""
    bound: dict[str, Operand] = {}
    for row, operand in zip(rows, operands, strict=True):
        bound[row.name] = operand
        if row.pair and operand.paired is not None:
            bound[row.pair] = operand.paired
        if row.parts:
            parts = _part_rows(row, len(operand.elements))
            for part, element in zip(parts, operand.elements, strict=False):
                bound[part.name] = element
    return bound


def _part_rows(row: OperandRow, n_elements: int) -> tuple[OperandRow, ...]:
    missing = len(row.parts) - n_elements
    optional = [part for part in row.parts if part.optional]
    left_out = optional[-missing:] if missing > 0 else []
    return tuple(part for part in row.parts if not any(part is other for other in left_out))


def check_operand(
    row: OperandRow, operand: Operand, scope: ExpressionScope, index: int
) -> list[Violation]:
    """Returns the violations of one operand against its place in the form."""
    part: Part = ("operand", index)
    if operand.kind is OperandKind.UNKNOWN:
        return []
    if operand.kind is OperandKind.VECTOR and any(map(_is_scalar, operand.elements)):
        return _check_variables(row, operand, scope, index)
    violations = _check_decorations(row, operand, part) + _check_selector(row, operand, scope, part)
    if row.parts:
        return violations + _check_parts(row, operand, scope, index)
    return violations + _check_specs(row, operand, scope, part)


def _is_scalar(element: Operand) -> bool:
    """Whether an element is a variable in memory with one value."""
    is_variable = element.kind is OperandKind.NAME and element.space.startswith(".")
    return is_variable and not (element.is_array or element.offset)


def _check_variables(
    row: OperandRow, vector: Operand, scope: ExpressionScope, index: int
) -> list[Violation]:
    """Checks a vector with variables, which ptxas reads as registers of their types."""
    violations = check_operand(row, _with_registers(vector), scope, index)
    if not all(violation.lenient for violation in violations):
        return violations
    number = next(n for n, element in enumerate(vector.elements) if _is_scalar(element))
    expected = (f"{vector.elements[number].type} register",)
    wrong = wrong_kind(("operand", index, number), vector.elements[number], expected)
    return [wrong._replace(lenient=True)]


def _with_registers(vector: Operand) -> Operand:
    """Returns the vector with registers in place of its variables."""
    elements = tuple(
        element._replace(kind=OperandKind.REGISTER) if _is_scalar(element) else element
        for element in vector.elements
    )
    return vector._replace(elements=elements)


def _check_decorations(row: OperandRow, operand: Operand, part: Part) -> list[Violation]:
    found: list[Violation] = []
    kind = ViolationKind.OPERAND_KIND
    takes_negation = any("negated" in spec.flags for spec in row.specs)
    negatable = operand.negation in row.negation or takes_negation or is_number(operand)
    if operand.negation and not negatable:
        note = f"operand `{row.name}` cannot be negated"
        found.append(Violation(kind, part, operand.negation, note=note))
    if operand.offset and row.role == "write" and operand.kind is OperandKind.REGISTER:
        note = "nothing can be added to a result"
        found.append(Violation(kind, part, operand.text, note=note))
    targets = [spec.words for spec in row.specs if spec.kind == "name"]
    if operand.offset and targets and not any("variable" in words for words in targets):
        note = "nothing can be added to a branch target"
        found.append(Violation(kind, part, operand.text, note=note))
    if operand.paired is not None and not row.pair:
        note = f"operand `{row.name}` cannot be a pair"
        found.append(Violation(kind, part, "|", note=note))
    if row.pair and operand.paired is not None and operand.paired.type not in ("", ".pred"):
        expected = (".pred register",)
        second: Part = ("operand", int(part[-1]), SECOND)
        found.append(Violation(ViolationKind.OPERAND_TYPE, second, operand.paired.type, expected))
    elif row.pair and operand.paired is not None and operand.paired.kind not in _RESULTS:
        second = "operand", int(part[-1]), SECOND
        found.append(wrong_kind(second, operand.paired, (".pred register",)))
    if operand.paired is None and row.pair and not row.pair_optional:
        found.append(Violation(kind, part, found_text(operand), expected=(row.syntax,)))
    return found


def _check_selector(
    row: OperandRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Checks a selector after an operand that takes none."""
    selector = operand.selector
    if operand.kind in (OperandKind.VECTOR, OperandKind.ADDRESS) and not selector:
        return _check_lanes(operand, part)
    if not selector or row.selector >= 0:
        return []
    kind = ViolationKind.OPERAND_KIND
    if selector in COMPONENTS:
        if operand.vector_size > 1 or not (operand.type or operand.kind is OperandKind.NAME):
            return []
        return [Violation(kind, part, selector, note="only a vector has elements")]
    note = f"operand `{row.name}` takes no selector"
    is_second = part[1:2] == (1,) and (not row.parts or _takes_offset(row.parts[0]))
    lenient = selector == ".unified" and is_second and _is_of_global_memory(operand, scope)
    return [Violation(kind, part, selector, note=note, lenient=lenient)]


def _check_lanes(group: Operand, part: Part) -> list[Violation]:
    """Checks element selectors on scalars in a vector, which may be part of an address."""
    kind, note = ViolationKind.OPERAND_KIND, "only a vector has elements"
    found = []
    for number, element in enumerate(group.elements):
        inner = element.elements if element.kind is OperandKind.VECTOR else (element,)
        found += [
            Violation(kind, (*part, number), it.selector, note=note)
            for it in inner
            if _is_lane_of_one(it)
        ]
    return found


def _is_lane_of_one(element: Operand) -> bool:
    is_lane = element.selector in COMPONENTS and element.selector != _BYTES
    return is_lane and element.vector_size == 1 and bool(element.type)


def _is_of_global_memory(operand: Operand, scope: ExpressionScope) -> bool:
    """Whether an operand is a global address on which ptxas accepts `.unified`."""
    first = next(iter(scope.operands.values()), operand)
    is_compound = first.kind is OperandKind.ADDRESS and len(first.elements) > 1
    if operand.kind is not OperandKind.ADDRESS or is_compound:
        return False
    written = [value for value in scope.values if value.partition("::")[0] in MEMORY_SPACES]
    named = [base.space for base in operand.elements[:1] if base.space]
    return all(space == ".global" for space in (*written[:1], *named))


def _check_parts(
    row: OperandRow, operand: Operand, scope: ExpressionScope, index: int
) -> list[Violation]:
    if operand.kind is not OperandKind.ADDRESS:
        if any("bare" in spec.flags for spec in row.specs):
            return []
        return [wrong_kind(("operand", index), operand, (row.syntax,))]
    parts = _part_rows(row, len(operand.elements))
    required = sum(not part.optional for part in row.parts)
    if not required <= len(operand.elements) <= len(row.parts):
        return [
            Violation(
                ViolationKind.OPERAND_COUNT,
                ("operand", index),
                str(len(operand.elements)),
                (row.syntax,),
            )
        ]
    found: list[Violation] = []
    for number, (part, element) in enumerate(zip(parts, operand.elements, strict=True)):
        where: Part = ("operand", index, number)
        if element.offset and (len(operand.elements) > 1 or not _takes_offset(part)):
            found.append(wrong_kind(where, element, (row.syntax,)))
        elif element.kind is OperandKind.VECTOR:
            found += _check_specs(part, _with_registers(element), scope, where)
        elif element.kind is not OperandKind.UNKNOWN:
            found += _check_specs(part, element, scope, where)
    return found


def _takes_offset(part: OperandRow) -> bool:
    """Whether a part is an address in memory; ptxas adds no offset to textures and surfaces."""
    return any(spec.kind == "addr" or "offset" in spec.flags for spec in part.specs)


def _check_specs(
    row: OperandRow, operand: Operand, scope: ExpressionScope, part: Part
) -> list[Violation]:
    """Checks the alternatives in turn; if none fits, returns the violations of the nearest one."""
    nearest: list[Violation] | None = None
    tolerated: list[Violation] | None = None
    rank = len(_RANKS) + 1
    specs = [spec for spec in row.specs if spec.size is None or spec_count(spec, scope)]
    for spec in specs:
        found = CHECKS[spec.kind](spec, operand, scope, part)
        if not found and "lenient" in spec.flags:
            expected = tuple(
                describe(other, scope) for other in specs if "lenient" not in other.flags
            )
            return [
                Violation(
                    ViolationKind.OPERAND_KIND, part, found_text(operand), expected, lenient=True
                )
            ]
        if not found:
            return []
        if all(violation.lenient for violation in found):
            tolerated = tolerated or found
            continue
        this = _RANKS.index(found[0].kind) if found[0].kind in _RANKS else 0
        if this < rank:
            nearest, rank = found, this
    if tolerated is not None:
        return tolerated
    lenient = row.role == "read" and any(_is_value(spec, operand, scope) for spec in specs)
    is_general = nearest is not None and len(nearest[0].part) == len(part)
    if nearest is None or (nearest[0].kind is ViolationKind.OPERAND_KIND and is_general):
        expected = tuple(describe(spec, scope) for spec in specs if "lenient" not in spec.flags)
        text, note = found_text(operand), nearest[0].note if nearest else ""
        return [
            Violation(ViolationKind.OPERAND_KIND, part, text, expected, note=note, lenient=lenient)
        ]
    return [violation._replace(lenient=True) for violation in nearest] if lenient else nearest


def _is_value(spec: SpecRow, operand: Operand, scope: ExpressionScope) -> bool:
    """Whether ptxas reads a name as a value where it needs a register.

    The address of a function fits every type that the instruction itself names; the address of a
    variable plus an offset fits all types but floats.
    """
    if operand.kind is not OperandKind.NAME or spec.kind not in ("reg", "vec"):
        return False
    if spec.kind == "vec" and spec_count(spec, scope) != 1:
        return False
    class_ = scope.types.get(spec_type(spec, scope), (0, ""))[1]
    if operand.space in ("function", "kernel"):
        is_own = class_ in ("bits", "predicate") and spec_type(spec, scope) in scope.values
        return is_own or "fixed" not in spec.flags
    is_sum = operand.offset and not operand.elements and operand.space not in _NO_VARIABLES
    return is_sum and class_ in ("unsigned", "signed", "bits")


_RANKS = (
    ViolationKind.IMMEDIATE_RANGE,
    ViolationKind.STATE_SPACE,
    ViolationKind.OPERAND_TYPE,
    ViolationKind.OPERAND_WIDTH,
    ViolationKind.VECTOR_SIZE,
    ViolationKind.OPERAND_KIND,
)
