"""Hovers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcContentModified

from ptx_ls.document.statements import statement_at
from ptx_ls.features import markup
from ptx_ls.features.hover.hover import Hover, is_local, picture
from ptx_ls.features.hover.hover import hover as find_hover
from ptx_ls.features.hover.register_value import register_at, register_value, takes_long
from ptx_ls.features.markup import Markdown
from ptx_ls.features.navigation.goto_source import source_place
from ptx_ls.features.plain import plain
from ptx_ls.features.requirements.requirements_text import details, summary
from ptx_ls.features.synchronization.state_at import is_about_synchronization, state_at
from ptx_ls.features.threads.agreement_at import agreement_at, is_about_threads
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.server.documents.occurrences import find_label
from ptx_ls.server.workspace import source_paths
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session
    from ptx_ls.source import Position

_PATIENCE: Final = 2.0
"""Seconds that a hover waits for the requirements of a module, or for a value."""
_AFTER_EDIT: Final = 0.003
"""Seconds that the first hover after an edit waits for a value, so that it has one most times."""
_MAX_SEARCHED_LINES: Final = 100_000
"""Maximum number of lines of a document that is searched for a label."""
_NOT_YET: Final = markup.own("Analysing requirements…")
_NO_VALUE_YET: Final = markup.own("Analysing…")
_HEADER: Final = (".version", ".target")
_LANGUAGES: Final = {".cu": "cuda", ".cuh": "cuda", ".py": "python", ".rs": "rust", ".jl": "julia"}


async def hover(
    session: Session, opened: OpenDocument, params: types.HoverParams
) -> types.Hover | None:
    """Explains the text at a position, in plain text if the client does not accept Markdown."""
    found = await _found(session, opened, params)
    formats = get_capability(session.capabilities, "text_document.hover.content_format")
    if found is not None and formats and types.MarkupKind.Markdown not in formats:
        text = plain(getattr(found.contents, "value", ""))
        found.contents = types.MarkupContent(types.MarkupKind.PlainText, text)
    return found


async def _found(
    session: Session, opened: OpenDocument, params: types.HoverParams
) -> types.Hover | None:
    if not opened.is_read:
        partial = opened.partial(params.position.line)
        if partial is not None:
            early = _early(session, partial, params)
            if early is not None:
                return early
        await session.wait(opened.uri)
        if session.get(opened.uri) is not opened:
            return None
    return await _hover(session, opened, params)


def _early(
    session: Session, partial: OpenDocument, params: types.HoverParams
) -> types.Hover | None:
    """Returns a hover on a document that is being read, if it does not depend on unread parts.

    It lacks the value of a register, which threads agree, and the state of asynchronous work, which
    may depend on all parts.
    """
    position, analysis = from_lsp.position(partial, params.position), Analysis(partial.document)
    if not is_local(analysis, position):
        return None
    found = find_hover(analysis, position, shows_images=session.client.shows_images)
    if found is None:
        return None
    value = _NO_VALUE_YET if _is_evaluated(analysis, position) else markup.NOTHING
    first = register_at(analysis, position) is not None
    shown = _with_value(found, value, _image(session, analysis, position), first=first)
    return to_lsp.hover(partial, shown)


async def _hover(
    session: Session, opened: OpenDocument, params: types.HoverParams
) -> types.Hover | None:
    """Returns a hover on a document that has been read."""
    analysis = Analysis(opened.document)
    position = from_lsp.position(opened, params.position)
    found = find_hover(
        analysis, position, shows_images=session.client.shows_images
    ) or await _label(session, opened, position)
    if found is None:
        return None
    revision = opened.revision
    value = await _value(session, opened, analysis, position)
    if opened.revision != revision:
        raise JsonRpcContentModified("the document has changed")
    is_plain = opened.document.records[position.line].kind is Kind.INSTRUCTION
    statement = None if is_plain else statement_at(opened.document, position)
    is_location = statement is not None and statement.record.kind is Kind.LOCATION
    image = _image(session, analysis, position)
    more = []
    if is_location:
        more.append(_source(session, opened, analysis, position))
    if statement is not None and statement.text.startswith(_HEADER):
        more.append(await _needed(session, opened))
    first = register_at(analysis, position) is not None
    shown = _with_value(found, value, *more, first=first)
    # Below other text, the picture would be outside of what editors show of a long hover.
    body = markup.paragraphs(image, shown.body)
    return to_lsp.hover(opened, replace(shown, body=body))


def _with_value(found: Hover, value: Markdown, *more: Markdown, first: bool) -> Hover:
    """Adds the value of a register, which comes `first`, or the state of threads and other work.

    The effect of an instruction is more important than that state, and that state is more important
    than the properties that every such instruction has.
    """
    parts = (value, found.body) if first else (found.body, value)
    return replace(found, body=markup.paragraphs(*parts, *more))


async def _value(
    session: Session, opened: OpenDocument, analysis: Analysis, position: Position
) -> Markdown:
    """Describes the value of the register at a position, or what threads do there.

    That of a long function is evaluated on a thread. The first hover after an edit lacks it if it
    takes more than a few milliseconds.
    """
    if not _is_evaluated(analysis, position):
        return markup.NOTHING
    is_edited, opened.hovered = opened.revision != opened.hovered, opened.revision
    if not takes_long(analysis, position):
        return _evaluated(analysis, position)
    work = asyncio.ensure_future(session.run(lambda _: _evaluated(analysis, position)))
    done, _ = await asyncio.wait([work], timeout=_AFTER_EDIT if is_edited else _PATIENCE)
    if not done:
        work.add_done_callback(_ignored)
        return markup.NOTHING if is_edited else _NO_VALUE_YET
    return work.result()


def _is_evaluated(analysis: Analysis, position: Position) -> bool:
    """Whether a hover at a position depends on the values in a function, or on its threads."""
    return (
        register_at(analysis, position) is not None
        or is_about_threads(analysis, position)
        or is_about_synchronization(analysis, position)
    )


def _evaluated(analysis: Analysis, position: Position) -> Markdown:
    """Describes the value of the register at a position, and what threads do there."""
    register = register_at(analysis, position)
    value = markup.NOTHING if register is None else register_value(analysis, register)
    threads = agreement_at(analysis, position), state_at(analysis, position)
    return markup.paragraphs(value, *threads)


def _ignored(work: asyncio.Future[Markdown]) -> None:
    """Takes the outcome of work whose answer was not awaited."""
    if not work.cancelled():
        work.exception()


async def _label(session: Session, opened: OpenDocument, position: Position) -> Hover | None:
    """Explains a label that debug data names, unless the file is very large."""
    if opened.document.n_lines > _MAX_SEARCHED_LINES:
        return None
    links = await find_label(session, opened, position)
    if not links:
        return None
    found = find_hover(Analysis(opened.document), links[0].selection.start)
    return Hover(links[0].origin, found.markdown) if found is not None else None


def _image(session: Session, analysis: Analysis, position: Position) -> Markdown:
    """Returns the picture of a matrix, for clients that show images."""
    uri = picture(analysis, position) if session.client.shows_images else ""
    return markup.image("which lane holds each element", uri)


def _source(
    session: Session, opened: OpenDocument, analysis: Analysis, position: Position
) -> Markdown:
    """Returns the source line that a `.loc` names, if the file is found."""
    place = source_place(analysis, position)
    if place is None or place.directive is None:
        return markup.NOTHING
    path = source_paths.find(session, opened.uri, place.name)
    line = source_paths.line_of(path, place.line).strip() if path is not None else ""
    language = _LANGUAGES.get(PurePath(path).suffix, "cpp") if path is not None else ""
    return markup.block(line, language) if line else markup.NOTHING


async def _needed(session: Session, opened: OpenDocument) -> Markdown:
    found = await session.requirements.get(session, opened, _PATIENCE)
    if found is None:
        return _NOT_YET
    lines = [
        markup.filled("{}- {}", "  " if line.startswith(" ") else "", markup.quoted(line.strip()))
        for line in details(found)
    ]
    head = markup.filled("This module {}.", markup.quoted(summary(found)))
    return markup.paragraphs(head, markup.joined("\n", lines))
