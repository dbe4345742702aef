"""The rule inconsistent-declaration."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.rule import Finding, Related, RuleContext, rule
from ptx_ls.semantics.calls.arguments import alignment
from ptx_ls.semantics.problems.declarations import Inconsistency, Inconsistent
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.english import counted

_EXTERN: Final = ".extern"
_NO_RETURN: Final = ".noreturn"
_WHAT: Final = {
    Inconsistency.KIND: "as a different kind of symbol",
    Inconsistency.COUNT: "with a different number of parameters or results",
    Inconsistency.TYPE: "with different types",
    Inconsistency.SIZE: "with a different size",
    Inconsistency.SPACE: "with parameters in a different state space",
    Inconsistency.ALIGNMENT: "with parameters of a different alignment",
}


@rule("inconsistent-declaration", on=Inconsistent)
def inconsistent_declaration(mismatch: Inconsistent, _: RuleContext) -> Finding:
    """Reports a function or variable whose declarations contradict each other.

    ## Why is this bad?
    ptxas rejects the module, because it cannot choose between the declarations. A function that the
    module defines cannot be `.extern`, and a definition of an `.extern` variable must be
    `.visible`. The first declaration of a function sets the linkage; later declarations must repeat
    or omit it.

    ## Example
    ```ptx
    .func add_one(.param .b64 value);
    .func add_one(.param .b32 value)
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .func add_one(.param .b32 value);
    .func add_one(.param .b32 value)
    {
        ret;
    }
    ```
    """
    name = mismatch.symbol.name
    if mismatch.what is Inconsistency.LINKAGE:
        message = _linkage(mismatch.symbol, mismatch.first)
    elif mismatch.parts is not None:
        message = _parameter(mismatch.what, name, *mismatch.parts)
    elif mismatch.what in (Inconsistency.TYPE, Inconsistency.SIZE):
        now, before = _shown(mismatch.symbol), _shown(mismatch.first)
        message = f"`{name}` is {now}, expected {before} as in its first declaration"
    elif mismatch.what is Inconsistency.COUNT:
        now, before = _counts(mismatch.symbol), _counts(mismatch.first)
        message = f"`{name}` has {now}, expected {before} as in its first declaration"
    elif mismatch.what is Inconsistency.NO_RETURN:
        has = "with" if _NO_RETURN in mismatch.first.text else "without"
        message = f"`{name}` was previously declared {has} `{_NO_RETURN}`"
    else:
        message = f"`{name}` was previously declared {_WHAT[mismatch.what]}"
    place = mismatch.first.start, mismatch.first.end
    far = "" if mismatch.is_near else mismatch.first.name
    return Finding(message, related=(Related(*place, f"`{name}` is first declared here", far),))


def _parameter(what: Inconsistency, function: str, first: Symbol, second: Symbol) -> str:
    """Describes how a parameter or result differs from that of the first declaration."""
    name = second.name if second.name not in ("", "_") else first.name
    if what is Inconsistency.SPACE:
        now, before = f"in `{second.space}`", f"`{first.space}`"
    elif what is Inconsistency.TYPE:
        now, before = _shown(second), _shown(first)
    else:
        now, before = (f"{alignment(one)} bytes" for one in (second, first))
        now = f"aligned to {now}"
    return f"`{name}` is {now}, expected {before} as in the first declaration of `{function}`"


def _shown(symbol: Symbol) -> str:
    """Returns the type as it is declared, quoted: `.v2 .b32`, `.b8[16]`."""
    vector = f".v{symbol.vector_size} " if symbol.vector_size > 1 else ""
    sizes = "".join(f"[{'' if size is None else size}]" for size in symbol.dimensions)
    return f"`{vector}{symbol.type}{sizes}`"


def _counts(function: Symbol) -> str:
    """Returns `2 parameters and 1 result`."""
    n_parameters, n_results = len(function.parameters), len(function.returns)
    return f"{counted(n_parameters, 'parameter')} and {counted(n_results, 'result')}"


def _linkage(symbol: Symbol, first: Symbol) -> str:
    """Describes the conflict in the linkage of a second declaration."""
    name = symbol.name
    if first.linkage != _EXTERN:
        before = f"`{first.linkage}`" if first.linkage else "without a linkage directive"
        return f"`{name}` was previously declared {before}, so it cannot become `{symbol.linkage}`"
    if symbol.kind is SymbolKind.VARIABLE:
        return f"`{name}` was previously declared `.extern`, so its definition must be `.visible`"
    if symbol.is_definition:
        return f"`{name}` was previously declared `.extern`, so the module cannot define it"
    return f"`{name}` was previously declared `.extern`, expected the same linkage"
