"""The commands of `workspace/executeCommand`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from pygls.exceptions import JsonRpcInvalidParams

from ptx_ls.features.navigation.goto_source import location_above
from ptx_ls.features.requirements import requirements_text
from ptx_ls.features.requirements.requirements import requirements
from ptx_ls.handbook.lookup import UnknownNameError, describe_in_any_case
from ptx_ls.handbook.markdown import markdown, with_site_links, without_page_links
from ptx_ls.lint import rule as registry
from ptx_ls.server.capabilities import COMMANDS
from ptx_ls.server.client_state.client_requests import apply_edit, show_place
from ptx_ls.server.documents.workspace_edits import written
from ptx_ls.server.handlers import assembling, function_views, workspace_diagnostics
from ptx_ls.server.handlers.code_action_edits import made
from ptx_ls.server.protocol.errors import RequestFailedError
from ptx_ls.server.workspace import cross_file, source_paths
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from lsprotocol import types

    from ptx_ls.handbook.page import Page
    from ptx_ls.server.session import Session

    Json = dict[str, Any]
    Command = Callable[[Session, types.ExecuteCommandParams], Awaitable[Json | str]]

_WITH_LINKS: Final = {"links": True}
"""An argument of clients that can follow links."""


async def execute(session: Session, params: types.ExecuteCommandParams) -> Json | str:
    """Runs a command and returns its result.

    Raises:
        JsonRpcInvalidParams: if the command does not exist, or its arguments are invalid.
        RequestFailedError: if the command fails, for example because a name does not exist.
    """
    command = _COMMANDS.get(params.command)
    if command is None:
        known = ", ".join(COMMANDS)
        raise JsonRpcInvalidParams(f"unknown command `{params.command}`; the commands are {known}")
    return await command(session, params)


async def _requirements(session: Session, params: types.ExecuteCommandParams) -> Json:
    """Returns the lowest version and the targets that a module requires."""
    uri = _text(params, "the URI of a document")
    opened = session.get(uri)
    if opened is not None:
        found = await session.requirements.get(session, opened)
    else:
        await session.files.ready(None)
        loaded = await cross_file.document(session, uri)
        if loaded is None:
            raise RequestFailedError(f"`{uri}` is neither open nor a PTX file in the workspace")
        found = await session.run(lambda stop: requirements(loaded.document.text, stop))
    if found is None:
        raise RequestFailedError("the document has changed")
    return requirements_text.as_facts(found)


async def _explain_rule(_session: Session, params: types.ExecuteCommandParams) -> str:
    """Returns the page of a rule."""
    name = _text(params, "the name of a rule")
    rule = registry.rules().get(name)
    if rule is None:
        raise RequestFailedError(f"no rule `{name}`{_near(name, registry.rules())}")
    return f"{rule.doc.strip()}\n"


async def _show_instruction(session: Session, params: types.ExecuteCommandParams) -> str:
    """Returns the pages on all meanings of a name; keeps links for clients that can follow them.

    For other words, returns a list of the pages that contain them.
    """
    wanted = _text(params, "a PTX name such as `ld.global`", _WITH_LINKS)
    try:
        found = [entry.page for entry in describe_in_any_case(wanted)]
    except UnknownNameError as error:
        near = "" if " " in wanted else _near(error.name, error.known)
        listed = None if near else await session.run(lambda _: _pages_with(wanted))
        if listed is None:
            raise RequestFailedError(f"{error}{near}") from error
        found = [listed]
    pages = "\n".join(map(markdown, found))
    keeps_links = _WITH_LINKS in (params.arguments or ())
    return with_site_links(pages) if keeps_links else without_page_links(pages)


def _pages_with(words: str) -> Page | None:
    """Returns a list of the pages that contain some words; None if there are none."""
    from ptx_ls.handbook import search  # noqa: PLC0415  most sessions do not need it

    hits = search.found(words, search.pages())
    return search.hits_page(words, hits) if hits else None


async def _open_source(session: Session, params: types.ExecuteCommandParams) -> Json:
    """Asks the client to show the source line that the `.loc` at or above a line names."""
    match params.arguments:
        case [str(uri), int(line)] if line >= 0:
            opened = session.get(uri)
        case _:
            raise JsonRpcInvalidParams(
                f"`{params.command}` takes two arguments: the URI of a document, and a line, "
                "counted from 0"
            )
    if opened is None:
        raise RequestFailedError(f"`{uri}` is not open")
    place = location_above(opened.document, line)
    path = source_paths.find(session, opened.uri, place.name) if place else None
    if place is None or path is None:
        what = f"`{place.name}` was not found" if place else f"no .loc at or above line {line + 1}"
        raise RequestFailedError(what)
    return {
        "shown": await show_place(session.client, uris.from_path(path), place.line, place.column)
    }


async def _lint_workspace(session: Session, params: types.ExecuteCommandParams) -> Json:
    """Checks all files, and counts the diagnostics."""
    if params.arguments:
        raise JsonRpcInvalidParams(f"`{params.command}` takes no arguments")
    await session.files.ready(None)
    progress = session.progress.start("Checking PTX", params.work_done_token)
    try:
        return await workspace_diagnostics.count(session, progress)
    finally:
        progress.end()


async def _apply(session: Session, params: types.ExecuteCommandParams) -> Json:
    """Applies a code action, for clients that support code actions only as commands."""
    result = await made(session, params.arguments[0]) if params.arguments else None
    if result is None:
        raise JsonRpcInvalidParams(f"`{params.command}` takes the data of a listed code action")
    return {"applied": await apply_edit(session.client, await written(session, *result))}


def _text(params: types.ExecuteCommandParams, what: str, *options: object) -> str:
    """Returns the only argument of a command, a text that one of `options` may follow."""
    match params.arguments:
        case [str(text), *more] if text and (not more or more in [[it] for it in options]):
            return text
        case _:
            raise JsonRpcInvalidParams(f"`{params.command}` takes one argument: {what}")


def _near(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


_COMMANDS: Final[dict[str, Command]] = {
    "ptx.requirements": _requirements,
    "ptx.minTarget": _requirements,
    "ptx.explainRule": _explain_rule,
    "ptx.showInstruction": _show_instruction,
    "ptx.openSource": _open_source,
    "ptx.showCfg": function_views.show_flow,
    "ptx.showSync": function_views.show_synchronization,
    "ptx.showSass": assembling.show_machine_code,
    "ptx.assemble": assembling.assemble,
    "ptx.lintWorkspace": _lint_workspace,
    "ptx.applyCodeAction": _apply,
}
