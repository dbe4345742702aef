"""The rule inconsistent-declaration."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.rule import Finding, Related, Surroundings, rule
from ptx_ls.semantics.mismatch import Inconsistency, Inconsistent
from ptx_ls.semantics.symbols import Symbol, SymbolKind

_EXTERN: Final = ".extern"
_WHAT: Final = {
    Inconsistency.KIND: "as another kind of symbol",
    Inconsistency.COUNT: "with another number of parameters or results",
    Inconsistency.TYPE: "with other types",
    Inconsistency.SIZE: "with another size",
    Inconsistency.SPACE: "with parameters in another state space",
    Inconsistency.ALIGNMENT: "with parameters of another alignment",
    Inconsistency.NO_RETURN: "otherwise as to `.noreturn`",
}


@rule("inconsistent-declaration", on=Inconsistent)
def inconsistent_declaration(mismatch: Inconsistent, surroundings: Surroundings) -> Finding:
    """Reports a function or variable that is declared again in another way.

    ## Why is this bad?
    The assembler rejects the module: which of the declarations holds? A function that the module
    defines is not `.extern`, and a variable that stands for an `.extern` one is `.visible`. The
    linkage of a function is that of its first declaration; later ones repeat it or give none.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .func add_one(.param .b64 value);
    .func add_one(.param .b32 value)
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .func add_one(.param .b32 value);
    .func add_one(.param .b32 value)
    {
        ret;
    }
    ```
    """
    del surroundings
    name = mismatch.symbol.name
    if mismatch.what is Inconsistency.LINKAGE:
        message = _linkage(mismatch.symbol, mismatch.first)
    else:
        message = f"`{name}` was declared {_WHAT[mismatch.what]} before"
    if not mismatch.is_near:
        return Finding(message)
    place = mismatch.first.start, mismatch.first.end
    return Finding(message, related=(Related(*place, "the first declaration"),))


def _linkage(symbol: Symbol, first: Symbol) -> str:
    """What is wrong with the linkage of a second declaration."""
    name = symbol.name
    if first.linkage != _EXTERN:
        before = first.linkage or "without a linkage"
        return f"`{name}` is declared {before} before, so it cannot become {symbol.linkage}"
    if symbol.kind is SymbolKind.VARIABLE:
        return f"`{name}` is declared .extern before, so its definition has to be .visible"
    if symbol.is_definition:
        return f"`{name}` is declared .extern before, so the module cannot define it"
    return f"`{name}` is declared .extern before, expected the same again"
