"""Types of numbers and bits, as operations on values need them."""

from __future__ import annotations

from typing import Final

from ptx_ls.source.named_tuple import NamedTuple


class IntegerType(NamedTuple):
    """A type of whole numbers or bits."""

    width: int
    is_signed: bool = False


INTEGER_TYPES: Final = {
    f".{letter}{width}": IntegerType(width, letter == "s")
    for letter in "bus"
    for width in (8, 16, 32, 64, 128)
} | {".pred": IntegerType(1)}
FLOAT_WIDTHS: Final = {".f16": 16, ".bf16": 16, ".f32": 32, ".f64": 64}
