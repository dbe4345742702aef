"""The rule no-abi."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.candidates.statements import has_device_functions_or_globals
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.directives.ignored_directives import without_abi
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class NoAbi(NamedTuple):
    """A declaration that makes ptxas compile without stack frames or a calling convention."""

    symbol: Symbol
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[NoAbi]:
    """Yields the declarations that ptxas can only compile without an ABI."""
    for symbol in seen.facts.exports:
        if without_abi(symbol, seen.module.context):
            yield NoAbi(symbol, symbol.start, symbol.end)


@rule(
    "no-abi", on=NoAbi, severity=Severity.WARNING, find=find, given=has_device_functions_or_globals
)
def no_abi(mismatch: NoAbi, _: RuleContext) -> Finding:
    """Reports a declaration that makes ptxas compile without the ABI.

    ## Why is this bad?
    ptxas warns about such a declaration. Without the ABI, that is, without a calling convention,
    functions have no stack frames, so recursion, calls through a register and separate compilation
    are impossible. To return several results, use a structure in `.param`.

    ## Example
    ```ptx
    .func (.reg .b32 quotient, .reg .b32 remainder) divide(.reg .b32 a, .reg .b32 b)
    {
        div.u32 quotient, a, b;
        rem.u32 remainder, a, b;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .func (.param .align 4 .b8 both[8]) divide(.reg .b32 a, .reg .b32 b)
    {
        .reg .b32 %r<3>;
        div.u32 %r1, a, b;
        rem.u32 %r2, a, b;
        st.param.v2.b32 [both], {%r1, %r2};
        ret;
    }
    ```
    """
    symbol = mismatch.symbol
    if symbol.kind is SymbolKind.FUNCTION:
        return Finding(f"`{symbol.name}` has several results, so ptxas compiles without the ABI")
    return Finding(
        f"`{symbol.name}` is a `{symbol.space}` variable of the module, "
        "so ptxas compiles without the ABI"
    )
