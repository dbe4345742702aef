"""The rule unresolved-symbol."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.module import Unresolved
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity
from ptx_ls.source.english import counted


@rule("unresolved-symbol", on=Unresolved, severity=Severity.INFORMATION)
def unresolved_symbol(mismatch: Unresolved, _: RuleContext) -> Finding:
    """Reports functions and variables that this module declares but does not define.

    ## Why is this bad?
    Such declarations are correct if the modules are linked (`ptxas -c`, `nvcc -rdc=true`).
    Otherwise ptxas rejects a call to a function without a body, and defines each `.extern` variable
    in this module. ptxas itself provides functions such as `vprintf` and `malloc`. The message
    mentions only the first symbol.

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
    more = f" and {counted(others, 'other symbol')} are" if others else " is"
    return Finding(
        f"{noun} `{symbol.name}`{more} not defined in this module, which is allowed only if the "
        "module is linked with others (`ptxas -c`)"
    )
