"""The rule constant-pointer."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.instructions.constant_pointers import ConstantPointer
from ptx_ls.source import Severity


@rule("constant-pointer", on=ConstantPointer, severity=Severity.WARNING)
def constant_pointer(mismatch: ConstantPointer, surroundings: Surroundings) -> Finding:
    """Reports conversions of constant addresses beside kernels that take constant pointers.

    ## Why is this bad?
    The assembler makes no code of a module that has both: a kernel's parameter declared
    `.ptr .const` and, anywhere, a `cvta.const` or `cvta.to.const`. Pass a generic pointer, or
    address the constants with `ld.const`.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .const .u32 limit;
    .visible .entry kernel(.param .u64 .ptr .const .align 4 table)
    {
        .reg .b64 %rd<2>;
        cvta.const.u64 %rd1, limit;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .const .u32 limit;
    .visible .entry kernel(.param .u64 table)
    {
        .reg .b64 %rd<2>;
        cvta.const.u64 %rd1, limit;
        ret;
    }
    ```
    """
    del surroundings
    return Finding(
        f"no code can be made of `{mismatch.opcode}`, as a kernel of this module takes a pointer "
        "declared .ptr .const"
    )
