"""The rule inconsistent-declaration."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.rule import Finding, Related, Surroundings, rule
from ptx_ls.semantics.mismatch import Inconsistency, Inconsistent
from ptx_ls.semantics.symbols import SymbolKind

_WHAT: Final = {
    Inconsistency.KIND: "as another kind of symbol",
    Inconsistency.COUNT: "with another number of parameters or results",
    Inconsistency.TYPE: "with other types",
    Inconsistency.SPACE: "with parameters in another state space",
    Inconsistency.ALIGNMENT: "with parameters of another alignment",
}


@rule("inconsistent-declaration", on=Inconsistent)
def inconsistent_declaration(mismatch: Inconsistent, surroundings: Surroundings) -> Finding:
    """Reports a function or variable that is declared again in another way.

    ## Why is this bad?
    The assembler rejects the module: which of the declarations holds? A function that the module
    defines is not `.extern`, and a variable that stands for an `.extern` one is `.visible`.

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
        is_function = mismatch.symbol.kind is SymbolKind.FUNCTION
        why = "the module cannot define it" if is_function else "its definition has to be .visible"
        message = f"`{name}` is declared .extern before, so {why}"
    else:
        message = f"`{name}` was declared {_WHAT[mismatch.what]} before"
    if not mismatch.is_near:
        return Finding(message)
    place = mismatch.first.start, mismatch.first.end
    return Finding(message, related=(Related(*place, "the first declaration"),))
