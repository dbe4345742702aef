"""Document links: listed at once, looked for on the disk when one is followed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptx_ls.features.source_links import SourceLink, source_links
from ptx_ls.server import to_lsp
from ptx_ls.server.steps import in_steps
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from lsprotocol import types

    from ptx_ls.server.documents import OpenDocument
    from ptx_ls.server.session import Session


async def document_link(session: Session, params: types.DocumentLinkParams) -> list[Any] | None:
    """Lists the places of a document that name a source."""
    opened = session.get(params.text_document.uri)
    if opened is None:
        return None
    return await in_steps(opened, lambda: _listed(opened))


def _listed(opened: OpenDocument) -> Generator[None, None, list[Any]]:
    found = yield from source_links(opened.document)
    return [_converted(opened, link) for link in found]


def _converted(opened: OpenDocument, link: SourceLink) -> dict[str, Any]:
    data = {"uri": opened.uri, "name": link.name, "line": link.line, "column": link.column}
    place = f":{link.line}" if link.line else ""
    return {
        "range": to_lsp.json_range(opened, link.range),
        "tooltip": f"{link.name}{place}",
        "data": data,
    }


def resolve(session: Session, link: types.DocumentLink) -> types.DocumentLink:
    """Finds the file of a link; a link to none stays without a target, and says so."""
    data = link.data
    if not isinstance(data, dict):
        return link
    name, line, column = str(data.get("name")), data.get("line"), data.get("column")
    for path in _candidates(str(data.get("uri")), name, session.folders):
        uri = _uri_of(path)
        if uri is not None:
            place = f"#L{line}" if line else ""
            link.target = uri + (f"{place},{column}" if place and column else place)
            return link
    link.tooltip = f"{name} was not found"
    return link


def _candidates(document_uri: str, name: str, folders: Iterable[str]) -> Iterator[Path]:
    """Where a file may be: as named, from the document's folder or one of the workspace.

    Compilers write whole paths of the machine that they ran on, so beside the document at last.
    """
    document = uris.to_path(document_uri)
    bases = [*([Path(document).parent] if document is not None else []), *map(Path, folders)]
    try:
        path = Path(name)
    except ValueError:
        return
    if path.is_absolute():
        yield path
    else:
        yield from (base / path for base in bases)
    yield from (base / path.name for base in bases)


def _uri_of(path: Path) -> str | None:
    """The URI of a file that exists."""
    try:
        return uris.from_path(str(path.resolve())) if path.is_file() else None
    except (OSError, ValueError):  # no path of this system
        return None
