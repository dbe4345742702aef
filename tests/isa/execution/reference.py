"""The results of each executable instruction that its pseudo-code has to give."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isinf, isnan

import numpy as np

from tests.isa.execution import reference_floats as floats
from tests.isa.execution import reference_video as video
from tests.isa.execution.reference_integers import (
    CARRY_OUT,
    INTEGER_FORMS,
    PACKED,
    REFERENCES,
    cut,
    limits,
    saturate,
    value,
    width,
)
from tests.isa.execution.variants import Case

Bits = Mapping[str, int]
NAN = None
"""An element whose bits are those of some NaN."""
Expected = dict[str, int | list[int | None] | None]
_PARTS = {"f16x2": 2, "bf16x2": 2, "f32x2": 2}


class Unspecified(Exception):  # noqa: N818  no error
    """The manual leaves the result open."""


def expected(case: Case, operands: Bits) -> Expected:
    """Destinations by name: bits, or a list of the bits of each part with None for NaN.

    Raises Unspecified.
    """
    opcode, slots = case.opcode, case.slots
    if opcode in REFERENCES:
        return _settled(REFERENCES[opcode](slots, case.modifiers, operands))
    if opcode == "vmad":
        return dict(video.multiply_add(slots, case.modifiers, case.selectors, operands))
    if opcode.startswith("v") and opcode != "vote":
        compute = video.vector if opcode[-1] in "24" else video.scalar
        return dict(compute(opcode, slots, case.modifiers, case.selectors, operands))
    if opcode in _FLOATS and (case.form.id not in ("integer", "low-high", "carry-out")):
        types = [it for it in case.modifiers if it.lstrip(".").split("x")[0] in floats.WIDTHS]
        if types:
            return _FLOATS[opcode](case, operands)
    if ".cc" in case.modifiers and opcode in CARRY_OUT:
        return _settled(CARRY_OUT[opcode](slots, case.modifiers, operands))
    if opcode in INTEGER_FORMS:
        return _settled(INTEGER_FORMS[opcode](slots, case.modifiers, operands))
    return _OTHERS[opcode](case, operands)


def _settled(found: dict[str, int] | None) -> Expected:
    if found is None:
        raise Unspecified
    return dict(found)


def _elements(bits: int, type_name: str) -> list[float]:
    name = type_name.lstrip(".")
    if name not in _PARTS:
        return [floats.decode(bits, name)]
    part = name[:-2]
    size = floats.WIDTHS[part]
    return [floats.decode(bits >> size * i & (1 << size) - 1, part) for i in range(2)]


def _element_type(type_name: str) -> str:
    name = type_name.lstrip(".")
    return name[:-2] if name in _PARTS else name


def _mode(case: Case) -> str:
    return case.slots.get("rnd", ".rn")[1:]


def _finished(case: Case, numbers: list[floats.Number], name: str) -> Expected:
    """Results rounded, flushed, saturated."""
    mode = _mode(case)
    found: list[int | None] = []
    for number in numbers:
        if ".ftz" in case.modifiers and name != "f64":
            bits = floats.flushed_result(number, name, mode)
        else:
            bits = floats.encode(number, name, mode)
        found.append(_clamped(case, bits, name))
    return {"d": found}


def _clamped(case: Case, bits: int | None, name: str) -> int | None:
    if ".sat" in case.modifiers:
        one = floats.encode(1.0, name)
        assert one is not None
        if bits is None or floats.decode(bits, name) <= 0:
            return 0
        return min(bits, one)
    if ".relu" in case.modifiers and bits is not None and floats.decode(bits, name) < 0:
        return 0
    return bits


def _flushed(case: Case, numbers: list[float], name: str) -> list[floats.Number]:
    if ".ftz" in case.modifiers and name in ("f16", "f32"):
        return [floats.flush(it, name) for it in numbers]
    return list(numbers)


def _arithmetic(combine: Callable[..., floats.Number]) -> Callable[[Case, Bits], Expected]:
    def compute(case: Case, operands: Bits) -> Expected:
        rows: list[list[floats.Number]] = []
        for name in case.sources:
            type_ = case.type_of(name)
            numbers = _elements(operands[name], type_)
            rows.append(_flushed(case, numbers, _element_type(type_)))
        result = _element_type(case.type_of("d"))
        mode = "rz" if case.slots.get("ctype") == ".f32x2" else _mode(case)
        results: list[floats.Number] = [combine(*row, mode) for row in zip(*rows, strict=True)]
        if case.slots.get("ctype") == ".f32x2" and "b" not in case.sources:
            return {"d": [floats.encode(it, result, "rz") for it in results]}
        return _finished(case, results, result)

    return compute


def _fused(a: floats.Number, b: floats.Number, c: floats.Number, mode: str) -> floats.Number:
    return floats.add(floats.multiply(a, b), c, mode)


def _subtract(a: floats.Number, b: floats.Number, mode: str) -> floats.Number:
    return floats.add(a, -b, mode)


def _divide(case: Case, operands: Bits) -> Expected:
    if "rnd" not in case.slots and ".f64" not in case.modifiers:
        raise Unspecified
    return _arithmetic(lambda a, b, _: floats.divide(a, b))(case, operands)


def _reciprocal(case: Case, operands: Bits) -> Expected:
    if "rnd" not in case.slots:
        raise Unspecified
    return _arithmetic(lambda a, _: floats.divide(1.0, a))(case, operands)


def _root(case: Case, operands: Bits) -> Expected:
    if "rnd" not in case.slots and ".f64" not in case.modifiers:
        raise Unspecified
    name = case.type_of("d")
    number = _flushed(case, _elements(operands["a"], name), name)[0]
    return {"d": [floats.square_root(float(number), name, _mode(case))]}


def _approximate(_case: Case, _operands: Bits) -> Expected:
    raise Unspecified


def _sign(change: Callable[[float], float]) -> Callable[[Case, Bits], Expected]:
    def compute(case: Case, operands: Bits) -> Expected:
        name = _element_type(case.type_of("d"))
        numbers = _flushed(case, _elements(operands["a"], case.type_of("a")), name)
        return {"d": [floats.encode(change(float(it)), name) for it in numbers]}

    return compute


def _extremum(*, largest: bool) -> Callable[[Case, Bits], Expected]:
    def compute(case: Case, operands: Bits) -> Expected:
        name = _element_type(case.type_of("d"))
        rows = [
            [
                float(it)
                for it in _flushed(case, _elements(operands[source], case.type_of(source)), name)
            ]
            for source in case.sources
        ]
        found = []
        for place, row in enumerate(zip(*rows, strict=True)):
            top = floats.WIDTHS[name] * (place + 1) - 1
            signs = [bool(operands[it] >> top & 1) for it in case.sources]
            values = [abs(it) if ".abs" in case.modifiers else it for it in row]
            number = values[0]
            for other in values[1:]:
                number = floats.minimum(number, other, largest=largest)
            if ".NaN" in case.modifiers and any(map(isnan, values)):
                number = float("nan")
            if ".xorsign" in case.modifiers:
                number = -abs(number) if signs[0] != signs[1] else abs(number)
            found.append(floats.encode(number, name))
        return {"d": found}

    return compute


_FLOATS: dict[str, Callable[[Case, Bits], Expected]] = {
    "abs": _sign(abs),
    "add": _arithmetic(floats.add),
    "cos": _approximate,
    "div": _divide,
    "ex2": _approximate,
    "fma": _arithmetic(_fused),
    "lg2": _approximate,
    "mad": _arithmetic(_fused),
    "max": _extremum(largest=True),
    "min": _extremum(largest=False),
    "mul": _arithmetic(lambda a, b, _: floats.multiply(a, b)),
    "neg": _sign(lambda it: -it),
    "rcp": _reciprocal,
    "rsqrt": _approximate,
    "sin": _approximate,
    "sqrt": _root,
    "sub": _arithmetic(_subtract),
    "tanh": _approximate,
}


def _number(bits: int, type_name: str) -> float:
    """The value of any scalar type; integers as far as a comparison needs them."""
    name = type_name.lstrip(".")
    return floats.decode(bits, name) if name in floats.WIDTHS else value(bits, name)


def _compared(case: Case, operands: Bits, part: int | None = None) -> bool:
    type_ = case.type_of("a").lstrip(".")
    sides = []
    for name in "ab":
        bits = operands[name]
        if part is not None:
            own, count = PACKED.get(type_, (type_[:-2], 2))
            size = 32 // count
            bits, scalar = bits >> size * part & (1 << size) - 1, own
        else:
            scalar = type_
        number = _number(bits, scalar)
        if ".ftz" in case.modifiers and scalar in ("f16", "f32"):
            number = float(floats.flush(number, scalar))
        sides.append(number)
    return floats.compare(case.slots["CmpOp"][1:], *sides)


def _joined(case: Case, operands: Bits, truth: object) -> bool:
    c = bool(operands.get("c", 0) & 1)
    match case.slots.get("BoolOp"):
        case ".and":
            return bool(truth) and c
        case ".or":
            return bool(truth) or c
        case ".xor":
            return bool(truth) != c
        case _:
            return bool(truth)


def _set_predicate(case: Case, operands: Bits) -> Expected:
    is_packed = case.type_of("a") in _PARTS
    t = _compared(case, operands, 0 if is_packed else None)
    u = _compared(case, operands, 1) if is_packed else not t
    return {"p": int(_joined(case, operands, t)), "q": int(_joined(case, operands, u))}


def _set(case: Case, operands: Bits) -> Expected:
    source, result = case.type_of("a"), case.type_of("d")
    if source in _PARTS or source in PACKED:
        count = 2 if source in _PARTS else PACKED[source][1]
        size = 32 // count
        true = floats.encode(1.0, result[:-2]) if result in _PARTS else (1 << size) - 1
        assert true is not None
        truths = [_joined(case, operands, _compared(case, operands, i)) for i in range(count)]
        return {"d": sum(true * truth << size * i for i, truth in enumerate(truths))}
    truth = _joined(case, operands, _compared(case, operands))
    if result in floats.WIDTHS:
        return {"d": floats.encode(float(truth), result)}
    return {"d": cut(-1, result) if truth else 0}


def _select(_case: Case, operands: Bits) -> Expected:
    return {"d": operands["a" if operands["c"] & 1 else "b"]}


def _select_by_sign(case: Case, operands: Bits) -> Expected:
    type_ = case.type_of("c")
    number = _number(operands["c"], type_)
    if ".ftz" in case.modifiers:
        number = float(floats.flush(number, type_))
    return {"d": operands["a" if number >= 0 else "b"]}


def _test(case: Case, operands: Bits) -> Expected:
    name = case.type_of("a")
    number = np.float64(floats.decode(operands["a"], name))
    least = 2.0 ** (-126 if name == "f32" else -1022)
    is_subnormal = bool(number != 0 and abs(number) < least)
    is_finite = bool(np.isfinite(number))
    answers = {
        ".finite": is_finite, ".infinite": bool(np.isinf(number)), ".number": not np.isnan(number),
        ".notanumber": bool(np.isnan(number)), ".normal": is_finite and not is_subnormal,
        ".subnormal": is_subnormal,
    }  # fmt: skip
    if "op" not in case.slots:
        raise Unspecified
    return {"p": int(answers[case.slots["op"]])}


def _copy_sign(case: Case, operands: Bits) -> Expected:
    sign = 1 << floats.WIDTHS[case.type_of("d")] - 1
    return {"d": operands["a"] & sign | operands["b"] & ~sign}


def _convert(case: Case, operands: Bits) -> Expected:  # noqa: C901  as many cases as the manual has
    if "convertType" in case.slots:
        return _packed_integers(case, operands)
    if "dtype" not in case.slots:
        return _narrowed(case, operands)
    target, source = case.slots["dtype"][1:], case.slots["atype"][1:]
    if source not in floats.WIDTHS:
        whole = value(operands["a"], source)
        if target not in floats.WIDTHS:
            return {
                "d": cut(saturate(whole, target) if ".sat" in case.modifiers else whole, target)
            }
        mode = case.slots["frnd"][1:]
        exact: floats.Number = Fraction(whole) if whole else 0.0
        return {"d": [_clamped(case, floats.encode(exact, target, mode), target)]}
    number: floats.Number = floats.decode(operands["a"], source)
    if ".ftz" in case.modifiers and source == "f32":
        number = floats.flush(number, "f32")
    if target not in floats.WIDTHS:
        return {"d": _to_integer(float(number), source, target, case.slots["irnd"][1:])}
    if "irnd" in case.slots:
        number = floats.integral(float(number), case.slots["irnd"][1:])
    mode = case.slots.get("frnd", ".rn")[1:]
    if isinstance(number, float) and number and not isnan(number) and not isinf(number):
        number = Fraction(number)
    if ".ftz" in case.modifiers and target == "f32":
        bits = floats.flushed_result(number, target, mode)
    else:
        bits = floats.encode(number, target, mode)
    if ".pzo" in case.modifiers and bits == 1 << floats.WIDTHS[target] - 1:
        bits = 0
    return {"d": [_clamped(case, bits, target)]}


def _to_integer(number: float, source: str, target: str, mode: str) -> int:
    if isnan(number):
        return 1 << width(target) - 1 if source == "f64" or width(target) == 64 else 0
    low, high = limits(target)
    if isinf(number):
        return cut(high if number > 0 else low, target)
    return cut(saturate(int(floats.integral(number, mode)), target), target)


def _packed_integers(case: Case, operands: Bits) -> Expected:
    target = case.slots["convertType"][1:]
    bits = int(target[1:])
    low, high = (
        (-(1 << bits - 1), (1 << bits - 1) - 1) if target[0] == "s" else (0, (1 << bits) - 1)
    )
    a, b = (max(low, min(high, value(operands[it], "s32"))) & (1 << bits) - 1 for it in "ab")
    rest = operands["c"] << 2 * bits if "c" in operands else 0
    return {"d": (rest | a << bits | b) & 0xFFFFFFFF}


def _narrowed(case: Case, operands: Bits) -> Expected:
    """Conversions to and from packed floats, and to `.f16`, `.bf16` and `.tf32`."""
    target = case.type_of("d")
    part = target.rpartition("x")[0] if target[-2:] in ("x2", "x4") else target
    mode = next((it[1:] for name, it in case.slots.items() if name.startswith("frnd")), "rn")
    mode = "rna" if ".rna" in case.modifiers else mode
    if "b" in operands:
        numbers = [floats.decode(operands["b"], "f32"), floats.decode(operands["a"], "f32")]
    else:
        source = case.type_of("a")
        numbers = _elements_of(operands["a"], source)
    found = []
    for number in numbers:
        finite = ".satfinite" in case.modifiers
        exact = Fraction(number) if number and not isnan(number) and not isinf(number) else number
        if isnan(number) and part in ("e2m3", "e3m2", "e2m1"):
            exact = Fraction(floats.LARGEST[part])
        bits = floats.encode(exact, part, mode, finite=finite)
        sign = 1 << floats.WIDTHS[part] - 1
        if ".pzo" in case.modifiers and bits == sign:
            bits = 0
        found.append(_clamped(case, bits, part))
    return {"d": found}


def _elements_of(bits: int, name: str) -> list[float]:
    if name[-2:] != "x2":
        return [floats.decode(bits, name)]
    part = name[:-2]
    if part == "ue8m0":
        return [float("nan") if it == 255 else 2.0 ** (it - 127) for it in (bits & 255, bits >> 8)]
    stride = {"e2m1": 4, "f16": 16, "bf16": 16}.get(part, 8)
    mask = (1 << floats.WIDTHS[part]) - 1
    return [floats.decode(bits >> stride * i & mask, part) for i in range(2)]


def _move(_case: Case, operands: Bits) -> Expected:
    return {"d": operands["a"]}


_OTHERS: dict[str, Callable[[Case, Bits], Expected]] = {
    "copysign": _copy_sign,
    "cvt": _convert,
    "mov": _move,
    "selp": _select,
    "set": _set,
    "setp": _set_predicate,
    "slct": _select_by_sign,
    "testp": _test,
}
