"""The rule out-of-bounds."""

from __future__ import annotations

from functools import partial

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.declared import declaration_of
from ptx_ls.lint.fixes.alternatives import exchanged
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import Finding, Repair, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.source import Severity


@rule("out-of-bounds", on=ViolationKind.OUT_OF_BOUNDS, severity=Severity.INFORMATION)
def out_of_bounds(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports a load or store that reaches beyond the variable that it names.

    ## Why is this bad?
    The bytes after a variable belong to another variable or are unused. The assembler accepts the
    access, but prints a message. Like the assembler, this rule compares the type of the instruction
    with that of the variable, and does not check arrays or vectors.

    ## Example
    ```ptx
    .shared .b32 count;
    ld.shared.u64 %rd1, [count];
    ```

    Use instead:
    ```ptx
    .shared .b64 count;
    ld.shared.u64 %rd1, [count];
    ```
    """
    found, (accessed,) = mismatch.violation.found, mismatch.violation.expected
    return Finding(
        f"{quoted(mismatch.operand)} is {found}, accessed as {accessed}",
        guesses=partial(_narrowed, mismatch, context),
        related=declaration_of(mismatch.operand, found, mismatch.start, context),
    )


def _narrowed(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that accesses the variable with its own type, if the registers allow it."""
    found, (accessed,) = mismatch.violation.found, mismatch.violation.expected
    modifiers = isa.split_modifiers(mismatch.opcode)[1]
    index = len(modifiers) - 1 - modifiers[::-1].index(accessed)
    return exchanged(mismatch, index, found, context)
