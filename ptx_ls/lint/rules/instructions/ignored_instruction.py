"""The rule ignored-instruction."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.module import BudgetFault, IgnoredBudget
from ptx_ls.source import Severity

_REASONS: Final = {
    BudgetFault.NO_COUNT: "the kernel needs `.maxnreg`, or `.minnctapersm` with `.maxntid` or "
    "`.reqntid`",
    BudgetFault.DEBUG: "`debug` in `.target` disables it",
    BudgetFault.INDIRECT: "the kernel calls an unknown function",
}


@rule("ignored-instruction", on=IgnoredBudget, severity=Severity.INFORMATION)
def ignored_instruction(mismatch: IgnoredBudget, _: RuleContext) -> Finding:
    """Reports a `setmaxnreg` that ptxas ignores.

    ## Why is this bad?
    Warps that should release registers keep them, and warps that should get more registers do not
    get them. The register count per thread at the start of the kernel must be fixed, either by
    `.maxnreg`, or by `.minnctapersm` together with `.maxntid` or `.reqntid`.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel() .reqntid 384
    {
        setmaxnreg.dec.sync.aligned.u32 24;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel() .reqntid 384 .minnctapersm 1
    {
        setmaxnreg.dec.sync.aligned.u32 24;
        ret;
    }
    ```
    """
    what = "`setmaxnreg`" + (f" in `{mismatch.callee}`" if mismatch.callee else "")
    return Finding(f"{what} has no effect: {_REASONS[mismatch.fault]}")
