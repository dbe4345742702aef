"""Verdicts on instructions, each of a shape whose names have certain types."""

from __future__ import annotations

from typing import NamedTuple

from ptx_ls.isa import Operand, Violation


class InstructionVerdict(NamedTuple):
    """A verdict. `needs_numbers`: there is none on the shape, for numbers matter to it."""

    violations: tuple[Violation, ...] = ()
    form: str = ""
    needs_numbers: bool = False
    operands: tuple[Operand, ...] = ()
