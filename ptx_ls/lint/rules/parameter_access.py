"""The rule parameter-access."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.mismatch import BadAccess


@rule("parameter-access", on=BadAccess)
def parameter_access(mismatch: BadAccess, surroundings: Surroundings) -> Finding:
    """Reports a store to a function's parameter, or a load from its result.

    ## Why is this bad?
    The assembler rejects the module. Parameters are what the caller passes and are read only; a
    result is what the function passes back and can only be stored to.

    ## Example
    ```ptx
    st.param.u64 [parameter], %rd1;
    ```

    Use instead:
    ```ptx
    ld.param.u64 %rd1, [parameter];
    ```
    """
    del surroundings
    name = mismatch.symbol.name
    if mismatch.is_store:
        return Finding(f"`{name}` is a parameter, which cannot be stored to")
    return Finding(f"`{name}` is the function's result, which cannot be loaded")
