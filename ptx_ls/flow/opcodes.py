"""Finds the opcodes of common lines that matter to control flow."""

from __future__ import annotations

from typing import Final

from ptx_ls.semantics.instructions.control_transfer import LEAVING
from ptx_ls.syntax.record import LABEL, Record, Shape

LABEL_WORD: Final = ":"
"""In place of an opcode, for a label."""
PLAIN_BRANCHES: Final = ("bra", "@bra")
GUARDED: Final = frozenset({"@bra", *(f"@{opcode}" for opcode in LEAVING)})
"""Opcodes of a guarded instruction, as `CommonOpcodes` has them."""


class CommonOpcodes(dict["Record", str]):
    """Opcodes of lines that end a block, if it is a branch, to a label alone; "" for others.

    With `@` in front under a guard; `LABEL_WORD` for a label.
    """

    def __missing__(self, read: Record) -> str:
        opcode = ""
        if read is LABEL:
            opcode = LABEL_WORD
        elif isinstance(read, Shape):
            is_plain = read.text == f"{read.guard} {read.opcode} n;".lstrip()
            if read.name in LEAVING or (read.name == "bra" and is_plain):
                opcode = f"{'@' * bool(read.guard)}{read.name}"
        self[read] = opcode
        return opcode
