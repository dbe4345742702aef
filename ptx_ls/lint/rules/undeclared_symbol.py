"""The rule undeclared-symbol."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.lint.undeclared import undeclared
from ptx_ls.semantics.mismatch import Undeclared
from ptx_ls.semantics.symbols import Facts


@rule("undeclared-symbol", on=Undeclared)
def undeclared_symbol(mismatch: Undeclared, surroundings: Surroundings) -> Finding:
    """Reports a variable, parameter or function that is not declared before it is used.

    ## Why is this bad?
    The assembler rejects the module. A function that is defined further down, or elsewhere, needs a
    declaration first, and the parameters of a kernel are seen in that kernel only.

    ## Example
    ```ptx
    .shared .b32 buffer[4];
    ld.shared.u32 %r1, [bufer];
    ```

    Use instead:
    ```ptx
    .shared .b32 buffer[4];
    ld.shared.u32 %r1, [buffer];
    ```
    """

    def facts(name: str) -> Facts | None:
        symbol = surroundings.find(name)
        return symbol.facts if symbol is not None else None

    return undeclared(mismatch, "symbol", surroundings.symbols, surroundings, facts)
