"""The rule array-size."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.symbols.reserved_names import BadSize


@rule("array-size", on=BadSize)
def array_size(mismatch: BadSize, _: RuleContext) -> Finding:
    """Reports an array size that is not a number, or a missing size after the first.

    ## Why is this bad?
    The assembler rejects the module. It has to know how far apart the rows of an array are, so only
    the first size may be omitted: it then follows from the initial values or from another module.

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
            f"only the first size of `{name}` may be omitted, expected a number of at least 1"
        )
    return Finding(f"array size `{size}` of `{name}` is not an integer")
