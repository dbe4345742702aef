"""Judges one operand against one thing that its place takes.

The rules are the ones ptxas 13.5 follows: a bit-size type takes any register of that size, integer
types ignore the sign (and take packed halves where they are the type of the instruction, not of
the place), `.f32` takes `.f32` and `.b32`, a `wide` operand takes wider registers too, and an
address any integer register.
"""

from __future__ import annotations

from dataclasses import replace

from ptx_ls.isa.expression import Scope, evaluate
from ptx_ls.isa.neighbours import begins_with_constant, common_type, first_clash
from ptx_ls.isa.operand import Operand, OperandKind
from ptx_ls.isa.table import SpecRow
from ptx_ls.isa.verdict import Part, Violation, ViolationKind

_LANES = frozenset({".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a"})
_SPACES = frozenset({".global", ".shared", ".local", ".const", ".param"})
_NOT_ADDRESSES = frozenset({"label", "branchtargets", "prototype", "function", "kernel"})
_ADDRESS_BITS = 64


def is_number(operand: Operand) -> bool:
    """Whether the operand is a constant of any spelling."""
    return operand.kind in (OperandKind.INTEGER, OperandKind.FLOAT, OperandKind.EXPRESSION)


def found_text(operand: Operand) -> str:
    """What was written, for a message."""
    return operand.text or operand.kind.value


def wrong_kind(part: Part, operand: Operand, expected: tuple[str, ...] = ()) -> Violation:
    """The violation that an operand is of a kind that cannot stand here."""
    return Violation(ViolationKind.OPERAND_KIND, part, found_text(operand), expected)


def spec_type(spec: SpecRow, scope: Scope) -> str:
    """The type a specification asks for in this instruction, "" when any will do."""
    return str(evaluate(spec.type, scope)) if spec.type is not None else ""


def spec_count(spec: SpecRow, scope: Scope) -> int:
    """The number of elements a vector must have."""
    return int(evaluate(spec.size, scope)) if spec.size is not None else 1


def describe(spec: SpecRow, scope: Scope) -> str:
    """An alternative for people: `.u32 register`, `integer 0..31`, `vector of 4 .f32`."""
    type_ = spec_type(spec, scope)
    if spec.kind == "reg":
        wider = " or wider" if "wide" in spec.flags else ""
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
    return {"sreg": "special register", "pack": f"vector filling {type_}"}.get(spec.kind, spec.kind)


def _describe_immediate(spec: SpecRow, type_: str) -> str:
    text = "constant"
    if spec.choices:
        text = "one of " + ", ".join(str(choice) for choice in spec.choices)
    elif spec.low is not None:
        text = f"constant {spec.low}..{spec.high}"
    if spec.multiple > 1:
        text += f" multiple of {spec.multiple}"
    return f"{type_} {text}".strip()


