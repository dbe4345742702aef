"""The rule removed-feature."""

from __future__ import annotations

from functools import partial

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.deprecated import successors
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch, Unavailable


@rule("removed-feature", on=ViolationKind.REMOVED)
def removed_feature(mismatch: InstructionMismatch | Unavailable, context: RuleContext) -> Finding:
    """Reports features that the module's `.version` or `.target` no longer supports.

    ## Why is this bad?
    ptxas rejects the module.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel()
    {
        .reg .pred %p<3>;
        vote.all.pred %p1, %p2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel()
    {
        .reg .pred %p<3>;
        vote.sync.all.pred %p1, %p2, -1;
        ret;
    }
    ```
    """
    violation = mismatch.violation
    name = mismatch.opcode if isinstance(mismatch, InstructionMismatch) else mismatch.name
    removed = f"`{name}` was removed {violation.found}"
    message = "; ".join(filter(None, (removed, violation.note)))
    return Finding(message, guesses=partial(successors, mismatch, context))
