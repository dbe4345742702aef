"""The rule unsupported-version."""

from __future__ import annotations

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.header import raising
from ptx_ls.lint.messages import unavailable
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch, Unavailable


@rule("unsupported-version", on=ViolationKind.VERSION)
def unsupported_version(
    mismatch: InstructionMismatch | Unavailable, context: RuleContext
) -> Finding:
    """Reports features that the module's `.version` does not have yet.

    ## Why is this bad?
    ptxas rejects the module. Raise the `.version`, as long as the driver or toolkit that will read
    the module supports the newer version.

    ## Example
    ```ptx
    .version 6.0
    .target sm_80
    .address_size 64
    .visible .entry kernel()
    {
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
        ret;
    }
    ```
    """
    repairs = raising(mismatch.violation, context)
    return Finding(unavailable(mismatch), repairs=repairs)
