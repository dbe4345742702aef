"""The rule array-size."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.symbols.reserved_names import BadSize


@rule("array-size", on=BadSize)
def array_size(mismatch: BadSize, _: RuleContext) -> Finding:
    """Reports an array size that is not an integer, or that is missing after the first dimension.

    ## Why is this bad?
    ptxas rejects the module. The distance between the rows of an array depends on all sizes but the
    first, so only the first size may be omitted. The initial values or another module then
    determine this size.

    ## Example
    ```ptx
    .global .b32 table[2][] = {{1, 2}, {3, 4}};
    ```

    Use instead:
    ```ptx
    .global .b32 table[][2] = {{1, 2}, {3, 4}};
    ```
    """
    name, size = mismatch.name, mismatch.size
    if size in ("", "0"):
        return Finding(
            f"only the first size of `{name}` may be omitted, expected a positive number"
        )
    return Finding(f"array size `{size}` of `{name}` is not an integer")
