"""The outline of a document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.features.structure.document_symbols import DocumentSymbol, SymbolGroup, document_symbols
from ptx_ls.server.documents import to_lsp
from ptx_ls.server.protocol.encoding import Encoded, encoded_list, of_list, with_field
from ptx_ls.server.scheduling.cooperative import in_steps

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

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
    return await in_steps(opened, lambda: _converted(opened, is_tree=is_tree))


def _converted(opened: OpenDocument, *, is_tree: bool) -> Generator[None, None, Encoded]:
    symbols = yield from document_symbols(opened.document)
    if not is_tree:
        return (yield from encoded_list(_flat(opened, symbols, "")))
    return (yield from _trees(opened, symbols))


def _trees(
    opened: OpenDocument, symbols: Iterable[DocumentSymbol]
) -> Generator[None, None, Encoded]:
    rows: list[str] = []
    for symbol in symbols:
        rows += [(yield from _tree(opened, symbol))]  # a comprehension cannot yield
    return of_list(rows)


def _tree(opened: OpenDocument, symbol: DocumentSymbol) -> Generator[None, None, str]:
    """Converts a symbol with its children to JSON; one symbol a step."""
    fields: dict[str, Any] = {
        "name": symbol.name,
        "kind": _KINDS[symbol.group].value,
        "range": to_lsp.json_range(opened, symbol.range),
        "selectionRange": to_lsp.json_range(opened, symbol.selection),
    }
    if symbol.detail:
        fields["detail"] = symbol.detail
    yield
    if not symbol.children:
        return json.dumps(fields)
    return with_field(fields, "children", (yield from _trees(opened, symbol.children))).text


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
