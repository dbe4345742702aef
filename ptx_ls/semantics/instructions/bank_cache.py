"""What is kept for all functions that have the same register banks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_ls.semantics.instructions.name_binding import NameBinding
    from ptx_ls.semantics.instructions.verdicts import InstructionVerdict
    from ptx_ls.syntax.record import InlineAsmPattern, Shape


class BankCache:
    """Room for what holds in all functions with the same register banks.

    `verdicts` on shapes, None where names are no plain registers; `blocks`: which forms of inline
    assembly are in order; `plans`: what `QuickLook` keeps of shapes.
    """

    __slots__ = ("blocks", "plans", "verdicts")

    def __init__(self) -> None:
        self.verdicts: dict[Shape, InstructionVerdict | None] = {}
        self.blocks: dict[InlineAsmPattern, bool] = {}
        self.plans: dict[Shape, NameBinding | None] = {}
