"""The size of a kernel's parameters, and the maximum size.

Source: PTX ISA, "Kernel Function Parameters", and the layout that ptxas uses.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.operand import OPAQUE_TYPES

if TYPE_CHECKING:
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.symbols import Symbol

_SMALL, _MIDDLE, _LARGE = 256, 4352, 32764
_MIDDLE_SINCE: Final = (1, 5)
_LARGE_SINCE: Final = (8, 1)
_LARGE_TARGET: Final = (70, "")


def room(context: Context) -> int:
    """Returns the maximum size of a kernel's parameters, in bytes."""
    version = context.version
    if version is None or version >= _LARGE_SINCE:
        target = isa.parse_target(context.target[0]) if context.target else None
        return _LARGE if target is None or target >= _LARGE_TARGET else _MIDDLE
    return _MIDDLE if version >= _MIDDLE_SINCE else _SMALL


def size_of(parameters: tuple[Symbol, ...]) -> int | None:
    """Returns the size of consecutive parameters, in bytes; None if unknown."""
    types = isa.database().type_facts
    end = 0
    for parameter in parameters:
        if parameter.type in OPAQUE_TYPES:  # handles use no parameter space
            continue
        bits = types.get(parameter.type, (0, ""))[0]
        size = bits // 8 * parameter.vector_size
        if not size or None in parameter.dimensions:
            return None
        alignment = max(parameter.alignment or 0, size)
        end = -(-end // alignment) * alignment
        end += size * math.prod(size for size in parameter.dimensions if size is not None)
    return end
