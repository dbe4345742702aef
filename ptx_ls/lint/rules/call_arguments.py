"""The rule call-arguments."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.mismatch import BadCall, CallFault


@rule("call-arguments", on=BadCall)
def call_arguments(mismatch: BadCall, surroundings: Surroundings) -> Finding:
    """Reports a call whose arguments or results do not fit the function.

    ## Why is this bad?
    The assembler rejects the module. A result that is not wanted is taken by `_`.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .func (.param .b32 result) add_one(.param .b32 value)
    {
        ret;
    }
    .visible .entry kernel()
    {
        .param .b32 value;
        call add_one, (value);
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .func (.param .b32 result) add_one(.param .b32 value)
    {
        ret;
    }
    .visible .entry kernel()
    {
        .param .b32 value;
        call (_), add_one, (value);
        ret;
    }
    ```
    """
    del surroundings
    name, found, wanted = mismatch.symbol.name, mismatch.found, mismatch.wanted
    if mismatch.fault is CallFault.SIZE:
        sizes = f"{found} bytes, expected {wanted} for `{name}`"
        return Finding(f"`{mismatch.argument}` has {sizes}")
    noun = "result" if mismatch.fault is CallFault.RESULTS else "argument"
    plural = "" if wanted == 1 else "s"
    return Finding(f"`{name}` has {wanted} {noun}{plural}, found {found}")
