"""The rule unbalanced-brace."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.mismatch import LooseBrace


@rule("unbalanced-brace", on=LooseBrace)
def unbalanced_brace(mismatch: LooseBrace, surroundings: Surroundings) -> Finding:
    """Reports a brace without its partner.

    ## Why is this bad?
    The assembler rejects the module. Functions do not nest in PTX, so the search for a partner ends
    where the next function begins.

    ## Example
    ```ptx
    {
    bar.sync 0;
    ```

    Use instead:
    ```ptx
    {
    bar.sync 0;
    }
    ```
    """
    del surroundings
    return Finding("`{` is never closed" if mismatch.is_opening else "`}` closes nothing")
