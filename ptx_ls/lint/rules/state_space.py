"""The rule state-space."""

from __future__ import annotations

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.lint.words import joined, quoted, wanted
from ptx_ls.semantics.mismatch import InstructionMismatch


@rule("state-space", on=ViolationKind.STATE_SPACE)
def state_space(mismatch: InstructionMismatch, surroundings: Surroundings) -> Finding:
    """Reports a variable of another state space than the one the instruction accesses.

    ## Why is this bad?
    The assembler rejects the module. A variable's name is an address in its own state space only;
    `cvta` makes a generic address of it.

    ## Example
    ```ptx
    .shared .b32 buffer[4];
    ld.global.u32 %r1, [buffer];
    ```

    Use instead:
    ```ptx
    .shared .b32 buffer[4];
    ld.shared.u32 %r1, [buffer];
    ```
    """
    del surroundings
    violation = mismatch.violation
    what = quoted(mismatch.operand) if mismatch.operand else f"`{mismatch.opcode}`"
    return Finding(
        joined(f"{what} is in {violation.found}", wanted(violation.expected), violation.note)
    )
