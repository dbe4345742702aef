"""The rule unresolved-symbol."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.module import Unresolved
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity


@rule("unresolved-symbol", on=Unresolved, severity=Severity.INFORMATION)
def unresolved_symbol(mismatch: Unresolved, _: RuleContext) -> Finding:
    """Reports functions or variables that the module declares but another module must define.

    ## Why is this bad?
    This is correct if modules are linked (`ptxas -c`, `nvcc -rdc=true`). Otherwise the assembler
    rejects a call of a function without a body, and turns an `.extern` variable into one of this
    module. It provides functions such as `vprintf` and `malloc` itself. The message names only the
    first symbol.

    ## Example
    ```ptx
    .extern .func advance();
    .visible .entry kernel()
    {
        call advance;
        ret;
    }
    ```

    Use instead:
    ```ptx
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
    symbol = mismatch.symbol
    noun = "variable" if symbol.kind is SymbolKind.VARIABLE else symbol.kind.value
    others = mismatch.n_others
    more = f" and {others} other symbol{'s' if others > 1 else ''} are" if others else " is"
    return Finding(
        f"{noun} `{symbol.name}`{more} not defined in this module, which is only allowed if the "
        "module is linked with others (`ptxas -c`)"
    )
