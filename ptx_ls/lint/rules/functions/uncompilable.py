"""The rule uncompilable."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.operands import other_registers
from ptx_ls.lint.messages import joined, quoted, wanted_of, with_reason
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.module import ExcessiveRelease, RefusedPragma

if TYPE_CHECKING:
    from ptx_ls.semantics.problems.instructions import InstructionMismatch

NAME: Final = "uncompilable"
"""The rule's name; comparisons with ptxas ignore the rule if ptxas generates no code."""


@rule(NAME, on=(ViolationKind.NARROW_ADDRESS, RefusedPragma, ExcessiveRelease))
def uncompilable(
    mismatch: InstructionMismatch | RefusedPragma | ExcessiveRelease, context: RuleContext
) -> Finding:
    """Reports statements that ptxas parses but does not compile.

    ## Why is this bad?
    `ptxas -arch=compute_90` parses the module and accepts it; `ptxas -arch=sm_90` and the driver
    reject it. A generic or global address must have 64 bits in a module with `.address_size 64`. An
    unknown pragma is an error at module scope, but not in a function. `setmaxnreg.dec` cannot keep
    more registers than `.maxnreg` gives to each thread.

    ## Example
    ```ptx
    ld.global.u32 %r1, [%r2];
    ```

    Use instead:
    ```ptx
    ld.global.u32 %r1, [%rd2];
    ```
    """
    if isinstance(mismatch, RefusedPragma):
        name = quoted(mismatch.name)
        return Finding(f"ptxas does not compile a module with the unknown pragma {name}")
    if isinstance(mismatch, ExcessiveRelease):
        return Finding(
            f"`setmaxnreg.dec` keeps {mismatch.kept} registers, but the thread has "
            f"{mismatch.available}"
        )
    violation = mismatch.violation
    return Finding(
        with_reason(
            joined(
                f"{quoted(mismatch.operand)} has type {quoted(violation.found)}",
                wanted_of(violation),
            ),
            violation.note,
        ),
        guesses=partial(other_registers, mismatch, context),
    )
