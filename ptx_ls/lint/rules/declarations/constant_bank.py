"""The rule constant-bank."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.values import BadBank, BankFault


@rule("constant-bank", on=BadBank)
def constant_bank(mismatch: BadBank, _: RuleContext) -> Finding:
    """Reports a constant bank that does not exist or cannot hold the variable declared in it.

    ## Why is this bad?
    ptxas rejects the module. Before PTX ISA 2.2, constant memory has banks 0 to 10. Variables are
    in bank 0 by default. The driver fills the other banks, which can hold only `.extern` arrays
    without a size.

    ## Example
    ```ptx
    .version 2.1
    .target sm_20
    .const[2] .b32 count;
    ```

    Use instead:
    ```ptx
    .version 2.1
    .target sm_20
    .extern .const[2] .b32 count[];
    ```
    """
    bank = mismatch.bank
    match mismatch.fault:
        case BankFault.NUMBER:
            return Finding(f"constant bank {bank} does not exist, expected 0 to 10")
        case BankFault.OPEN:
            return Finding("an external array without a size needs `.const[1]` or a higher bank")
    return Finding(f"bank {bank} holds only external arrays without a size, expected `.const[0]`")
