"""The rule operand-width."""

from __future__ import annotations

from functools import partial

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.declarations.declaration_notes import declaration_of
from ptx_ls.lint.fixes.operands import other_registers
from ptx_ls.lint.messages import joined, quoted, subject, wanted_of, with_reason
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch


@rule("operand-width", on=ViolationKind.OPERAND_WIDTH)
def operand_width(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports a register that is wider or narrower than the instruction type.

    ## Why is this bad?
    ptxas rejects the module, because most instructions neither extend nor truncate their operands.
    Loads, stores and conversions accept registers that are wider than the instruction type.

    ## Example
    ```ptx
    add.s64 %rd1, %rd2, %r1;
    ```

    Use instead:
    ```ptx
    cvt.s64.s32 %rd3, %r1;
    add.s64 %rd1, %rd2, %rd3;
    ```
    """
    violation = mismatch.violation
    what = subject(mismatch)
    return Finding(
        with_reason(
            joined(f"{what} has type {quoted(violation.found)}", wanted_of(violation)),
            violation.note,
        ),
        guesses=partial(other_registers, mismatch, context),
        related=declaration_of(mismatch.operand, violation.found, mismatch.start, context),
    )
