"""Makes the edits of a chosen code action, from the data that it was listed with."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from ptx_ls.features.actions import module_needs, organize_registers, suppress
from ptx_ls.features.actions.action import Action, Renaming
from ptx_ls.features.actions.listing import refactors
from ptx_ls.features.rename import rename
from ptx_ls.files.languages import other_language
from ptx_ls.lint.fixes.apply import choose, fix
from ptx_ls.lint.fixes.text_changes import text_changes
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.recognition import begins_as_ptx
from ptx_ls.server.documents.occurrences import renamed
from ptx_ls.server.protocol.errors import RequestFailedError
from ptx_ls.server.scheduling.answers import answered
from ptx_ls.source import Position, Range, TextEdit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.session import Session

    Json = dict[str, Any]


class EditSource(Enum):
    """The origin of an action's edits."""

    FIX = "fix"
    SUPPRESSION = "suppression"
    FIXES_OF_RULE = "fixesOfRule"
    ALL_FIXES = "allFixes"
    REGISTERS = "registers"
    NEEDS = "needs"
    REFACTOR = "refactor"


def data_of(
    opened: OpenDocument, area: Range, source: EditSource, title: str, name: str = ""
) -> Json:
    """Returns the data for making an action's edits later, as JSON that the client sends back."""
    places = [area.start.line, area.start.column, area.end.line, area.end.column]
    return {
        "uri": opened.uri,
        "version": opened.version,
        "area": places,
        "source": source.value,
        "title": title,
        "name": name,
    }


async def made(session: Session, data: object) -> tuple[OpenDocument, Sequence[TextEdit]] | None:
    """Returns the edits of an action; None if the data is not from `data_of`.

    Raises:
        JsonRpcContentModified: if the document has changed.
        RequestFailedError: if the action is not possible.
    """
    match data:
        case {
            "uri": str(uri),
            "version": int(version),
            "area": [*places],
            "source": str(source),
            "title": str(title),
            "name": str(name),
        }:
            opened = session.get(uri)
        case _:
            return None
    known = {each.value: each for each in EditSource}
    if len(places) != 4 or not all(isinstance(it, int) for it in places):  # noqa: PLR2004
        return None
    if source not in known:
        return None
    if opened is None or opened.version != version:
        raise JsonRpcContentModified("the document has changed")
    start, end = (opened.document.clamped(Position(*places[i : i + 2])) for i in (0, 2))
    revision = opened.revision
    edits = await _made(session, opened, known[source], Range(start, end), title, name)
    if opened.revision != revision:
        raise JsonRpcContentModified("the document has changed")
    return opened, edits


async def _made(
    session: Session, opened: OpenDocument, source: EditSource, area: Range, title: str, name: str
) -> Sequence[TextEdit]:
    if source is EditSource.ALL_FIXES:
        return await _all_fixes(session, opened)
    if source is EditSource.REGISTERS:
        return await _registers(session, opened)
    if source is EditSource.FIXES_OF_RULE:
        return fixes_of(session, opened, name)
    if source in (EditSource.FIX, EditSource.SUPPRESSION):
        return await _of_diagnostic(session, opened, source, area, title, name)
    analysis = Analysis(opened.document)
    if source is EditSource.NEEDS:
        needed = await session.requirements.get(session, opened)
        analysis = Analysis(opened.document)
        offered = list(module_needs.choices(analysis, needed, name)) if needed else []
        if not offered:
            raise RequestFailedError(f"`{name}` already has the value that the module needs")
        return await edits_of(session, opened, offered[0])
    for action in refactors(analysis, area):
        if action.title == title and not action.disabled:
            edits = await edits_of(session, opened, action)
            if not edits:
                raise RequestFailedError(f"{title}: not possible here")
            return edits
    raise JsonRpcContentModified("the document has changed")


async def _registers(session: Session, opened: OpenDocument) -> list[TextEdit]:
    """Sorts declarations of registers; editors may request this on saving."""
    return await answered(session, opened, _organized)


def _organized(opened: OpenDocument) -> list[TextEdit]:
    document = opened.document
    is_ptx = begins_as_ptx(document.lines, document.records)
    return organize_registers.organized(Analysis(document)) if is_ptx else []


async def _all_fixes(session: Session, opened: OpenDocument) -> list[TextEdit]:
    """Returns the edits that apply all certain fixes, repeatedly until none is left."""
    document = opened.document
    settings = (await session.checkers.settings(opened)).rules

    def work(should_stop: Callable[[], bool]) -> tuple[str, list[TextEdit]]:
        text = document.text
        fixed = fix(text, settings=settings, should_stop=should_stop)
        return fixed.refusal, text_changes(text, fixed.text) if fixed.n_fixed else []

    reason = other_language(opened.uri)
    refusal, edits = (reason, []) if reason else await session.run(work)
    if refusal:
        told = f"not fixed, because it cannot be parsed as PTX: {refusal}"
        session.client.show_message(told, types.MessageType.Warning)
    return edits


def fixes_of(session: Session, opened: OpenDocument, rule: str) -> list[TextEdit]:
    """Returns the edits of those certain fixes of one rule that do not overlap."""
    checker = session.checkers.get(opened)
    found = checker.of_rule(rule) if checker is not None else ()
    return [edit for each in choose(found) for edit in each.edits]


async def _of_diagnostic(
    session: Session, opened: OpenDocument, source: EditSource, area: Range, title: str, name: str
) -> Sequence[TextEdit]:
    for found in await session.checkers.checked(opened, area.start.line, area.end.line):
        if found.rule != name or found.range != area:
            continue
        if source is EditSource.SUPPRESSION:
            scopes = {suppress.title(found, it): it for it in suppress.SuppressionScope}
            edit = None
            if title in scopes:
                edit = suppress.suppression(Analysis(opened.document), found, scopes[title])
            if edit is not None:
                return [edit]
            continue
        for each in found.fixes:
            if each.title == title:
                return each.edits
    raise JsonRpcContentModified("the document has changed")


async def edits_of(session: Session, opened: OpenDocument, action: Action) -> Sequence[TextEdit]:
    """Returns the edits of an action on the current version of the document.

    Raises:
        RequestFailedError: if a name cannot be renamed.
    """
    work = action.work
    if not isinstance(work, Renaming):
        return await answered(session, opened, lambda _: work())
    try:
        asked = rename.prepare(Analysis(opened.document), work.position)
        if asked is None:
            return []
        changes = await renamed(session, opened, asked, work.name)
    except rename.RefusalError as error:
        raise RequestFailedError(str(error)) from error
    return [TextEdit(each.range, each.text) for each in changes]


def alike(session: Session, opened: OpenDocument, rule: str, most: int) -> int:
    """Counts the diagnostics of a rule that have a certain fix, up to `most`."""
    checker = session.checkers.get(opened)
    found = checker.of_rule(rule) if checker is not None else iter(())
    certain = (one for one in found if any(each.is_certain for each in one.ready))
    return sum(1 for _ in zip(range(most), certain, strict=False))
