"""The rule split-opcode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.rule import Applicability, Finding, Repair, SpanEdit, Surroundings, rule
from ptx_ls.syntax.offsets import before

if TYPE_CHECKING:
    from ptx_ls.semantics.problems.instructions import InstructionMismatch


@rule("split-opcode", on=ViolationKind.SPLIT_OPCODE)
def split_opcode(mismatch: InstructionMismatch, surroundings: Surroundings) -> Finding:
    """Reports white space or a comment within what is one word for the assembler.

    ## Why is this bad?
    Modifiers may stand apart, as in `add .u32`, but not those that belong to the name of the
    instruction: `mul.lo`, `cvta.to` or `cp.async.bulk.tensor` are words as `add` is one. With a
    blank within the assembler looks for another instruction, and rejects the module.

    ## Example
    ```ptx
    mul .lo.s32 %r1, %r2, %r3;
    ```

    Use instead:
    ```ptx
    mul.lo.s32 %r1, %r2, %r3;
    ```

    ## Fix safety
    The fix removes nothing but white space. Where a comment stands in between, there is none.
    """
    name = mismatch.violation.expected[0]
    message = f"`{name}` is one word: nothing stands before `{mismatch.violation.found}`"
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    word = (opcode, *modifiers)[int(mismatch.violation.part[-1])]
    line, column = mismatch.start
    while line >= 0:
        near = before(surroundings.lines[line], column)
        text = near.rstrip()
        if text:
            if not text.endswith(word) or "//" in text:
                break
            end = FunctionPosition((line, column - len(near) + len(text)))
            edit = SpanEdit(end, mismatch.start, "")
            repair = Repair("Remove the space", (edit,), Applicability.CERTAIN)
            return Finding(message, repairs=(repair,))
        line -= 1
        column = len(surroundings.lines[line])
    return Finding(message)
