"""A small machine for straight-line code: what instructions leave in the registers of one thread.

It knows the instructions that fixes are tried on, in round-to-nearest, and nothing of memory.
Source: PTX ISA, "Integer Arithmetic Instructions" and the sections after it.
"""

from __future__ import annotations

import math
import operator
import re
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Number = int | float

_STATEMENT: Final = re.compile(
    r"(?:@(?P<not>!?)(?P<guard>%p\d+)\s+)?(?P<opcode>\w+)(?P<modifiers>[.\w]*)\s+(?P<operands>.*);"
).fullmatch
_WIDTHS: Final = {"p": 1, "rs": 16, "r": 32, "rd": 64, "f": 32, "fd": 64}
_FORMATS: Final = {("f", 32): ("<f", "<I"), ("f", 64): ("<d", "<Q")}
_BINARY: Final[Mapping[str, Callable[..., Number]]] = {
    "add": operator.add,
    "sub": operator.sub,
    "min": min,
    "max": max,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
_UNARY: Final[Mapping[str, Callable[..., Number]]] = {
    "neg": operator.neg,
    "abs": abs,
    "not": operator.invert,
    "mov": operator.pos,
    "cvt": operator.pos,
}
_COMPARISONS: Final[Mapping[str, Callable[..., bool]]] = {
    ".lt": operator.lt,
    ".lo": operator.lt,
    ".le": operator.le,
    ".ls": operator.le,
    ".gt": operator.gt,
    ".hi": operator.gt,
    ".ge": operator.ge,
    ".hs": operator.ge,
    ".eq": operator.eq,
    ".ne": operator.ne,
}
_IGNORED: Final = frozenset({".rn", ".lo", ".hi", ".wide", *_COMPARISONS})


def run(code: str, registers: Mapping[str, int]) -> dict[str, int]:
    """The bits in registers after code, one statement on each line.

    Raises:
        NotImplementedError: for what the machine does not know.
    """
    bits = dict(registers)
    for line in code.splitlines():
        if line.strip():
            _step(line.strip(), bits)
    return bits


def _step(line: str, bits: dict[str, int]) -> None:
    match = _STATEMENT(line)
    if match is None:
        raise NotImplementedError(line)
    guard = match["guard"]
    if guard is not None and bool(bits[guard]) == bool(match["not"]):
        return
    modifiers = re.findall(r"\.\w+", match["modifiers"])
    types = [one for one in modifiers if re.fullmatch(r"\.(?:[subf]\d+|pred)", one)]
    if not types or not _IGNORED.issuperset(set(modifiers) - set(types)):
        raise NotImplementedError(line)
    target, *sources = (one.strip() for one in match["operands"].split(","))
    values = [_read(one, types[-1], bits) for one in sources]
    number, type_ = _result(match["opcode"], modifiers, types, values, sources, bits)
    bits[target] = _encoded(number, type_) & ((1 << _width(target)) - 1)


def _result(
    opcode: str,
    modifiers: list[str],
    types: list[str],
    values: list[Number],
    sources: list[str],
    bits: Mapping[str, int],
) -> tuple[Number, str]:
    """The number that an instruction computes, and the type in which it is written."""
    type_, size = types[0], _size(types[-1])
    match opcode, len(values):
        case (("shl" | "shr"), 2):
            count = min(int(_read(sources[1], ".u32", bits)), size)
            shift = operator.lshift if opcode == "shl" else operator.rshift
            return shift(int(values[0]), count), type_
        case "setp", 2:
            compare = next(_COMPARISONS[one] for one in modifiers if one in _COMPARISONS)
            return int(compare(*values)), ".pred"
        case "selp", 3:
            return values[0] if bits[sources[2]] else values[1], type_
        case "mul", 2:
            return _product(values[0] * values[1], modifiers, type_, size)
        case (("mad" | "fma"), 3):
            if ".wide" in modifiers:
                double = f"{type_[:2]}{2 * size}"
                return values[0] * values[1] + _read(sources[2], double, bits), double
            product, written = _product(values[0] * values[1], modifiers, type_, size)
            return product + values[2], written
        case _, 2 if opcode in _BINARY:
            return _BINARY[opcode](*values), type_
        case _, 1 if opcode in _UNARY:
            return _UNARY[opcode](*values), type_
    raise NotImplementedError(opcode)


def _product(exact: Number, modifiers: list[str], type_: str, size: int) -> tuple[Number, str]:
    if ".wide" in modifiers:
        return exact, f"{type_[:2]}{2 * size}"
    return (int(exact) >> size if ".hi" in modifiers else exact), type_


def _read(operand: str, type_: str, bits: Mapping[str, int]) -> Number:
    """An operand as a number of a type."""
    if operand.startswith("%"):
        pattern = bits[operand] & ((1 << _size(type_)) - 1)
    elif operand.startswith("0f"):
        pattern = int(f"0x{operand[2:]}", 0)
    elif "." in operand:
        return float(operand)
    else:
        pattern = int(operand, 0) & ((1 << _size(type_)) - 1)
    if type_[1] == "f":
        number, whole = _FORMATS["f", _size(type_)]
        return float(struct.unpack(number, struct.pack(whole, pattern))[0])
    is_negative = type_[1] == "s" and pattern >> (_size(type_) - 1)
    return pattern - (1 << _size(type_)) if is_negative else pattern


def _encoded(number: Number, type_: str) -> int:
    """The bits of a number, rounded to nearest or cut off; negative for a negative integer."""
    if type_[1] == "f":
        packed, whole = _FORMATS["f", _size(type_)]
        try:
            encoded = struct.pack(packed, number)
        except OverflowError:  # beyond what the type holds
            encoded = struct.pack(packed, math.copysign(math.inf, number))
        return int(struct.unpack(whole, encoded)[0])
    size = _size(type_)
    pattern = int(number) & ((1 << size) - 1)
    is_negative = type_[1] == "s" and pattern >> (size - 1)
    return pattern - (1 << size) if is_negative else pattern


def _size(type_: str) -> int:
    return 1 if type_ == ".pred" else int(type_[2:])


def _width(register: str) -> int:
    return _WIDTHS[register.strip("%0123456789")]
