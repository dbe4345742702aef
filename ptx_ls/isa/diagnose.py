"""Judges an instruction, and finds a single change that would make it legal."""

from __future__ import annotations

from collections.abc import Sequence

from ptx_ls.isa.checking.check import FormMatch, Written, read
from ptx_ls.isa.checking.verdict import Context, Verdict
from ptx_ls.isa.model import Instruction
from ptx_ls.isa.operand import Operand


def diagnose(
    instruction: Instruction,
    modifiers: Sequence[str],
    operands: Sequence[Operand],
    context: Context,
    reading: FormMatch | None = None,
) -> Verdict:
    """Returns the verdict of `check`; violations that one change would fix are merged into one.

    `reading`: the result of `read` for the instruction, if it was called. Never raises.
    """
    reading = reading or read(instruction, modifiers, operands, context)
    verdict = reading.verdict
    if verdict is not None and not verdict.violations and not reading.surplus:
        return verdict
    # Imported late: most files have nothing illegal, and a lint run has to start quickly.
    from ptx_ls.isa.diagnosis.explanation import explain

    return explain(Written(instruction, modifiers, operands, context), reading)
