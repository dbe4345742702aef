"""The rule parameter-space."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.problems.module import LargeParameters


@rule("parameter-space", on=LargeParameters)
def parameter_space(mismatch: LargeParameters, surroundings: Surroundings) -> Finding:
    """Reports a kernel whose parameters take more bytes than there are.

    ## Why is this bad?
    The assembler rejects the module. Parameters of a kernel take 32764 bytes at most; 4352 before
    PTX ISA 8.1 or sm_70, and 256 before PTX ISA 1.5. Each stands at a multiple of its alignment,
    so the order of parameters matters, too. Larger data belongs into memory behind a pointer.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel(.param .align 4 .b8 table[8192])
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.1
    .target sm_90
    .address_size 64
    .visible .entry kernel(.param .align 4 .b8 table[8192])
    {
        ret;
    }
    ```
    """
    del surroundings
    return Finding(
        f"the parameters of `{mismatch.symbol.name}` take {mismatch.size} bytes, "
        f"at most {mismatch.largest} with this `.version` and `.target`"
    )
