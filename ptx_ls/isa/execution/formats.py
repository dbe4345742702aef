"""How types hold values: widths, signs, and the floating-point formats.

Widths and classes are in `data/types.toml`; this module adds what computation needs.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ptx_ls.source.named_tuple import NamedTuple


class FloatFormat(NamedTuple):
    """A binary floating-point format. Unless `is_ieee`, the highest exponent is that of numbers."""

    name: str
    exponent: int
    mantissa: int
    is_signed: bool = True
    is_ieee: bool = True
    has_nan: bool = True
    unused: int = 0
    """The number of unused low bits, as in `tf32`."""

    @property
    def bits(self) -> int:
        """The width of a value in bits."""
        return self.is_signed + self.exponent + self.mantissa + self.unused

    @property
    def bias(self) -> int:
        """The number that is added to an exponent when it is stored."""
        return (1 << self.exponent - 1) - 1

    @property
    def least_exponent(self) -> int:
        """The exponent of 2 of the smallest normal number."""
        return 1 - self.bias if self.mantissa else -self.bias

    @property
    def largest(self) -> int:
        """The bits of the largest finite number."""
        top = (1 << self.exponent + self.mantissa) - 1
        if self.is_ieee:
            return top - (1 << self.mantissa)
        return top - self.has_nan

    @property
    def nan(self) -> int:
        """The bits of the canonical NaN."""
        return ((1 << self.exponent + self.mantissa) - 1) << self.unused | ((1 << self.unused) - 1)

    @property
    def infinity(self) -> int:
        """The bits of +infinity, of an IEEE format."""
        return ((1 << self.exponent) - 1) << self.mantissa


class FixedFormat(NamedTuple):
    """Two's complement with some bits after the point."""

    name: str
    bits: int
    fraction: int


FLOATS: Final = {
    it.name: it
    for it in (
        FloatFormat("f16", 5, 10),
        FloatFormat("bf16", 8, 7),
        FloatFormat("f32", 8, 23),
        FloatFormat("f64", 11, 52),
        FloatFormat("tf32", 8, 10, unused=13),
        FloatFormat("e4m3", 4, 3, is_ieee=False),
        FloatFormat("e5m2", 5, 2),
        FloatFormat("e2m3", 2, 3, is_ieee=False, has_nan=False),
        FloatFormat("e3m2", 3, 2, is_ieee=False, has_nan=False),
        FloatFormat("e2m1", 2, 1, is_ieee=False, has_nan=False),
        FloatFormat("ue8m0", 8, 0, is_signed=False, is_ieee=False),
        FloatFormat("ue5m3", 5, 3, is_signed=False, is_ieee=False),
    )
}
FIXED: Final = {"s2f6": FixedFormat("s2f6", 8, 6)}
_PADDED: Final = {"e2m3": 8, "e3m2": 8}
"""The bits that an element takes in a packed value, if these are more than its width."""
_INTEGER: Final = re.compile(r"([busf]|pred)(\d*)").fullmatch
_PACKED: Final = re.compile(r"(\w+?)(?:p(\d))?x(\d)").fullmatch


class ValueType(NamedTuple):
    """A type, as the parts that its values consist of.

    `element`: the name of the type of a part; equal to `name` if there is only one. `stride`: the
    bits that a part takes. `kind`: `unsigned`, `signed`, `float`, `fixed` or `predicate`.
    """

    name: str
    kind: str
    element: str
    bits: int
    """The bits of an element."""
    n_parts: int = 1
    stride: int = 0

    @property
    def width(self) -> int:
        """The width of the whole value in bits."""
        return self.stride * self.n_parts


@lru_cache(maxsize=256)
def value_type(name: str) -> ValueType | None:
    """Returns the type of that name, with or without its dot; None if it holds no values."""
    name = name.lstrip(".")
    packed = None if name in FLOATS else _PACKED(name)
    if packed:
        element = value_type(packed[1])
        if element is None or element.n_parts > 1:
            return None
        stride = element.bits + int(packed[2] or 0)
        stride = max(stride, _PADDED.get(packed[1], 0)) if not packed[2] else 2 * element.bits
        return element._replace(name=name, n_parts=int(packed[3]), stride=stride)
    if name in FLOATS:
        return ValueType(name, "float", name, FLOATS[name].bits, 1, FLOATS[name].bits)
    if name in FIXED:
        return ValueType(name, "fixed", name, FIXED[name].bits, 1, FIXED[name].bits)
    match = _INTEGER(name)
    if match is None or match[1] == "f":
        return None
    if match[1] == "pred":
        return ValueType(name, "predicate", name, 1, 1, 1)
    bits = int(match[2] or 0)
    return ValueType(name, "signed" if match[1] == "s" else "unsigned", name, bits, 1, bits)
