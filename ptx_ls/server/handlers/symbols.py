"""The outline of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.document.parts import part_fact
from ptx_ls.features.structure.document_symbols import MAX_SYMBOLS, DocumentSymbol, document_symbols
from ptx_ls.features.structure.symbol_text import SymbolGroup
from ptx_ls.server.documents.line_rows import (
    LineRows,
    RowWriter,
    constant,
    items_of,
    joined,
    limited,
)
from ptx_ls.server.protocol.encoding import Encoded, of_list
from ptx_ls.server.scheduling.answers import answered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.document.parts import Part
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source.columns import ColumnUnit

_KINDS: Final = {
    SymbolGroup.KERNEL: types.SymbolKind.Function,
    SymbolGroup.FUNCTION: types.SymbolKind.Function,
    SymbolGroup.PARAMETER: types.SymbolKind.Field,
    SymbolGroup.VARIABLE: types.SymbolKind.Variable,
    SymbolGroup.CONSTANT: types.SymbolKind.Constant,
    SymbolGroup.LOCAL: types.SymbolKind.Variable,
    SymbolGroup.LABEL: types.SymbolKind.Key,
    SymbolGroup.REGISTERS: types.SymbolKind.Struct,
    SymbolGroup.REGISTER: types.SymbolKind.Variable,
    SymbolGroup.SCOPE: types.SymbolKind.Namespace,
    SymbolGroup.SECTION: types.SymbolKind.Module,
    SymbolGroup.PROTOTYPE: types.SymbolKind.Interface,
}


async def document_symbol(
    session: Session, opened: OpenDocument, _params: types.DocumentSymbolParams
) -> Encoded:
    """Lists the symbols of a document: as a tree, or flat for a client without trees."""
    able = "text_document.document_symbol.hierarchical_document_symbol_support"
    is_tree = get_capability(session.capabilities, able) is True
    uri = "" if is_tree else opened.uri
    return await answered(session, opened, lambda text: listed(text, uri))


def listed(opened: OpenDocument, uri: str) -> Encoded:
    """Lists symbols: flat, with a URI, or as trees without."""

    def rows_of(part: Part, most: int) -> LineRows:
        return _symbol_rows(part, opened.unit, uri, most)

    return of_list(items_of(joined(limited(opened.document, MAX_SYMBOLS, rows_of))))


@part_fact(joined)
def _symbol_rows(document: Document, unit: ColumnUnit, uri: str, most: int) -> LineRows:
    """Returns the symbols of a part of a document; see `limited`."""
    outline, writer = document_symbols(document, most), RowWriter(document, unit)
    if uri:
        items = _flat(writer, outline.symbols, uri, "")
    else:
        items = (_tree(writer, symbol) for symbol in outline.symbols)
    return writer.rows(items, (), outline.n_nested)


def _tree(writer: RowWriter, symbol: DocumentSymbol) -> str:
    """Writes a symbol with its children."""
    detail = f', "detail": {constant(symbol.detail)}' if symbol.detail else ""
    text = f'{{"name": {constant(symbol.name)}, "kind": {_KINDS[symbol.group].value}{detail}'
    text += f', "range": {writer.range(symbol.range)}'
    text += f', "selectionRange": {writer.range(symbol.selection)}'
    if symbol.children:
        children = [_tree(writer, child) for child in symbol.children]
        text += f', "children": [{", ".join(children)}]'
    return f"{text}}}"


def _flat(
    writer: RowWriter, symbols: Iterable[DocumentSymbol], uri: str, container: str
) -> Iterator[str]:
    """Writes symbols and then their children, which name their container."""
    for symbol in symbols:
        is_named = symbol.group not in (SymbolGroup.SCOPE, SymbolGroup.REGISTERS)
        if is_named:
            inside = f', "containerName": {constant(container)}' if container else ""
            area = f'"uri": {constant(uri)}, "range": {writer.range(symbol.range)}'
            yield (
                f'{{"name": {constant(symbol.name)}, "kind": {_KINDS[symbol.group].value}'
                f', "location": {{{area}}}{inside}}}'
            )
        yield from _flat(writer, symbol.children, uri, symbol.name if is_named else container)
