"""The rule duplicate-declaration."""

from __future__ import annotations

from ptx_ls.lint.duplicates import duplicate
from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.mismatch import Duplicate


@rule("duplicate-declaration", on=Duplicate)
def duplicate_declaration(mismatch: Duplicate, surroundings: Surroundings) -> Finding:
    """Reports a name that is declared twice in one scope.

    ## Why is this bad?
    The assembler rejects the module. `%r<10>` declares `%r0` to `%r9`, so a single `%r3` beside
    it is a second declaration. Inner `{ }` blocks may declare a name of an outer one again.

    ## Example
    ```ptx
    .reg .b32 %count;
    .reg .b32 %count;
    ```

    Use instead:
    ```ptx
    .reg .b32 %count;
    ```
    """
    del surroundings
    return duplicate(mismatch, mismatch.symbol.kind.value)
