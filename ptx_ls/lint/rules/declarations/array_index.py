"""The rule array-index."""

from __future__ import annotations

from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import Finding, Related, RuleContext, rule
from ptx_ls.semantics.declarations.array_index import BadIndex, IndexFault


@rule("array-index", on=BadIndex)
def array_index(mismatch: BadIndex, _: RuleContext) -> Finding:
    """Reports an array element whose base is not an array or whose index is not an integer.

    ## Why is this bad?
    ptxas rejects the module. Only arrays have elements. `array[index]` is already an address, and
    must not be in another pair of brackets. The index must be a constant, a register, or the sum of
    a register and a constant.

    ## Example
    ```ptx
    mov.u64 %rd1, parameter[2];
    ```

    Use instead:
    ```ptx
    ld.param.u64 %rd1, [parameter];
    add.u64 %rd1, %rd1, 8;
    ```
    """
    text = quoted(mismatch.text)
    if mismatch.fault is IndexFault.NO_ARRAY:
        message = f"{text} is not an array, so it has no elements"
        if mismatch.symbol is None or not mismatch.is_near:
            return Finding(message)
        place = mismatch.symbol.start, mismatch.symbol.end
        return Finding(message, related=(Related(*place, f"{text} is declared here"),))
    if mismatch.fault is IndexFault.INSIDE:
        return Finding(f"{text}: an array element must not be in brackets")
    if mismatch.fault is IndexFault.SUM:
        return Finding(f"{text}: an index must be a register, a constant, or `register + constant`")
    has = f" has type {quoted(mismatch.type)}" if mismatch.type else " is not an integer"
    return Finding(f"{text}{has}, expected an integer index")
