"""Opcodes that the checks of addresses look for in a function."""

from __future__ import annotations

from typing import Final

ASKING: Final = ("isspacep",)
"""Opcodes that ask at run time which state space an address is in."""
NARROWING: Final = (".u32.u64", ".s32.s64", ".s32.u64", ".u32.s64")
"""The ends of conversions of 64 to 32 bits."""
