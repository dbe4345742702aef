"""The rule split-opcode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.rule import Applicability, Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.syntax.offsets import before

if TYPE_CHECKING:
    from ptx_ls.semantics.problems.instructions import InstructionMismatch


@rule("split-opcode", on=ViolationKind.SPLIT_OPCODE)
def split_opcode(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports white space or a comment inside an opcode that ptxas reads as one word.

    ## Why is this bad?
    White space is allowed before most modifiers, as in `add .u32`, but not before modifiers that
    belong to the instruction name: `mul.lo`, `cvta.to` and `cp.async.bulk.tensor` are single words.
    If a space divides such a word, ptxas reads another opcode and rejects the module.

    ## Example
    ```ptx
    mul .lo.s32 %r1, %r2, %r3;
    ```

    Use instead:
    ```ptx
    mul.lo.s32 %r1, %r2, %r3;
    ```

    ## Fix safety
    The fix removes only white space. A comment inside the opcode has no fix.
    """
    name = mismatch.violation.expected[0]
    found = mismatch.violation.found
    message = f"`{name}` is one word: no space or comment is allowed before `{found}`"
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    word = (opcode, *modifiers)[int(mismatch.violation.part[-1])]
    line, column = mismatch.start
    while line >= 0:
        near = before(context.lines[line], column)
        text = near.rstrip()
        if text:
            if not text.endswith(word) or "//" in text:
                break
            end = FunctionPosition((line, column - len(near) + len(text)))
            edit = SpanEdit(end, mismatch.start, "")
            repair = Repair("Remove the space", (edit,), Applicability.CERTAIN)
            return Finding(message, repairs=(repair,))
        line -= 1
        column = len(context.lines[line])
    return Finding(message)
