"""The rule unresolved-symbol."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.problems.module import Unresolved
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity


@rule("unresolved-symbol", on=Unresolved, severity=Severity.INFORMATION)
def unresolved_symbol(mismatch: Unresolved, surroundings: Surroundings) -> Finding:
    """Reports that a module needs functions or variables that it leaves to another module.

    ## Why is this bad?
    It is not where modules are linked (`ptxas -c`, `nvcc -rdc=true`). The assembler makes no
    whole program of a module that calls a function without a body, and makes a variable of its
    own of one that is `.extern`. It has functions such as `vprintf` and `malloc` itself. Only the
    first symbol is named.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .extern .func advance();
    .visible .entry kernel()
    {
        call advance;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .func advance()
    {
        ret;
    }
    .visible .entry kernel()
    {
        call advance;
        ret;
    }
    ```
    """
    del surroundings
    symbol = mismatch.symbol
    noun = "variable" if symbol.kind is SymbolKind.VARIABLE else symbol.kind.value
    others = mismatch.n_others
    more = f" and {others} other symbol{'s' if others > 1 else ''} are" if others else " is"
    return Finding(
        f"{noun} `{symbol.name}`{more} not defined in this module, which is fine only if it is "
        "linked with another (`ptxas -c`)"
    )
