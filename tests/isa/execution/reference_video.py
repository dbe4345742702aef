"""The results of video instructions, after the manual's own pseudo-code."""

from collections.abc import Mapping, Sequence

from tests.isa.execution.reference_integers import cut, saturate, value


def _part(bits: int, type_: str, selector: str) -> int:
    if not selector:
        return value(bits, type_)
    unit = 8 if selector[1] == "b" else 16
    raw = bits >> int(selector[2]) * unit & (1 << unit) - 1
    return raw - (1 << unit) if type_ == ".s32" and raw >> unit - 1 else raw


def primary(opcode: str, slots: Mapping[str, str], a: int, b: int) -> int:
    """The operation on extended parts."""
    match opcode.rstrip("24"):
        case "vadd":
            return a + b
        case "vsub":
            return a - b
        case "vabsdiff":
            return abs(a - b)
        case "vmin":
            return min(a, b)
        case "vmax":
            return max(a, b)
        case "vavrg":
            return (a + b + 1) // 2 if a + b >= 0 else (a + b) // 2
        case "vset":
            return int(_compared(slots["cmp"], a, b))
        case "vshl" | "vshr":
            amount = b & 31 if slots["mode"] == ".wrap" else min(b, 32)
            return a << amount if opcode == "vshl" else a >> amount
    raise ValueError(opcode)


def _compared(name: str, a: int, b: int) -> bool:
    return {".eq": a == b, ".ne": a != b, ".lt": a < b, ".le": a <= b, ".gt": a > b, ".ge": a >= b}[
        name
    ]


def scalar(
    opcode: str, slots: Mapping[str, str], modifiers: Sequence[str], selectors: Mapping[str, str],
    operands: Mapping[str, int],
) -> dict[str, int]:  # fmt: skip
    """`vadd` and its like."""
    dtype = slots.get("dtype", ".u32")
    tmp = primary(
        opcode,
        slots,
        _part(operands["a"], slots["atype"], selectors.get("asel", "")),
        _part(operands["b"], slots.get("btype", ".u32"), selectors.get("bsel", "")),
    )
    dsel = selectors.get("dsel", "")
    if ".sat" in modifiers:
        bits = 32 if not dsel else 8 if dsel[1] == "b" else 16
        tmp = saturate(tmp, f"{dtype[1]}{bits}")
    c = value(operands.get("c", 0), dtype)
    if dsel:
        unit = 8 if dsel[1] == "b" else 16
        place = int(dsel[2]) * unit
        hole = (1 << unit) - 1 << place
        return {"d": operands["c"] & ~hole | (tmp & (1 << unit) - 1) << place}
    match slots.get("op2"):
        case ".add":
            tmp += c
        case ".min":
            tmp = min(tmp, c)
        case ".max":
            tmp = max(tmp, c)
    return {"d": cut(tmp, "u32")}


def vector(
    opcode: str, slots: Mapping[str, str], modifiers: Sequence[str], selectors: Mapping[str, str],
    operands: Mapping[str, int],
) -> dict[str, int]:  # fmt: skip
    """`vadd2`, `vadd4` and their like."""
    count = int(opcode[-1])
    unit = 32 // count
    dtype = slots.get("dtype", ".u32")
    defaults = {2: ("10", "32"), 4: ("3210", "7654")}[count]
    chosen = (
        selectors.get(it, "")[2:] or own for it, own in zip(("asel", "bsel"), defaults, strict=True)
    )
    raw = (operands["b"] << 32 | operands["a"]).to_bytes(8, "little")
    sides = []
    for digits, type_ in zip(chosen, (slots["atype"], slots["btype"]), strict=True):
        size = unit // 8
        numbers = [raw[int(it) * size : (int(it) + 1) * size] for it in reversed(digits)]
        sides.append([int.from_bytes(it, "little", signed=type_ == ".s32") for it in numbers])
    results = [primary(opcode, slots, a, b) for a, b in zip(*sides, strict=True)]
    if ".sat" in modifiers:
        results = [saturate(it, f"{dtype[1]}{unit}") for it in results]
    mask = selectors.get("mask", "")[2:] or "3210"
    if ".add" in modifiers:
        total = sum(it for number, it in enumerate(results) if str(number) in mask)
        return {"d": cut(total + operands["c"], "u32")}
    d = 0
    for number, result in enumerate(results):
        part = (1 << unit) - 1
        own = result if str(number) in mask else operands["c"] >> number * unit
        d |= (own & part) << number * unit
    return {"d": d}


def multiply_add(
    slots: Mapping[str, str], modifiers: Sequence[str], selectors: Mapping[str, str],
    operands: Mapping[str, int],
) -> dict[str, int]:  # fmt: skip
    """`vmad` without negated operands."""
    is_signed = ".s32" in (slots["atype"], slots["btype"])
    a = _part(operands["a"], slots["atype"], selectors.get("asel", ""))
    b = _part(operands["b"], slots["btype"], selectors.get("bsel", ""))
    c = value(operands["c"], "s32" if is_signed else "u32")
    result = a * b + c + (".po" in modifiers)
    result >>= {".shr7": 7, ".shr15": 15}.get(slots.get("scale", ""), 0)
    if ".sat" in modifiers:
        result = saturate(result, "s32" if is_signed else "u32")
    return {"d": cut(result, "u32")}
