"""The rule unsupported-target."""

from __future__ import annotations

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.header import raising
from ptx_ls.lint.messages import unavailable
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch, Unavailable


@rule("unsupported-target", on=ViolationKind.TARGET)
def unsupported_target(
    mismatch: InstructionMismatch | Unavailable, context: RuleContext
) -> Finding:
    """Reports features that the module's `.target` does not support.

    ## Why is this bad?
    ptxas rejects the module. Targets with the suffix `a` or `f` have features that newer targets
    may lack, so code that uses them needs a variant for each target.

    ## Example
    ```ptx
    .version 7.0
    .target sm_70
    .address_size 64
    .visible .entry kernel()
    {
        .reg .b32 %r<3>;
        redux.sync.add.s32 %r1, %r2, -1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel()
    {
        .reg .b32 %r<3>;
        redux.sync.add.s32 %r1, %r2, -1;
        ret;
    }
    ```
    """
    repairs = raising(mismatch.violation, context)
    return Finding(unavailable(mismatch), repairs=repairs)
