"""The rule return-address."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.calls.return_address import ReturnAddress
from ptx_ls.source import Severity


@rule("return-address", on=ReturnAddress, severity=Severity.WARNING)
def return_address(mismatch: ReturnAddress, surroundings: Surroundings) -> Finding:
    """Reports functions whose `.abi_preserve` leaves no register for the return address.

    ## Why is this bad?
    The return address of a function stands behind the registers that `.abi_preserve` makes it
    keep, and takes two of them. A caller and a callee that keep as many want the same two, so the
    caller has to save its own; and a function that keeps less than two saves it itself. The
    assembler warns when it makes code.

    ## Example
    ```ptx
    .version 9.0
    .target sm_90
    .address_size 64
    .func inner() .abi_preserve 8 { ret; }
    .func outer() .abi_preserve 8
    {
        call inner;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 9.0
    .target sm_90
    .address_size 64
    .func inner() .abi_preserve 10 { ret; }
    .func outer() .abi_preserve 8
    {
        call inner;
        ret;
    }
    ```
    """
    del surroundings
    kept = mismatch.kept
    if mismatch.callee:
        return Finding(
            f"`{mismatch.function}` and `{mismatch.callee}` keep their return addresses in the "
            f"same registers, as `.abi_preserve` is {kept // 2 * 2} or {kept // 2 * 2 + 1} of both"
        )
    return Finding(
        f"`.abi_preserve {kept}` does not keep the return address, expected a number from 2 on"
    )
