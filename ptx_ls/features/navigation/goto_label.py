"""Goes from debug data such as `.b64 $L__func_begin0` to the label in a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.cursor import At, cursor
from ptx_ls.features.navigation.goto import DefinitionLink, linked
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Position
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis


def label_at(analysis: Analysis, position: Position) -> str:
    """Returns the name at a position of debug data that the module does not declare; else ""."""
    if analysis.document.located_at(position).head is not Kind.SECTION:
        return ""
    under = cursor(analysis, position)
    if under is None or under.at is not At.NAME:
        return ""
    return "" if analysis.lookup(under.text, under.range.start) is not None else under.text


def label_links(analysis: Analysis, position: Position) -> list[DefinitionLink]:
    """Returns the labels of all functions that have the name at a position.

    Takes time in proportion to the file.
    """
    under = cursor(analysis, position)
    if under is None:
        return []
    found = []
    for line, text in enumerate(analysis.document.lines):
        if under.text not in text or ":" not in text:
            continue
        declared = analysis.lookup(under.text, Position(line, 0))
        if declared is None or declared.symbol.kind is not SymbolKind.LABEL:
            continue
        link = linked(analysis, under, declared)
        if link not in found:
            found.append(link)
    return found
