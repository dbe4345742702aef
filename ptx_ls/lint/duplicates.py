"""Shared code of the rules about names that are declared twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.messages import listed
from ptx_ls.lint.rule import Finding, Related
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind

if TYPE_CHECKING:
    from ptx_ls.semantics.problems.instructions import Duplicate


def is_label(mismatch: Duplicate) -> bool:
    """Returns whether the mismatch is a label that is declared twice."""
    return mismatch.symbol.kind is SymbolKind.LABEL


def duplicate(mismatch: Duplicate, noun: str) -> Finding:
    """Returns the finding for a name that is declared again."""
    name, first = _shown(mismatch.symbol), _shown(mismatch.first)
    message = f"{noun} `{name}` is already declared"
    if name != first:
        message = f"{noun} `{name}` is already declared by `{first}`"
    elif mismatch.symbol.kind is not mismatch.first.kind:
        message = f"`{name}` is already declared as a {mismatch.first.kind.value}"
    if mismatch.others:
        message += f" (also {listed(mismatch.others)})"
    place = mismatch.first.start, mismatch.first.end
    far = "" if mismatch.is_near else mismatch.first.name
    related = Related(*place, f"`{first}` is first declared here", far)
    return Finding(message, related=(related,))


def _shown(symbol: Symbol) -> str:
    return f"{symbol.name}<{symbol.count}>" if symbol.count else symbol.name
