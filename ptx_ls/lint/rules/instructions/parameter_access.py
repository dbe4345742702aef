"""The rule parameter-access."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Related, RuleContext, rule
from ptx_ls.semantics.instructions.checks.parameter_access import AccessFault, BadAccess


@rule("parameter-access", on=BadAccess)
def parameter_access(mismatch: BadAccess, _: RuleContext) -> Finding:
    """Reports stores to parameters, loads from results, and guards on accesses that a call needs.

    ## Why is this bad?
    ptxas rejects the module. A function cannot store to its parameters or load from its results. A
    `.param` variable that a caller passes to a call may become a register, so it has no address.
    The loads and stores of such a variable cannot have a guard: branch around the whole call
    instead.

    ## Example
    ```ptx
    st.param.u64 [parameter], %rd1;
    ```

    Use instead:
    ```ptx
    ld.param.u64 %rd1, [parameter];
    ```
    """
    symbol = mismatch.symbol
    name = symbol.name
    if mismatch.fault is AccessFault.REGISTER:
        return Finding("`.param::func` in a kernel requires a variable name, not a register")
    related = (Related(symbol.start, symbol.end, f"`{name}` is declared here as `{symbol.space}`"),)
    if mismatch.fault is AccessFault.GUARDED:
        return Finding(f"`{name}` is passed to a call, so an access to it cannot have a guard")
    if mismatch.fault is AccessFault.ADDRESS:
        return Finding(f"`{name}` is passed to a call, so it has no address")
    if mismatch.fault is AccessFault.NOT_OF_FUNCTION:
        return Finding(f"`{name}` is a kernel parameter, expected `.param::entry`", related=related)
    if mismatch.fault is AccessFault.NOT_OF_KERNEL:
        message = f"`{name}` is passed to a call, expected `.param::func`"
        return Finding(message, related=related)
    if mismatch.fault is AccessFault.STORE:
        message = f"cannot store to `{name}`, which is a parameter"
        return Finding(message, related=related)
    message = f"cannot load from `{name}`, which is the result of the function"
    return Finding(message, related=related)
