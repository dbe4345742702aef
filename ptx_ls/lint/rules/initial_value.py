"""The rule initial-value."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.mismatch import BadInitialValue, InitialValueFault


@rule("initial-value", on=BadInitialValue)
def initial_value(mismatch: BadInitialValue, surroundings: Surroundings) -> Finding:
    """Reports initial values that are too many or of the wrong kind.

    ## Why is this bad?
    The assembler stops there. A floating-point variable takes floating-point literals only, an
    integer one none, and only what is in .global or .const has an address before the module runs.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .global .u32 table[2] = {1, 2, 3};
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .global .u32 table[3] = {1, 2, 3};
    ```
    """
    del surroundings
    symbol = mismatch.symbol
    if mismatch.fault is InitialValueFault.TOO_MANY:
        return Finding(f"more initial values than `{symbol.name}` has elements")
    if mismatch.fault is InitialValueFault.SHAPE:
        return Finding(f"the braces do not fit the dimensions of `{symbol.name}`")
    if mismatch.fault is InitialValueFault.SPACE:
        return Finding(f"`{mismatch.value}` is neither in .global nor in .const")
    return Finding(
        f"`{mismatch.value}` cannot be a value of `{symbol.name}`, which is {symbol.type}"
    )
