"""The formats of the numbers that an instruction reads and writes, by its opcode.

Source: PTX ISA, "Types" and the pages of the instructions. A register of an untyped bank, such as
`.b32`, may hold any of these; the instructions that write and read it show which one.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FLOATS: Final[Mapping[str, str]] = {
    each: each for each in (".f16", ".bf16", ".f16x2", ".bf16x2", ".f32", ".f32x2", ".f64")
} | {".tf32": ".f32"}
"""The format of each floating-point type. A `.tf32` has the bits of an `.f32`."""
COUNTING: Final = (
    *("%tid", "%ntid", "%ctaid", "%nctaid", "%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid"),
    *("%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid", "%cluster_ctarank"),
    *("%cluster_nctarank", "%gridid", "%total_smem_size", "%dynamic_smem_size"),
)
"""Special registers that number or count something."""
_INTEGERS: Final = {f".{letter}{bits}": bits for letter in "bus" for bits in (8, 16, 32, 64)}
_SHORT: Final = 16
"""Number of bits up to which an integer has, in a wider register, no exponent of a float."""


class ResultFormat(Enum):
    """How the format of a result follows from the operands."""

    UNKNOWN = auto()
    FLOAT = auto()
    """A floating-point number."""
    COUNT = auto()
    """An integer, such as a number of bits or a rounded number."""
    SHORT = auto()
    """Few bits, of anything."""
    COPY = auto()
    """One of the operands."""
    WHOLE_COPY = auto()
    """The operand, if it is an integer."""
    WIDENED = auto()
    """Few bits of the operand; a count if it is a special register."""
    SUM = auto()
    """An integer, if all operands are small enough integers."""
    MASK = auto()
    """An integer, if all operands or the mask are small enough."""
    LEFT, RIGHT = auto(), auto()
    """A shift."""


class IntegerReading(Enum):
    """How an instruction for integers uses an operand that cannot be the bits of a float."""

    AMOUNT = auto()
    """As a number of bits."""
    SCALED = auto()
    """Multiplied by the constant size of an element, and widened to an address."""
    DIVISOR = auto()
    COMPARED = auto()
    """Compared with another integer."""
    MULTIPLIED = auto()
    """Multiplied by another integer."""
    LIMITED = auto()
    """As the minimum or maximum of it and another integer."""
    ADDED = auto()
    """Added to another integer, or subtracted."""
    ADDRESS = auto()
    """In a sum of multiples that is an address."""


class OpcodeFormats(NamedTuple):
    """The formats that an instruction reads and writes.

    Attributes:
        result: how the format of the first operand, the destination, is found.
        format: that format, if `result` is `FLOAT`.
        sources: the operands that `result` depends on.
        floats: the operands that are read as floats, each with its format.
        integers: the operands that are read as integers, each with its use.
    """

    result: ResultFormat = ResultFormat.UNKNOWN
    format: str = ""
    sources: tuple[int, ...] = ()
    floats: tuple[tuple[int, str], ...] = ()
    integers: tuple[tuple[int, IntegerReading], ...] = ()


_NOTHING: Final = OpcodeFormats()
_MAX_OPCODES: Final = 1 << 12


@lru_cache(maxsize=_MAX_OPCODES)
def opcode_formats(opcode: str) -> OpcodeFormats:
    """Returns the formats for an opcode with its modifiers."""
    name, _, _ = opcode.partition(".")
    read = _READERS.get(name)
    if read is None:
        return _NOTHING
    modifiers = modifiers_of(opcode)
    types = [each for each in modifiers if each in FLOATS or each in _INTEGERS]
    return read(name, modifiers, types) if types else _NOTHING


def _arithmetic(name: str, modifiers: Sequence[str], types: Sequence[str]) -> OpcodeFormats:
    """Returns the formats of an operation on numbers of one type."""
    if len(types) > 1:  # sums of an `.f32` and a shorter number
        return _float_result(types[0])
    sources = (1, 2, 3)
    if types[0] in FLOATS:
        return _float_result(types[0], sources)
    if ".hi" in modifiers or ".cc" in modifiers:
        return _NOTHING
    integers = _integers(name, modifiers, types)
    if name in _LINEAR and _INTEGERS[types[0]] > _SHORT:
        integers += tuple((each, IntegerReading.ADDRESS) for each in sources)
    return OpcodeFormats(ResultFormat.SUM, sources=sources, integers=integers)


def _integers(
    name: str, modifiers: Sequence[str], types: Sequence[str]
) -> tuple[tuple[int, IntegerReading], ...]:
    if _INTEGERS[types[0]] < _INTEGERS[".s32"]:
        return ()
    if ".wide" in modifiers:
        return (1, IntegerReading.SCALED), (2, IntegerReading.SCALED)
    if name in ("div", "rem"):
        return ((2, IntegerReading.DIVISOR),)
    if name in ("add", "sub"):
        return (1, IntegerReading.ADDED), (2, IntegerReading.ADDED)
    if name in ("min", "max"):
        return (1, IntegerReading.LIMITED), (2, IntegerReading.LIMITED)
    if name in _MULTIPLYING:
        return (1, IntegerReading.MULTIPLIED), (2, IntegerReading.MULTIPLIED)
    return ()


def _float_result(type_name: str, sources: Sequence[int] = ()) -> OpcodeFormats:
    """Returns the formats of an operation whose result has a type, and whose operands, too."""
    if type_name not in FLOATS:
        return _NOTHING
    found = FLOATS[type_name]
    return OpcodeFormats(ResultFormat.FLOAT, found, floats=tuple((each, found) for each in sources))


def _conversion(_: str, modifiers: Sequence[str], types: Sequence[str]) -> OpcodeFormats:
    if len(types) != len(("to", "from")) or ".pack" in modifiers:
        return _NOTHING
    to, since = types
    floats = tuple((each, FLOATS[since]) for each in (1, 2)) if since in FLOATS else ()
    if to in FLOATS:
        return OpcodeFormats(ResultFormat.FLOAT, FLOATS[to], floats=floats)
    if floats:
        return OpcodeFormats(ResultFormat.COUNT, floats=floats)
    result = ResultFormat.WHOLE_COPY
    if _INTEGERS[since] <= _SHORT < _INTEGERS[to]:
        result = ResultFormat.WIDENED
    is_long = _SHORT < _INTEGERS[since] < _INTEGERS[to]
    integers = ((1, IntegerReading.ADDRESS),) if is_long else ()
    return OpcodeFormats(result, sources=(1,), integers=integers)


def _move(name: str, _: Sequence[str], types: Sequence[str]) -> OpcodeFormats:
    sources = (1, 2) if name in ("selp", "slct") else (1,)
    floats: tuple[tuple[int, str], ...] = ()
    if name == "slct" and types[-1] in FLOATS:
        floats = ((3, FLOATS[types[-1]]),)
    return OpcodeFormats(ResultFormat.COPY, sources=sources, floats=floats)


def _comparison(name: str, _: Sequence[str], types: Sequence[str]) -> OpcodeFormats:
    result, found = ResultFormat.UNKNOWN, ""
    if name == "set" and types[0] in FLOATS and len(types) > 1:
        result, found = ResultFormat.FLOAT, FLOATS[types[0]]
    compared = types[-1]
    if compared in FLOATS:
        return OpcodeFormats(
            result, found, floats=tuple((each, FLOATS[compared]) for each in (1, 2))
        )
    if _INTEGERS[compared] < _INTEGERS[".s32"]:
        return OpcodeFormats(result, found)
    return OpcodeFormats(
        result, found, integers=((1, IntegerReading.COMPARED), (2, IntegerReading.COMPARED))
    )


def _load(_: str, __: Sequence[str], types: Sequence[str]) -> OpcodeFormats:
    if types[-1] in FLOATS:
        return OpcodeFormats(ResultFormat.FLOAT, FLOATS[types[-1]])
    if _INTEGERS[types[-1]] <= _SHORT:
        return OpcodeFormats(ResultFormat.SHORT)
    return _NOTHING


def _number_of_bits(_: str, __: Sequence[str], ___: Sequence[str]) -> OpcodeFormats:
    return OpcodeFormats(ResultFormat.COUNT)


def _product_sum(_: str, __: Sequence[str], ___: Sequence[str]) -> OpcodeFormats:
    return OpcodeFormats(ResultFormat.SUM, sources=(3,))


def _bitwise(name: str, _: Sequence[str], __: Sequence[str]) -> OpcodeFormats:
    result = ResultFormat.MASK if name == "and" else ResultFormat.SUM
    return OpcodeFormats(result, sources=(1, 2))


def _shift(name: str, _: Sequence[str], __: Sequence[str]) -> OpcodeFormats:
    if name == "shl":
        integers = (2, IntegerReading.AMOUNT), (1, IntegerReading.ADDRESS)
        return OpcodeFormats(ResultFormat.LEFT, sources=(1, 2), integers=integers)
    return OpcodeFormats(ResultFormat.RIGHT, sources=(1, 2), integers=((2, IntegerReading.AMOUNT),))


def _funnel_shift(_: str, __: Sequence[str], ___: Sequence[str]) -> OpcodeFormats:
    return OpcodeFormats(integers=((3, IntegerReading.AMOUNT),))


def _bit_field(name: str, _: Sequence[str], __: Sequence[str]) -> OpcodeFormats:
    first = 3 if name == "bfi" else 2
    return OpcodeFormats(
        integers=((first, IntegerReading.AMOUNT), (first + 1, IntegerReading.AMOUNT))
    )


def _atomic(name: str, modifiers: Sequence[str], types: Sequence[str]) -> OpcodeFormats:
    if types[-1] not in FLOATS or ".add" not in modifiers:
        return _NOTHING
    found = FLOATS[types[-1]]
    if name == "red":
        return OpcodeFormats(floats=((1, found),))
    return OpcodeFormats(ResultFormat.FLOAT, found, floats=((2, found),))


def _matrix_product(_: str, modifiers: Sequence[str], types: Sequence[str]) -> OpcodeFormats:
    """Returns the format of the sums, whose type is the first one."""
    if ".mma" not in modifiers and ".sync" not in modifiers:
        return _NOTHING
    if types[0] == ".f32":
        return OpcodeFormats(ResultFormat.FLOAT, ".f32")
    return OpcodeFormats(ResultFormat.COUNT) if types[0] == ".s32" else _NOTHING


_MULTIPLYING: Final = ("mul", "mad")
_LINEAR: Final = ("add", "sub", "mul", "mad")
_ARITHMETIC: Final = (
    *("add", "sub", "mul", "fma", "mad", "div", "rem", "neg", "abs", "min", "max"),
    *("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "copysign"),
)
_READERS: Final[Mapping[str, Callable[[str, Sequence[str], Sequence[str]], OpcodeFormats]]] = {
    **dict.fromkeys(_ARITHMETIC, _arithmetic),
    **dict.fromkeys(("mov", "selp", "slct", "shfl"), _move),
    **dict.fromkeys(("setp", "set", "testp"), _comparison),
    **dict.fromkeys(("ld", "ldu"), _load),
    **dict.fromkeys(("popc", "clz", "bfind"), _number_of_bits),
    **dict.fromkeys(("dp4a", "dp2a"), _product_sum),
    **dict.fromkeys(("and", "or", "xor", "not"), _bitwise),
    **dict.fromkeys(("shl", "shr"), _shift),
    **dict.fromkeys(("bfe", "bfi"), _bit_field),
    **dict.fromkeys(("atom", "red"), _atomic),
    **dict.fromkeys(("mma", "wmma"), _matrix_product),
    "cvt": _conversion,
    "shf": _funnel_shift,
}
