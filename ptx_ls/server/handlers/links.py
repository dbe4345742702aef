"""Document links, whose files are searched for when a link is followed."""

from __future__ import annotations

from itertools import chain, compress, repeat
from typing import TYPE_CHECKING

from ptx_ls.document.parts import part_fact, parts
from ptx_ls.features.navigation.source_links import (
    MAX_LINKS,
    SourceLink,
    file_names,
    location_links,
    named_in,
    named_links,
)
from ptx_ls.server.documents.line_rows import (
    LineRows,
    RowWriter,
    constant,
    items_of,
    joined,
)
from ptx_ls.server.protocol.encoding import Encoded, of_list
from ptx_ls.server.scheduling.answers import answered
from ptx_ls.server.workspace import source_paths
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lsprotocol import types

    from ptx_ls.document.document import Document
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import Position
    from ptx_ls.source.columns import ColumnUnit


async def document_link(
    session: Session, opened: OpenDocument, _params: types.DocumentLinkParams
) -> Encoded:
    """Lists the places of a document that name a source."""
    return await answered(session, opened, listed)


def listed(opened: OpenDocument) -> Encoded:
    """Lists links: those in `.loc` only as far as there is room for them."""
    document = opened.document
    room = max(0, MAX_LINKS - sum(named_in(part).n_links for part in parts(document)))
    rows = joined(_rows_of_parts(opened, room))
    found = items_of(rows)
    if len(found) > MAX_LINKS:
        is_listed = chain(repeat(True, room), repeat(False))
        chosen = [not is_located or next(is_listed) for is_located in rows.marks]
        found = [*compress(found, chosen)][:MAX_LINKS]
    return of_list(found)


def _rows_of_parts(opened: OpenDocument, room: int) -> Iterator[tuple[int, LineRows]]:
    """Yields the links of each part of a document, until there are `room` in `.loc` or more."""
    files = file_names(opened.document)
    for group in parts(opened.document):
        for part in group.divided() if room > 0 and named_in(group).n_locations else (group,):
            has_locations = room > 0 and named_in(part).n_locations > 0
            rows = _link_rows(part, opened.unit, opened.uri, files, has_locations)
            yield part.first_line, rows
            room -= sum(rows.marks)


@part_fact(joined)
def _link_rows(
    document: Document,
    unit: ColumnUnit,
    uri: str,
    files: Mapping[int, str],
    has_locations: bool,  # noqa: FBT001  inputs of facts are positional
) -> LineRows:
    """Returns the links of a part of a document, and whether each is in a `.loc`.

    `has_locations`: whether to return those at all.
    """
    located = location_links(document, files) if has_locations else []
    links = [(link, False) for link in named_links(document)]
    links = sorted([*links, *((link, True) for link in located)], key=_start)
    writer = RowWriter(document, unit)
    items = (_written(writer, link, uri) for link, _ in links)
    return writer.rows(items, [is_located for _, is_located in links])


def _start(link: tuple[SourceLink, bool]) -> Position:
    return link[0].range.start


def _written(writer: RowWriter, link: SourceLink, uri: str) -> str:
    data = {"uri": uri, "name": link.name, "line": link.line, "column": link.column}
    place = f":{link.line}" if link.line else ""
    more = constant({"tooltip": f"{link.name}{place}", "data": data})
    return f'{{"range": {writer.range(link.range)}, {more[1:]}'


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
