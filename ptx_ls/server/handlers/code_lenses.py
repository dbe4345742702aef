"""Code lenses: listed without titles, which `resolve` adds when they come into view."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from ptx_ls.document.parts import part_fact
from ptx_ls.features.hints import code_lenses as feature
from ptx_ls.features.hints.code_lenses import LensKind
from ptx_ls.features.hints.label_lenses import label_text
from ptx_ls.features.navigation.references import search, shown
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.server.documents.line_rows import (
    LineRows,
    RowWriter,
    constant,
    items_of,
    joined,
    limited,
)
from ptx_ls.server.documents.occurrences import find
from ptx_ls.server.handlers.code_action_items import client_commands
from ptx_ls.server.protocol.encoding import Encoded, of_list
from ptx_ls.server.scheduling.answers import answered

if TYPE_CHECKING:
    from collections.abc import Container

    from ptx_ls.document.document import Document
    from ptx_ls.document.parts import Part
    from ptx_ls.features.hints.code_lenses import Lens
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import Position
    from ptx_ls.source.columns import ColumnUnit

_COMMANDS: Final = ("ptx.showReferences", "editor.action.showReferences")
"""Client commands that show references, in order of preference."""
_WORD_JOINER: Final = "\u2060"
"""A zero-width character at which lines do not break."""


async def code_lens(
    session: Session, opened: OpenDocument, _params: types.CodeLensParams
) -> Encoded:
    """Lists the lenses of a document, of the kinds that the user wants."""
    settings = session.settings_of(opened.uri)
    switches = {
        LensKind.REFERENCES: settings.reference_lenses,
        LensKind.LABEL: settings.reference_lenses,
        LensKind.RESOURCES: settings.resource_lenses,
        LensKind.NAME: settings.name_lenses,
        LensKind.REQUIREMENTS: settings.requirement_lenses,
    }
    wanted = frozenset(kind for kind, is_on in switches.items() if is_on)
    return await answered(session, opened, lambda text: listed(text, wanted))


def listed(opened: OpenDocument, wanted: Container[LensKind]) -> Encoded:
    """Lists the lenses of some kinds."""

    def rows_of(part: Part, most: int) -> LineRows:
        return _lens_rows(part, opened.unit, opened.uri, most)

    found = joined(limited(opened.document, feature.MAX_LABELS, rows_of))
    return of_list([*compress(items_of(found), map(wanted.__contains__, found.marks))])


@part_fact(joined)
def _lens_rows(document: Document, unit: ColumnUnit, uri: str, most: int) -> LineRows:
    """Returns the lenses in a part of a document, with their kinds; see `limited`."""
    lenses, n_nested = feature.lenses(document, list(LensKind), most)
    writer = RowWriter(document, unit)
    items = (_written(writer, lens, uri) for lens in lenses)
    return writer.rows(items, [lens.kind for lens in lenses], n_nested)


def _written(writer: RowWriter, lens: Lens, uri: str) -> str:
    data = constant({"uri": uri, "kind": lens.kind.value})
    return f'{{"range": {writer.range(lens.range)}, "data": {data}}}'


async def resolve(session: Session, lens: types.CodeLens) -> types.CodeLens:
    """Adds the title of a lens; the title is empty if an edit has removed its place."""
    data = lens.data if isinstance(lens.data, dict) else {}
    opened = session.get(str(data.get("uri")))
    lens.command = _text("")
    if opened is None:
        return lens
    place = from_lsp.position(opened, lens.range.start)
    analysis = Analysis(opened.document)
    if data.get("kind") == LensKind.REFERENCES.value:
        lens.command = await _references(session, opened, place)
    elif data.get("kind") == LensKind.LABEL.value:
        lens.command = await _references(session, opened, place, label_text(analysis, place))
    elif data.get("kind") == LensKind.RESOURCES.value:
        text = await answered(session, opened, lambda it: _resources(it, place))
        lens.command = _text(text)
    elif data.get("kind") == LensKind.REQUIREMENTS.value:
        needed = await session.requirements.get(session, opened)
        lens.command = _text(feature.requirements_text(needed) if needed else "")
    elif data.get("kind") == LensKind.NAME.value:
        lens.command = _text(feature.name_text(analysis, place))
    return lens


def _resources(opened: OpenDocument, place: Position) -> str:
    """Returns the resources of a function; its live registers take time if it is long."""
    return feature.resources_text(Analysis(opened.document), place)


def _text(title: str) -> types.Command:
    """Returns a title without a command; escapes `$(sync)`, which is an icon in VS Code."""
    return types.Command(title.replace("$(", f"${_WORD_JOINER}("), "")


async def _references(
    session: Session, opened: OpenDocument, place: Position, title: str = ""
) -> types.Command:
    """Returns a title, by default the number of references, with the command that shows them."""
    wanted = search(Analysis(opened.document), place)
    if wanted is None:
        return _text("")
    places = shown(wanted, await find(session, opened, wanted), include_declaration=False)
    title = title or feature.references_text(len(places))
    command = _command(session)
    if not command or not places:
        return _text(title)
    start = to_lsp.json_position(opened, place)
    locations = [{"uri": opened.uri, "range": to_lsp.json_range(opened, it)} for it in places]
    return types.Command(title, command, arguments=[opened.uri, start, locations])


def _command(session: Session) -> str:
    """Returns the command of the client that shows references; "" if it lists none."""
    listed = client_commands(session.capabilities)
    return next((command for command in _COMMANDS if command in listed), "")
