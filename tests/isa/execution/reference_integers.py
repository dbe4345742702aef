"""The results of integer instructions, written from the manual: numpy and plain integers.

Nothing here comes from the data files. Each function takes the modifiers by slot, all modifiers,
the operands as bits, and gives the destinations as bits.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

Operands = Mapping[str, int]
Reference = Callable[[Mapping[str, str], Sequence[str], Operands], dict[str, int] | None]
_DTYPES = {
    "u8": np.uint8, "s8": np.int8, "u16": np.uint16, "s16": np.int16, "u32": np.uint32,
    "s32": np.int32, "u64": np.uint64, "s64": np.int64, "b16": np.uint16, "b32": np.uint32,
    "b64": np.uint64,
}  # fmt: skip
PACKED = {"u16x2": ("u16", 2), "s16x2": ("s16", 2), "u8x4": ("u8", 4), "s8x4": ("s8", 4)}


def width(name: str) -> int:
    """Bits of a type."""
    return int(np.dtype(_DTYPES[name.lstrip(".")]).itemsize * 8)


def value(bits: int, name: str) -> int:
    """The integer that bits are in a type."""
    name = name.lstrip(".")
    mask = (1 << width(name)) - 1
    return int(np.array(bits & mask, dtype=f"u{width(name) // 8}").astype(_DTYPES[name]))


def cut(number: int, name: str) -> int:
    """The low bits of an integer."""
    return number & (1 << width(name)) - 1


def limits(name: str) -> tuple[int, int]:
    """The least and the largest integer of a type."""
    bits = width(name)
    if np.issubdtype(_DTYPES[name.lstrip(".")], np.signedinteger):
        return -(1 << bits - 1), (1 << bits - 1) - 1
    return 0, (1 << bits) - 1


def saturate(number: int, name: str) -> int:
    """The nearest integer of a type."""
    low, high = limits(name)
    return int(np.clip(np.array([number], dtype=object), low, high)[0])


def _split(bits: int, name: str) -> list[int]:
    part, count = PACKED[name]
    size = width(part)
    return [value(bits >> size * i, part) for i in range(count)]


def _join(numbers: Sequence[int], name: str) -> int:
    part = PACKED[name][0]
    return sum(cut(number, part) << width(part) * i for i, number in enumerate(numbers))


def _elementwise(operation: Callable[..., int], names: str = "ab") -> Reference:
    def compute(
        slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands
    ) -> dict[str, int] | None:
        type_ = slots["type"].lstrip(".")
        finish = saturate if ".sat" in modifiers else lambda number, _: number
        if type_ in PACKED:
            part = PACKED[type_][0]
            rows = zip(*(_split(operands[it], type_) for it in names), strict=True)
            numbers = [finish(operation(*row), part) for row in rows]
            if ".relu" in modifiers:
                numbers = [max(0, number) for number in numbers]
            return {"d": _join(numbers, type_)}
        number = finish(operation(*(value(operands[it], type_) for it in names)), type_)
        if ".relu" in modifiers:
            number = max(0, number)
        return {"d": cut(number, type_)}

    return compute


def _carrying(sign: int, *, carries_in: bool) -> Reference:
    def compute(
        slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands
    ) -> dict[str, int] | None:
        type_ = slots["type"]
        carry = operands["CC.CF"] if carries_in else 0
        if ".sat" in modifiers:
            exact = value(operands["a"], type_) + sign * (value(operands["b"], type_) + carry)
            return {"d": cut(saturate(exact, type_), type_)}
        a, b = cut(operands["a"], type_), cut(operands["b"], type_)
        exact = a + sign * (b + carry)
        found = {"d": cut(exact, type_)}
        if ".cc" in modifiers:
            found["CC.CF"] = int(exact > cut(-1, type_) or exact < 0)
        return found

    return compute


def _multiply(
    slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    type_ = slots["type"]
    product = value(operands["a"], type_) * value(operands["b"], type_)
    if ".wide" in modifiers:
        return {"d": product & (1 << 2 * width(type_)) - 1}
    return {"d": cut(product >> width(type_) if ".hi" in modifiers else product, type_)}


def _multiply_add(
    slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    type_ = slots["type"]
    bits = width(type_)
    product = value(operands["a"], type_) * value(operands["b"], type_)
    carry = operands["CC.CF"] if "carry-in" in slots else 0
    if ".wide" in modifiers:
        return {"d": product + operands["c"] & (1 << 2 * bits) - 1}
    half = product >> bits if ".hi" in modifiers else product
    if ".sat" in modifiers:
        exact = half + value(operands["c"], type_) + carry
        return {"d": cut(saturate(exact, type_), type_)}
    total = cut(half, type_) + cut(operands["c"], type_) + carry
    found = {"d": cut(total, type_)}
    if ".cc" in modifiers:
        found["CC.CF"] = total >> bits
    return found


def _multiply_add_with_carry(
    slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    return _multiply_add({**slots, "carry-in": "1"}, modifiers, operands)


def _24(slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands) -> dict[str, int]:
    factors = [operands[it] & 0xFFFFFF for it in "ab"]
    if slots["type"] == ".s32":
        factors = [it - (1 << 24) if it >> 23 else it for it in factors]
    product = factors[0] * factors[1]
    part = product >> 16 if ".hi" in modifiers else product
    if "c" not in operands:
        return {"d": cut(part, "u32")}
    if ".sat" in modifiers:
        exact = value(cut(part, "u32"), "s32") + value(operands["c"], "s32")
        return {"d": cut(saturate(exact, "s32"), "u32")}
    return {"d": cut(part + operands["c"], "u32")}


def _divide(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int] | None:
    a, b = value(operands["a"], slots["type"]), value(operands["b"], slots["type"])
    if not b:
        return None
    return {"d": cut(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1), slots["type"])}


def _remain(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int] | None:
    a, b = value(operands["a"], slots["type"]), value(operands["b"], slots["type"])
    if not b:
        return None
    rest = abs(a) % abs(b)
    return {"d": cut(-rest if a < 0 else rest, slots["type"])}


def _dot(slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands) -> dict[str, int]:
    dtype = {".u32": "u1", ".s32": "i1"}
    a_bytes = np.frombuffer(operands["a"].to_bytes(4, "little"), dtype[slots["atype"]])
    b_bytes = np.frombuffer(operands["b"].to_bytes(4, "little"), dtype[slots["btype"]])
    if "mode" in slots:
        halves = {".u32": "<u2", ".s32": "<i2"}[slots["atype"]]
        a_bytes = np.frombuffer(operands["a"].to_bytes(4, "little"), halves)
        b_bytes = b_bytes[2:] if ".hi" in modifiers else b_bytes[:2]
    total = int(np.dot(a_bytes.astype(np.int64), b_bytes.astype(np.int64)))
    return {"d": cut(total + operands["c"], "u32")}


def _shift(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    type_ = slots["type"]
    amount = min(operands["b"], width(type_))
    number = value(operands["a"], type_)
    left = "left" in slots
    return {"d": cut(number << amount if left else number >> amount, type_)}


def _shift_left(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    return _shift({**slots, "left": "1"}, _modifiers, operands)


def _funnel(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    n = operands["c"] & 31 if slots["mode"] == ".wrap" else min(operands["c"], 32)
    a, b = operands["a"], operands["b"]
    if slots["dir"] == ".l":
        return {"d": cut(b << n | a >> 32 - n, "u32")}
    return {"d": cut(b << 32 - n | a >> n, "u32")}


def _extract(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    type_ = slots["type"]
    msb = width(type_) - 1
    a, pos, length = operands["a"], operands["b"] & 0xFF, operands["c"] & 0xFF
    is_unsigned = type_.startswith(".u") or length == 0
    sign = 0 if is_unsigned else a >> min(pos + length - 1, msb) & 1
    d = 0
    for i in range(msb + 1):
        d |= (a >> pos + i & 1 if i < length and pos + i <= msb else sign) << i
    return {"d": d}


def _insert(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    msb = width(slots["type"]) - 1
    f, pos, length = operands["b"], operands["c"] & 0xFF, operands["d"] & 0xFF
    for i in range(length):
        if pos + i <= msb:
            f = f & ~(1 << pos + i) | (operands["a"] >> i & 1) << pos + i
    return {"f": f}


def _find(slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands) -> dict[str, int]:
    type_, msb = slots["type"], width(slots["type"]) - 1
    a = operands["a"]
    if type_.startswith(".s") and a >> msb:
        a = ~a & (1 << msb + 1) - 1
    d = 0xFFFFFFFF
    for i in range(msb, -1, -1):
        if a >> i & 1:
            d = i
            break
    if ".shiftamt" in modifiers and d != 0xFFFFFFFF:
        d = msb - d
    return {"d": d}


def _mask(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    a, b = operands["a"], operands["b"]
    first, n = (a & 31, b & 31) if slots["mode"] == ".wrap" else (min(a, 32), min(b, 32))
    return {"d": sum(1 << i for i in range(32) if first <= i < first + n)}


def _sign_extend(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    a, b = operands["a"], operands["b"]
    if slots["mode"] == ".clamp" and b >= 32:
        return {"d": a}
    b &= 31
    sign = 0 if b == 0 or slots["type"] != ".s32" else a >> b - 1 & 1
    high = 0xFFFFFFFF << b & 0xFFFFFFFF
    return {"d": a & ~high & 0xFFFFFFFF | (high if sign else 0)}


def _find_nth(
    _slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int] | None:
    mask, base, offset = operands["mask"], operands["base"], value(operands["offset"], "s32")
    if base > 31:
        return None
    if offset == 0:
        return {"d": base if mask >> base & 1 else 0xFFFFFFFF}
    pos, count, step = base, abs(offset) - 1, 1 if offset > 0 else -1
    while 0 <= pos < 32:
        if mask >> pos & 1:
            if count == 0:
                return {"d": pos}
            count -= 1
        pos += step
    return {"d": 0xFFFFFFFF}


_PERMUTATIONS = {
    ".f4e": ("3210", "4321", "5432", "6543"), ".b4e": ("5670", "6701", "7012", "0123"),
    ".rc8": ("0000", "1111", "2222", "3333"), ".ecl": ("3210", "3211", "3222", "3333"),
    ".ecr": ("0000", "1110", "2210", "3210"), ".rc16": ("1010", "3232", "1010", "3232"),
}  # fmt: skip
"""The manual's table, the highest byte first."""


