"""Document links, whose files are searched for when a link is followed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ptx_ls.features.navigation.source_links import SourceLink, source_links
from ptx_ls.server.documents import to_lsp
from ptx_ls.server.protocol.encoding import Encoded, encoded_list
from ptx_ls.server.scheduling.answers import answered
from ptx_ls.server.workspace import source_paths
from ptx_ls.source import uris

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session


async def document_link(
    session: Session, opened: OpenDocument, _params: types.DocumentLinkParams
) -> Encoded:
    """Lists the places of a document that name a source."""
    return await answered(session, opened, _listed)


def _listed(opened: OpenDocument) -> Encoded:
    return encoded_list(source_links(opened.document), partial(_converted, opened))


def _converted(opened: OpenDocument, link: SourceLink) -> dict[str, Any]:
    data = {"uri": opened.uri, "name": link.name, "line": link.line, "column": link.column}
    place = f":{link.line}" if link.line else ""
    return {
        "range": to_lsp.json_range(opened, link.range),
        "tooltip": f"{link.name}{place}",
        "data": data,
    }


def resolve(session: Session, link: types.DocumentLink) -> types.DocumentLink:
    """Adds the target of a link, or a tooltip that says that the file was not found."""
    data = link.data
    if not isinstance(data, dict):
        return link
    name, line, column = str(data.get("name")), data.get("line"), data.get("column")
    path = source_paths.find(session, str(data.get("uri")), name)
    if path is not None:
        place = f"#L{line}" if line else ""
        link.target = uris.from_path(path) + (f"{place},{column}" if place and column else place)
        return link
    link.tooltip = f"{name} was not found"
    return link