def fits(
    scope: Scope, wanted: str, actual: str, *, wide: bool, fixed: bool = False
) -> ViolationKind | None:
    """Whether a register of type `actual` may stand for `wanted`; the kind of violation if not.

    `wide`: it may be wider. `fixed`: the type is that of the place, not of the instruction.
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


_PACKED_HALF_BITS = 32
_LOW_WORD = 0xFFFF_FFFF


def _type_violation(spec: SpecRow, actual: str, scope: Scope, part: Part) -> list[Violation]:
    wanted = spec_type(spec, scope)
    flags = spec.flags
    kind = fits(scope, wanted, actual, wide="wide" in flags, fixed="fixed" in flags)
    if kind is None:
        return []
    return [Violation(kind, part, actual, (describe(spec, scope),))]


def _check_register(spec: SpecRow, operand: Operand, scope: Scope, part: Part) -> list[Violation]:
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
    return _type_violation(spec, operand.type, scope, part)


def _check_immediate(spec: SpecRow, operand: Operand, scope: Scope, part: Part) -> list[Violation]:
    type_ = spec_type(spec, scope)
    class_ = scope.types.get(type_, (0, ""))[1]
    if operand.kind is OperandKind.FLOAT:
        if class_ == "float" or _fills_bits(operand, scope.types.get(type_, (0, "")), spec):
            return _range_violation(spec, operand, scope, part)
    elif operand.kind in (OperandKind.INTEGER, OperandKind.EXPRESSION):
        is_scalar = "x" not in type_ and class_ not in ("half", "alternate")
        if is_scalar and (class_ != "float" or operand.kind is OperandKind.EXPRESSION):
            return _range_violation(spec, operand, scope, part)
    else:
        return [wrong_kind(part, operand)]
    return [
        Violation(ViolationKind.OPERAND_TYPE, part, found_text(operand), (describe(spec, scope),))
    ]


def _fills_bits(operand: Operand, wanted: tuple[int, str], spec: SpecRow) -> bool:
    """`.b32` takes `0f` literals, `.b64` all others; a place without a type takes any float."""
    bits, class_ = wanted
    single = operand.text[:2].lower() == "0f"
    if not class_:
        return "decimal" in spec.flags or any(isinstance(value, float) for value in spec.choices)
    return class_ == "bits" and (bits == _SINGLE_BITS if single else bits == _DOUBLE_BITS)


_SINGLE_BITS = 32
_DOUBLE_BITS = 64


def _range_violation(spec: SpecRow, operand: Operand, scope: Scope, part: Part) -> list[Violation]:
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


def _check_vector(spec: SpecRow, operand: Operand, scope: Scope, part: Part) -> list[Violation]:
    count = spec_count(spec, scope)
    if operand.kind is not OperandKind.VECTOR:
        if operand.kind is OperandKind.REGISTER and operand.vector_size == count > 1:
            return _element_type(spec, operand.type, scope, part)
        if count == 1 and "braces" not in spec.flags:
            if operand.kind is OperandKind.SINK:
                return [wrong_kind(part, operand)]
            found = _check_register(spec, operand, scope, part)
            if found and "imm" in spec.flags and operand.kind is not OperandKind.REGISTER:
                return _check_immediate(spec, operand, scope, part)
            return found
        return [
            Violation(
                ViolationKind.VECTOR_SIZE, part, found_text(operand), (describe(spec, scope),)
            )
        ]
    if len(operand.elements) != count:
        found_size = str(len(operand.elements))
        return [Violation(ViolationKind.VECTOR_SIZE, part, found_size, (describe(spec, scope),))]
    violations: list[Violation] = []
    n_indices = int(evaluate(spec.n_before, scope)) if spec.n_before is not None else 0
    for number, element in enumerate(operand.elements):
        is_index = number < n_indices and (is_number(element) or element.type)
        if not is_index:
            violations += _check_element(spec, element, scope, (*part, number))
    return _check_whole(spec, operand, scope, part, violations)


def _check_whole(
    spec: SpecRow, operand: Operand, scope: Scope, part: Part, violations: list[Violation]
) -> list[Violation]:
    """What ptxas looks at: neighbours, then the type that all elements have in common."""
    is_register = OperandKind.REGISTER
    types = {element.type if element.kind is is_register else "" for element in operand.elements}
    if len(types) == 1 and "" not in types and spec.n_before is None:
        return violations  # of one type, as nearly always: nothing to compare
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
        replace(violation, lenient=True) if violation.kind in tolerated else violation
        for violation in violations
    ]


def _check_constants(spec: SpecRow, operand: Operand, scope: Scope, part: Part) -> list[Violation]:
    """A vector without registers: its constants are all of a type that fits, or it is mixed."""
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
        fitting = (class_, bits) != ("float", _SINGLE_BITS) and not (of_place and class_ == "bits")
    elif kinds in ({True}, {False}):
        width = _SINGLE_BITS if kinds == {True} else _DOUBLE_BITS
        fitting = class_ not in ("unsigned", "signed", "bits") or (class_, bits) == ("bits", width)
    else:
        fitting = True
    if fitting:
        return []
    expected = (describe(spec, scope),)
    return [Violation(ViolationKind.OPERAND_TYPE, part, found_text(operand), expected)]


def _clash(spec: SpecRow, operand: Operand, scope: Scope, part: Part) -> list[Violation]:
    """The violation of an element that does not go with those before it.

    Indices before the values have no part in it; the last of them is an integer.
    """
    if all(element.kind is OperandKind.SINK for element in operand.elements):
        expected = ("register among the elements",)
        return [Violation(ViolationKind.OPERAND_TYPE, part, found_text(operand), expected)]
    index = int(evaluate(spec.n_before, scope)) if spec.n_before is not None else 0
    expected = ("element of the same width and class as its neighbour",)
    number = first_clash(operand.elements, scope.types, index)
    if number is None:
        if not index or _is_index(operand.elements[index - 1], scope):
            return []
        number, expected = index - 1, ("index of type .u32",)
    is_whole = len(part) == _WHOLE_PART  # not a part of an address
    where: Part = ("operand", int(part[1]), number) if is_whole and len(part) > 1 else part
    found = found_text(operand.elements[number])
    return [Violation(ViolationKind.OPERAND_TYPE, where, found, expected)]


_WHOLE_PART = 2


def _is_index(element: Operand, scope: Scope) -> bool:
    """Whether a layer may be written so; unknown operands may."""
    if element.kind is OperandKind.REGISTER:
        bits, class_ = scope.types.get(element.type, (0, ""))
        return not bits or class_ in ("bits", "unsigned", "signed")
    return element.kind is not OperandKind.FLOAT


def _check_element(
    spec: SpecRow, element: Operand, scope: Scope, part: tuple[str | int, ...]
) -> list[Violation]:
    where: Part = ("operand", int(part[1]), int(part[2])) if len(part) == _ELEMENT_PART else (
        "operand", int(part[1])
    )  # fmt: skip
    if element.kind is OperandKind.UNKNOWN:
        return []
    if element.kind is OperandKind.SINK:
        return [] if "sink" in spec.flags else [wrong_kind(where, element)]
    if is_number(element) and "imm" in spec.flags:
        return _range_violation(spec, element, scope, where)
    if element.kind is OperandKind.SPECIAL_REGISTER and "plain" not in spec.flags:
        return _special_element(spec, element, scope, where)
    if element.kind is not OperandKind.REGISTER:
        return [wrong_kind(where, element, (f"{spec_type(spec, scope)} register",))]
    return _element_type(spec, element.type, scope, where)


def _special_element(spec: SpecRow, element: Operand, scope: Scope, where: Part) -> list[Violation]:
    """Ptxas takes a special register in a vector for an untyped one; the manual says not."""
    wrong = wrong_kind(where, element, (f"{spec_type(spec, scope)} register",))
    if element.vector_size > 1 and not element.selector:
        return [wrong]
    bits = scope.types.get(element.type, (0, ""))[0]
    return _element_type(spec, f".b{bits}", scope, where) or [replace(wrong, lenient=True)]


def _element_type(spec: SpecRow, actual: str, scope: Scope, part: Part) -> list[Violation]:
    """The violation of an element's type; ptxas takes integer registers where floats are meant."""
    found = _type_violation(spec, actual, scope, part)
    wanted = spec_type(spec, scope)
    wanted_bits, wanted_class = scope.types.get(wanted, (0, ""))
    bits, class_ = scope.types.get(actual, (0, ""))
    is_float = (wanted_class == "float" or wanted == ".f16") and "exact" not in spec.flags
    if is_float and class_ in ("unsigned", "signed") and bits == wanted_bits:
        return [
            replace(violation, lenient=violation.kind is ViolationKind.OPERAND_TYPE)
            for violation in found
        ]
    return found


