"""The rule register-pragma."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.directives.register_pragmas import RegisterFault, RegisterPragma
from ptx_ls.source import Severity

_MESSAGES: Final = {
    RegisterFault.KERNEL: "`{name}` belongs to device functions, a kernel returns to nobody",
    RegisterFault.TWICE: "`{name}` is given already in this function",
    RegisterFault.ARGUMENTS: "`{name}` takes a number of registers, and perhaps the first of them",
    RegisterFault.RESERVED: "`{name}` takes a register that is reserved, expected one from {limit} "
    "on",
    RegisterFault.RANGE: "`{name}` goes beyond the last register, {limit}",
    RegisterFault.ODD: "`{name}` takes an odd register, expected an even one",
    RegisterFault.OVERLAP: "the return address lies among the registers of the parameters, "
    "the last of which is {limit}",
    RegisterFault.FEW: "`{name}` leaves too few registers, the parameters need {limit}",
    RegisterFault.LIMIT: "`{name}` has no effect, for `.maxnreg` allows {limit} registers only",
    RegisterFault.CALL: "`{name}` has registers of its own by a pragma, so it cannot be called by "
    "its name",
}


@rule("register-pragma", on=RegisterPragma, severity=Severity.WARNING)
def register_pragma(mismatch: RegisterPragma, surroundings: Surroundings) -> Finding:
    """Reports registers given by pragmas that a function cannot have.

    ## Why is this bad?
    The assembler makes no code of the function. No manual tells of these pragmas, and nothing but
    code that is linked by hand needs them: `retaddr_reg R` says which two registers hold the
    return address, `abi_param_reg COUNT, R` which hold parameters, `local_maxnreg N` how many the
    function uses. Registers 0 to 3 are taken, a return address begins at an even one, and callers
    know of none of it.

    ## Example
    ```ptx
    .version 9.0
    .target sm_90
    .address_size 64
    .visible .func callee()
    {
        .pragma "retaddr_reg 3";
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 9.0
    .target sm_90
    .address_size 64
    .visible .func callee()
    {
        .pragma "retaddr_reg 20";
        ret;
    }
    ```
    """
    del surroundings
    return Finding(_MESSAGES[mismatch.fault].format(name=mismatch.name, limit=mismatch.limit))
