"""Phrases of messages about accesses to memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import Related
from ptx_ls.semantics.declarations.stack_memory import is_allocated
from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.source import english

if TYPE_CHECKING:
    from ptx_ls.lint.rule_context import RuleContext
    from ptx_ls.semantics.symbols.symbols import Symbol


def counted(n_bytes: int) -> str:
    """Returns a number of bytes."""
    return english.counted(n_bytes, "byte")


def declaration(
    symbol: Symbol, context: RuleContext, *, has_size: bool = True
) -> tuple[Related, ...]:
    """Returns the place where a variable is declared, with its size if that matters."""
    n_bytes = bytes_of(symbol) if has_size else None
    size = f" with {counted(n_bytes)}" if n_bytes is not None else ""
    if is_allocated(symbol):
        amount = "the memory" if n_bytes is None else counted(n_bytes)
        verb = "is" if n_bytes in (None, 1) else "are"
        return (Related(symbol.start, symbol.end, f"{amount} {verb} allocated here"),)
    is_near = symbol in context.declared(symbol.name)
    far = "" if is_near else symbol.name
    return (Related(symbol.start, symbol.end, f"`{symbol.name}` is declared here{size}", far),)
