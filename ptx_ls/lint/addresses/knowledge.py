"""What the checks of addresses look for in a function, and how large its module may be."""

from __future__ import annotations

from typing import Final

ASKING: Final = ("isspacep",)
"""Opcodes that ask at run time which state space an address is in."""
MAX_NAMES: Final = 24
"""Maximum number of names in a module, above which its names are not examined."""
NARROWING: Final = (".u32.u64", ".s32.s64", ".s32.u64", ".u32.s64")
"""The ends of conversions of 64 to 32 bits."""
