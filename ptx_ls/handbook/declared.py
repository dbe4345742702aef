"""Finds the type to declare a register of for a value of some type."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ptx_ls.isa import database

_PACKED: Final = "x"
"""Part of the names of types that hold several values, `.f16x2`."""


def declared_type(name: str, named: Collection[str]) -> str:
    """Returns the type to declare a register of, for an operand of type `name`.

    A type that only says how bits are read uses untyped registers, as does a packed one that
    the instruction does not name (`named`: its modifiers). Anything but a type is unchanged,
    as are opaque types, which no register holds.
    """
    found = database().types.get(name)
    if found is None or not found.bits:
        return name
    if found.is_register and (_PACKED not in name or name in named):
        return name
    return found.holder or f".b{found.bits}"
