"""Finds the statements of a function that mention a name, outside of comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.names import has_name
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol


def statements_naming(
    text: RegionText, symbol: Symbol, rows: range | None = None
) -> Iterator[Found]:
    """Yields the statements that mention the name of a symbol, except labels and its declaration.

    The name may mean another symbol there. `rows`: the lines to search; None for all.
    """
    name = symbol.name
    for found in text.statements(text.lines_with(name, text.distinct, rows)):
        is_declaration = found.start <= symbol.start < found.end
        if (
            found.record.kind is not Kind.LABEL
            and not is_declaration
            and has_name(found.text, name)
            and has_name(without_comments(found.text), name)
        ):
            yield found


def is_mentioned(text: RegionText, symbol: Symbol, rows: range | None = None) -> bool:
    """Whether a statement mentions the name of a symbol, as `statements_naming` finds them."""
    return next(statements_naming(text, symbol, rows), None) is not None