def _permute(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    whole = (operands["b"] << 32 | operands["a"]).to_bytes(8, "little")
    if "mode" in slots:
        row = _PERMUTATIONS[slots["mode"]][operands["c"] & 3]
        return {"d": int.from_bytes(bytes(whole[int(digit)] for digit in row), "big")}
    result = []
    for i in range(4):
        selector = operands["c"] >> 4 * i & 15
        byte = whole[selector & 7]
        result.append((0xFF if byte & 0x80 else 0) if selector & 8 else byte)
    return {"d": int.from_bytes(bytes(result), "little")}


def _lookup(
    slots: Mapping[str, str], _modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    # The manual: F = GetFunctionFromTable(immLut), with ta = 0xF0, tb = 0xCC, tc = 0xAA.
    d = 0
    for number in range(8):
        if operands["immLut"] >> number & 1:
            term = 0xFFFFFFFF
            for name, table in (("a", 0xF0), ("b", 0xCC), ("c", 0xAA)):
                term &= operands[name] if table >> number & 1 else ~operands[name]
            d |= term & 0xFFFFFFFF
    found = {"d": d}
    if "BoolOp" in slots:
        is_set, q = bool(d), bool(operands["q"] & 1)
        found["p"] = int(is_set and q if slots["BoolOp"] == ".and" else is_set or q)
    return found


def _bitwise(operation: Callable[[int, int], int]) -> Reference:
    def compute(
        slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands
    ) -> dict[str, int] | None:
        mask = 1 if ".pred" in modifiers else cut(-1, slots["type"])
        return {"d": operation(operands["a"], operands["b"]) & mask}

    return compute


def _not(slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands) -> dict[str, int]:
    mask = 1 if ".pred" in modifiers else cut(-1, slots["type"])
    return {"d": ~operands["a"] & mask}


def _carryless(
    _slots: Mapping[str, str], modifiers: Sequence[str], operands: Operands
) -> dict[str, int]:
    total = 0
    for i in range(64):
        if operands["a"] >> i & 1:
            total ^= operands["b"] << i
    part = total >> 64 if ".hi" in modifiers else total
    return {"d": (part ^ operands["c"]) & (1 << 64) - 1}


REFERENCES: dict[str, Reference] = {
    "addc": _carrying(1, carries_in=True),
    "and": _bitwise(lambda a, b: a & b),
    "bfe": _extract,
    "bfi": _insert,
    "bfind": _find,
    "bmsk": _mask,
    "brev": lambda slots, _, it: {"d": int(format(it["a"], f"0{width(slots['type'])}b")[::-1], 2)},
    "clmad": _carryless,
    "clz": lambda slots, _, it: {
        "d": format(it["a"], f"0{width(slots['type'])}b").find("1")
        if it["a"]
        else width(slots["type"])
    },
    "cnot": lambda _, __, it: {"d": int(it["a"] == 0)},
    "dp2a": _dot,
    "dp4a": _dot,
    "fns": _find_nth,
    "lop3": _lookup,
    "mad24": _24,
    "madc": _multiply_add_with_carry,
    "mul24": _24,
    "not": _not,
    "or": _bitwise(lambda a, b: a | b),
    "popc": lambda _, __, it: {"d": format(it["a"], "b").count("1")},
    "prmt": _permute,
    "rem": _remain,
    "sad": _elementwise(lambda a, b, c: c + (b - a if a < b else a - b), "abc"),
    "shf": _funnel,
    "shl": _shift_left,
    "shr": _shift,
    "subc": _carrying(-1, carries_in=True),
    "szext": _sign_extend,
    "xor": _bitwise(lambda a, b: a ^ b),
}
"""Opcodes that are for integers only."""

INTEGER_FORMS: dict[str, Reference] = {
    "abs": _elementwise(abs, "a"),
    "add": _elementwise(lambda a, b: a + b),
    "div": _divide,
    "mad": _multiply_add,
    "max": _elementwise(max),
    "min": _elementwise(min),
    "mul": _multiply,
    "neg": _elementwise(lambda a: -a, "a"),
    "sub": _elementwise(lambda a, b: a - b),
}
"""Integer forms of opcodes that floats have, too."""
CARRY_OUT: dict[str, Reference] = {
    "add": _carrying(1, carries_in=False),
    "sub": _carrying(-1, carries_in=False),
}
