"""Opcodes that transfer control to another block, to another function, or out of the function."""

from __future__ import annotations

from typing import Final

LEAVING: Final = frozenset({"ret", "exit", "trap"})
"""Opcodes that end a function."""
CONTROL: Final = LEAVING | {"bra", "brx", "call"}
"""Opcodes that may end a basic block."""