_ELEMENT_PART = 3


def _check_pack(spec: SpecRow, operand: Operand, scope: Scope, part: Part) -> list[Violation]:
    """A vector of equal elements that together fill the type, as in `mov.b64 d, {lo, hi}`.

    A vector register stands for its elements.
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


_IN_PACKS = (OperandKind.REGISTER, OperandKind.SPECIAL_REGISTER, OperandKind.UNKNOWN)


def _check_filling(
    spec: SpecRow, operand: Operand, scope: Scope, part: Part, total: int
) -> list[Violation]:
    """Whether the elements of a vector have `total` bits together."""
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
    if len(widths) > 1:
        widths.discard(1)  # predicates that stand beside untyped registers
    if 0 in widths:
        return []
    if len(widths) > 1 or any(width * len(operand.elements) != total for width in widths):
        found = str(len(operand.elements))
        return [Violation(ViolationKind.VECTOR_SIZE, part, found, (describe(spec, scope),))]
    return []


def _check_address(spec: SpecRow, operand: Operand, scope: Scope, part: Part) -> list[Violation]:
    if operand.kind is not OperandKind.ADDRESS:
        if "bare" in spec.flags and operand.kind is OperandKind.REGISTER and spec.low is None:
            return []  # ptxas looks at the type of such a register only where it moves it
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


def _base_register(spec: SpecRow, base: Operand, scope: Scope, part: Part) -> list[Violation]:
    """An address needs an integer; its width matters where ptxas says how wide it moves it."""
    bits, class_ = scope.types.get(base.type, (0, ""))
    if class_ in ("float", "half", "predicate", "alternate"):
        expected = ("integer or untyped register",)
        return [Violation(ViolationKind.OPERAND_TYPE, part, base.type, expected)]
    is_moved = "generic" not in spec.flags or not (spec_type(spec, scope) or spec.words)
    low, high = (spec.low or 0) if is_moved else 0, spec.high or _ADDRESS_BITS
    if bits and not low <= bits <= high:
        expected = (
            f"register of {low} bits" if low == high else f"register of {low}..{high} bits",
        )
        return [Violation(ViolationKind.OPERAND_WIDTH, part, base.type, expected)]
    return []


_NEVER_ADDRESSES = frozenset({OperandKind.VECTOR, OperandKind.FLOAT})


def _check_base(spec: SpecRow, base: Operand, scope: Scope, part: Part) -> list[Violation]:
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
    if base.kind is OperandKind.NAME and base.space in _SPACES:
        plain = tuple(name.partition("::")[0] for name in spaces)
        generic = not plain and base.space in (".param", ".const")
        if (plain and base.space not in plain) or generic:
            expected = (describe(spec, scope),)
            return [Violation(ViolationKind.STATE_SPACE, part, base.space, expected)]
    if base.kind is OperandKind.NAME and base.space in _NOT_ADDRESSES:
        return [Violation(ViolationKind.OPERAND_KIND, part, base.space)]
    if base.kind is OperandKind.INTEGER and ".local" not in spaces:
        note = "only .local addresses may be constants"
        return [Violation(ViolationKind.OPERAND_KIND, part, found_text(base), note=note)]
    return []


def _check_name(spec: SpecRow, operand: Operand, scope: Scope, part: Part) -> list[Violation]:
    if operand.kind is not OperandKind.NAME:
        return [wrong_kind(part, operand)]
    role = "variable" if operand.space.startswith(".") else operand.space
    words = spec.words
    if role and words and role not in words and operand.space not in words:
        return [wrong_kind(part, operand)]
    wanted = spec_type(spec, scope)
    if wanted.endswith("ref") and wanted != operand.type:
        is_opaque = operand.type.endswith("ref")
        if is_opaque or operand.space in _SPACES:  # `.tex` variables are of an integer type
            found = operand.type if is_opaque else found_text(operand)
            return [Violation(ViolationKind.OPERAND_TYPE, part, found, (wanted,))]
    return []


def _check_special_register(
    spec: SpecRow, operand: Operand, scope: Scope, part: Part
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


def _check_list(_spec: SpecRow, operand: Operand, _scope: Scope, part: Part) -> list[Violation]:
    is_list = operand.kind in (OperandKind.LIST, OperandKind.EXPRESSION)  # `(5)` is read as either
    return [] if is_list else [wrong_kind(part, operand)]


def _check_string(_spec: SpecRow, operand: Operand, _scope: Scope, part: Part) -> list[Violation]:
    return [] if operand.kind is OperandKind.STRING else [wrong_kind(part, operand)]


def _check_anything(
    _spec: SpecRow, _operand: Operand, _scope: Scope, _part: Part
) -> list[Violation]:
    return []


CHECKS = {
    "reg": _check_register,
    "imm": _check_immediate,
    "vec": _check_vector,
    "pack": _check_pack,
    "addr": _check_address,
    "name": _check_name,
    "sreg": _check_special_register,
    "list": _check_list,
    "str": _check_string,
    "any": _check_anything,
}
