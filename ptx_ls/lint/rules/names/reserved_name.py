"""The rule reserved-name."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.fixes.text import renamed
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.symbols.reserved_names import ReservedName

_WHAT: Final = {
    "_": "not a name",
    "$": "not a name",
    "function_name": "a keyword of `.loc`",
    "inlined_at": "a keyword of `.loc`",
}


@rule("reserved-name", on=ReservedName)
def reserved_name(mismatch: ReservedName, context: RuleContext) -> Finding:
    """Reports a declaration of a name that PTX reserves.

    ## Why is this bad?
    ptxas rejects the module. `WARP_SZ` is always the number of threads in a warp, and `_` as a
    destination discards the result. `$` may begin a name, but more characters must follow, and
    `function_name` and `inlined_at` are keywords of `.loc`.

    ## Example
    ```ptx
    .reg .b32 WARP_SZ;
    ```

    Use instead:
    ```ptx
    .reg .b32 warp_size;
    ```
    """
    what = _WHAT.get(mismatch.name, "a constant of PTX")
    message = f"`{mismatch.name}` is {what}, so it cannot be declared"
    if mismatch.name == "_":
        return Finding(message)
    repairs = renamed(mismatch, context.taken)
    return Finding(message, repairs=repairs)
