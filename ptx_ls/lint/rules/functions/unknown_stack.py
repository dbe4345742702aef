"""The rule unknown-stack."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.module import UnknownStack
from ptx_ls.source import Severity


@rule("unknown-stack", on=UnknownStack, severity=Severity.WARNING)
def unknown_stack(mismatch: UnknownStack, _: RuleContext) -> Finding:
    """Reports a kernel whose stack size ptxas cannot determine.

    ## Why is this bad?
    ptxas warns, and the driver gives each thread the default stack size, which may be too small. A
    function that calls itself, directly or indirectly, needs stack memory for each call. The size
    that `alloca` allocates is known only at run time.

    ## Example
    ```ptx
    .func count_down(.reg .b32 count)
    {
        .reg .pred %p<2>;
        setp.eq.s32 %p1, count, 0;
        @%p1 ret;
        add.s32 count, count, -1;
        call count_down, (count);
        ret;
    }
    .visible .entry kernel()
    {
        call count_down, (8);
        ret;
    }
    ```

    Use instead:
    ```ptx
    .func count_down(.reg .b32 count)
    {
        .reg .pred %p<2>;
    AGAIN:
        setp.eq.s32 %p1, count, 0;
        @%p1 ret;
        add.s32 count, count, -1;
        bra AGAIN;
    }
    .visible .entry kernel()
    {
        call count_down, (8);
        ret;
    }
    ```
    """
    name, kernel = f"`{mismatch.name}`", f"`{mismatch.kernel}`"
    why = "may call itself" if mismatch.is_recursive else "allocates stack at run time"
    return Finding(f"{name} {why}, so the stack size of {kernel} is unknown")
