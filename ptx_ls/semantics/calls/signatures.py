"""The signatures that calls have to match: of functions, prototypes and target lists.

Source: PTX ISA, "Control Flow Directives".
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.semantics.symbols import function_heads
from ptx_ls.semantics.symbols.symbols import CUT, Symbol, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.tokens import REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts

_PROTOTYPE: Final = ".callprototype"
_FUNCTION: Final = ".func"
_TARGETS: Final = ".calltargets"


class FunctionSignature(NamedTuple):
    """The parameters and return values of `symbol`.

    `is_near`: whether they are declared in the lines of the current function.
    """

    symbol: Symbol
    parameters: tuple[Symbol, ...]
    returns: tuple[Symbol, ...]
    is_near: bool


def signatures(
    symbol: Symbol, facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[FunctionSignature]:
    """Yields the signatures that calls of `symbol`, or through it, have to match."""
    if symbol.kind is SymbolKind.PROTOTYPE:
        directive = _directive(symbol, facts, _PROTOTYPE)
        known = _of_prototype(directive) if directive is not None else None
        if known is not None:
            yield FunctionSignature(symbol, known.parameters, known.returns, is_near=True)
        return
    for function in dict.fromkeys(_functions(symbol, facts, module, region)):
        if function is not None and function.kind is SymbolKind.FUNCTION:
            own = facts.module_scope.names.get(function.name)
            is_near = own is not None and own.start == function.start
            known = own if own is not None and is_near else function
            yield FunctionSignature(known, known.parameters, known.returns, is_near)


def _functions(
    symbol: Symbol, facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[Symbol | None]:
    """Yields the functions that a call may reach through `symbol`; None for unknown ones."""
    if symbol.kind is SymbolKind.FUNCTION:
        yield symbol
    elif symbol.kind is SymbolKind.VARIABLE:
        yield from _entries(symbol, module)
    elif symbol.kind is SymbolKind.CALL_TARGETS:
        directive = _directive(symbol, facts, _TARGETS)
        for token in tokenize(directive.text) if directive is not None else ():
            if token.type in (WORD, REG):
                yield module.lookup(
                    token.string, region, directive.start if directive else FUNCTION_START
                )


def prototypes(facts: RegionFacts) -> Iterator[tuple[DirectiveStatement, Symbol]]:
    """Yields the prototypes in a function, each as the symbol of a function head."""
    for directive in facts.directives:
        if directive.name == _PROTOTYPE:
            known = _of_prototype(directive)
            if known is not None:
                yield directive, known


def is_table(symbol: Symbol, module: ModuleFacts) -> bool:
    """Whether a variable is an array of functions; also true if its text was cut short."""
    if not symbol.dimensions or not symbol.dimensions[0]:
        return False
    if symbol.text.endswith(CUT):
        return True
    if "=" not in symbol.text:
        return False
    return None not in _entries(symbol, module)


def _entries(symbol: Symbol, module: ModuleFacts) -> Iterator[Symbol | None]:
    """Yields the functions in the initial value of a variable; None for other values."""
    value = symbol.text.rpartition("=")[2].rstrip("; ")
    if not value.endswith("}") or value.count("{") != 1:
        return
    for entry in value.strip("{} ").split(","):
        mask, _, name = entry.rpartition("(")
        known = module.lookup(name.strip(") "))
        is_masked = not mask or integer(mask.strip()) is not None
        is_function = known is not None and known.kind is SymbolKind.FUNCTION
        yield known if is_function and is_masked else None


def _directive(symbol: Symbol, facts: RegionFacts, name: str) -> DirectiveStatement | None:
    """Returns the first directive `name` after a label."""
    first = bisect_right(facts.directives, symbol.start, key=lambda it: it.start)
    rest = islice(facts.directives, first, None)
    return next((directive for directive in rest if directive.name == name), None)


def _of_prototype(directive: DirectiveStatement) -> Symbol | None:
    """Returns a prototype as the symbol of a function head, with its real columns."""
    text = directive.text.replace(_PROTOTYPE, _FUNCTION.ljust(len(_PROTOTYPE)), 1)
    return function_heads.of_function(text, directive.start)
