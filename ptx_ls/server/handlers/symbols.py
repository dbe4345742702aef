"""The outline of a document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.features.structure.document_symbols import DocumentSymbol, SymbolGroup, document_symbols
from ptx_ls.server.documents import to_lsp
from ptx_ls.server.protocol.encoding import Encoded, encoded_list, of_list, with_field
from ptx_ls.server.scheduling.answers import answered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

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
    return await answered(session, opened, _trees if is_tree else _list)


def _list(opened: OpenDocument) -> Encoded:
    return encoded_list(_flat(opened, document_symbols(opened.document), ""))


def _trees(opened: OpenDocument) -> Encoded:
    return _nested(opened, document_symbols(opened.document))


def _nested(opened: OpenDocument, symbols: Iterable[DocumentSymbol]) -> Encoded:
    return of_list([_tree(opened, symbol) for symbol in symbols])


def _tree(opened: OpenDocument, symbol: DocumentSymbol) -> str:
    """Converts a symbol with its children to JSON."""
    fields: dict[str, Any] = {
        "name": symbol.name,
        "kind": _KINDS[symbol.group].value,
        "range": to_lsp.json_range(opened, symbol.range),
        "selectionRange": to_lsp.json_range(opened, symbol.selection),
    }
    if symbol.detail:
        fields["detail"] = symbol.detail
    if not symbol.children:
        return json.dumps(fields)
    return with_field(fields, "children", _nested(opened, symbol.children)).text


def _flat(
    opened: OpenDocument, symbols: Iterable[DocumentSymbol], container: str
) -> Iterator[dict[str, Any]]:
    for symbol in symbols:
        is_named = symbol.group not in (SymbolGroup.SCOPE, SymbolGroup.REGISTERS)
        if is_named:
            result: dict[str, Any] = {
                "name": symbol.name,
                "kind": _KINDS[symbol.group].value,
                "location": {"uri": opened.uri, "range": to_lsp.json_range(opened, symbol.range)},
            }
            if container:
                result["containerName"] = container
            yield result
        yield from _flat(opened, symbol.children, symbol.name if is_named else container)
