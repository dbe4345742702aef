"""Makes the pictures and tables that the data of a chapter names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ptx_ls.handbook.chapters.conversion_table import conversion_table, saturation_table
from ptx_ls.handbook.chapters.matrix_pictures import descriptor_example, matrix_picture
from ptx_ls.handbook.chapters.swizzle_pictures import (
    conflict_picture,
    swizzle_picture,
    swizzle_table,
)
from ptx_ls.handbook.chapters.tensor_pictures import box_picture, im2col_picture, rows_picture
from ptx_ls.handbook.page import Block

_PICTURES: Final[Mapping[str, Callable[[str], list[Block]]]] = {
    "swizzle": swizzle_picture,
    "conflicts": conflict_picture,
    "matrix": matrix_picture,
    "descriptor": descriptor_example,
    "box": box_picture,
    "rows": rows_picture,
    "im2col": im2col_picture,
}
"""Pictures, by the word before the colon; what follows it are their arguments."""
_TABLES: Final[Mapping[str, Callable[[], list[Block]]]] = {
    "swizzling modes": swizzle_table,
    "conversions": conversion_table,
    "saturation": saturation_table,
}


def figure(text: str) -> list[Block]:
    """Returns a picture or a table, such as `swizzle: 64 bytes` or `conversions`."""
    kind, colon, arguments = text.partition(": ")
    return _PICTURES[kind](arguments) if colon else _TABLES[kind]()
