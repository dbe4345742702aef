"""Commands that show a function as a whole: its flow graph, or its synchronisation."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from ptx_ls.features.control_flow.flow_dot import dot
from ptx_ls.features.control_flow.flow_text import flow_at
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.demangle import demangled
from ptx_ls.server.handlers.command_arguments import opened_document
from ptx_ls.server.protocol.errors import RequestFailedError
from ptx_ls.server.scheduling.answers import answered_once
from ptx_ls.source import Position, uris

if TYPE_CHECKING:
    from lsprotocol import types

    from ptx_ls.server.session import Session


async def show_flow(session: Session, params: types.ExecuteCommandParams) -> str | dict[str, Any]:
    """Returns a function's flow graph, in the DOT language or as a picture with its line range."""
    match params.arguments:
        case [str(uri), int(line)] if line >= 0:
            wanted, area = "dot", None
        case [str(uri), int(line), {"format": "svg" | "dot" as wanted, **rest}] if (
            line >= 0 and rest.keys() <= ({"area"} if wanted == "svg" else set())
        ):
            area = rest.get("area")
        case _:
            raise JsonRpcInvalidParams(
                f"`{params.command}` takes two or three arguments: the URI of a document, a "
                'line, counted from 0, and {"format": "svg"} or {"format": "dot"}'
            )
    match area:
        case None:
            size = None
        case [int(width), int(height)] if width > 0 and height > 0:
            size = width, height
        case _:
            raise JsonRpcInvalidParams(
                "`area` must be a list of two positive integers, such as [830, 950]"
            )
    flow = flow_at(Analysis(opened_document(session, uri).document), Position(line, 0))
    if flow is None:
        raise RequestFailedError(f"no function with a body at line {line + 1}")
    if wanted == "dot":
        return await session.run(lambda should_stop: dot(flow, should_stop))
    # Imported here to keep the server's start fast.
    from ptx_ls.features.control_flow.flow_svg import WINDOW, NoPictureError, svg  # noqa: PLC0415
    from ptx_ls.features.control_flow.layered.layout import Size  # noqa: PLC0415

    window = WINDOW if size is None else Size(*size)
    try:
        picture = await session.run(lambda should_stop: svg(flow, should_stop, window))
    except NoPictureError as error:
        raise RequestFailedError(f"`{flow.name}`: {error}") from error
    last = flow.start + len(flow.lines) - 1
    return {
        "name": flow.name,
        "source": demangled(flow.name),
        "first": flow.start,
        "last": last,
        "svg": picture,
    }


async def show_synchronization(
    session: Session, params: types.ExecuteCommandParams
) -> str | dict[str, Any]:
    """Returns a function's synchronisation as text, as data, or as a picture with its lines."""
    match params.arguments:
        case [str(uri), int(line)] if line >= 0:
            wanted = "text"
        case [str(uri), int(line), {"format": "svg" | "text" | "json" as wanted, **rest}] if (
            line >= 0 and not rest
        ):
            pass
        case _:
            raise JsonRpcInvalidParams(
                f"`{params.command}` takes two or three arguments: the URI of a document, a "
                'line, counted from 0, and {"format": "svg"}, {"format": "text"} or '
                '{"format": "json"}'
            )
    # Imported here to keep the server's start fast.
    from ptx_ls.features.synchronization.outline import outline_of  # noqa: PLC0415
    from ptx_ls.features.synchronization.outline_data import as_data  # noqa: PLC0415
    from ptx_ls.features.synchronization.outline_text import as_text, summary  # noqa: PLC0415
    from ptx_ls.features.synchronization.timeline_svg import svg  # noqa: PLC0415

    opened = opened_document(session, uri)
    number = Analysis(opened.document).region_at(Position(line, 0))
    found = await answered_once(session, opened, lambda text: outline_of(text.document, number))
    if found is None:
        raise RequestFailedError(f"no function with a body at line {line + 1}")
    path = PurePath(uris.to_path(uri) or uri).name
    if wanted == "text":
        return as_text(found, path)
    if wanted == "json":
        return as_data(found, path)
    if not found.rows:
        raise RequestFailedError(f"`{found.name}`{summary(found)}")
    located = opened.document.functions[number]
    return {
        "name": found.name,
        "source": demangled(found.name),
        "first": located.first_line,
        "last": located.last_line,
        "svg": svg(found),
    }
