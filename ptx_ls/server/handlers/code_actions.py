"""Code actions: fixes of diagnostics, refactorings, and changes of the whole file."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from ptx_ls.features.actions import module_needs, organize_registers, suppress
from ptx_ls.features.actions.action import ActionKind, Renaming
from ptx_ls.features.actions.listing import refactors
from ptx_ls.features.actions.suppress import SuppressionScope
from ptx_ls.lint.suppression.surroundings import OF_COMMENTS
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.server.documents import from_lsp, to_lsp
from ptx_ls.server.documents.workspace_edits import workspace_edit, written
from ptx_ls.server.handlers.code_action_edits import EditSource, alike, data_of, edits_of, made
from ptx_ls.server.handlers.code_action_items import (
    EXPLAIN,
    CodeActionItem,
    abilities,
    is_wanted,
    to_json,
)
from ptx_ls.source import Range

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from ptx_ls.server.documents.open_documents import OpenDocument
    from ptx_ls.server.handlers.code_action_items import Abilities
    from ptx_ls.server.session import Session
    from ptx_ls.source import Diagnostic

    Json = dict[str, Any]

_NOT_SUPPRESSED: Final = OF_COMMENTS | {"syntax-error"}
"""Rules for whose diagnostics no comment is offered."""
_PATIENCE: Final = 0.5
"""Seconds to wait for the diagnostics of the lines at the cursor."""
_FOR_NEEDS: Final = 2.0
"""Seconds to wait for the requirements of the module, which titles include."""
_MAX_DIAGNOSTICS: Final = 50
"""Maximum number of diagnostics whose fixes are listed."""
_REFACTORS: Final = (ActionKind.REWRITE, ActionKind.EXTRACT, ActionKind.INLINE)
_FIX_ALL: Final = "Apply all safe fixes"


class _CodeActionRequest:
    """A request: its document, its parameters, and the client's capabilities."""

    def __init__(
        self, session: Session, opened: OpenDocument, params: types.CodeActionParams
    ) -> None:
        self.session = session
        self.opened = opened
        self.area = Range(*from_lsp.bounds(opened, params.range))
        self.context = params.context
        self.only = None if params.context.only is None else list(params.context.only)
        self.able: Abilities = abilities(session.capabilities)
        automatic = types.CodeActionTriggerKind.Automatic
        self.is_invoked = params.context.trigger_kind is not automatic

    def wants(self, *kinds: ActionKind) -> bool:
        """Whether one of these kinds is requested."""
        return any(is_wanted(kind, self.only) for kind in kinds)

    @property
    def can_wait(self) -> bool:
        """Whether edits need not be made before an action is chosen."""
        return self.able.resolves or not self.able.takes_literals


async def code_action(
    session: Session, opened: OpenDocument, params: types.CodeActionParams
) -> list[Any]:
    """Lists the actions for a range, or for the whole file."""
    revision = opened.revision
    asked = _CodeActionRequest(session, opened, params)
    touching = await _diagnostics(asked) if asked.wants(ActionKind.QUICK_FIX) else []
    if opened.revision != revision or session.get(opened.uri) is not opened:
        raise JsonRpcContentModified("the document has changed")
    items = [item async for item in _items(asked, touching)]
    if opened.revision != revision:
        raise JsonRpcContentModified("the document has changed")
    written = (to_json(item, asked.able) for item in items)
    return [each for each in written if each is not None]


async def resolve(session: Session, action: types.CodeAction) -> Json | types.CodeAction:
    """Makes the edits of an action, if it has data for them.

    Neovim resolves every action that it applies, and uses only the answer, so that is complete.
    """
    if action.data is None:
        return action
    found: Json = {"title": action.title, "data": action.data}
    if action.kind is not None:
        found["kind"] = str(getattr(action.kind, "value", action.kind))
    if action.is_preferred:
        found["isPreferred"] = True
    result = await made(session, action.data)
    if result is not None:
        found["edit"] = await written(session, *result)
    return found


async def _diagnostics(asked: _CodeActionRequest) -> list[Diagnostic]:
    """Returns the diagnostics that touch the range.

    For a request of the user, the current text is checked first if necessary. For an automatic
    request, which the editor repeats after new diagnostics, those known so far suffice.
    """
    area, opened = asked.area, asked.opened
    lines = area.start.line, area.end.line
    if asked.is_invoked:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asked.session.checkers.checked(opened, *lines), _PATIENCE)
    checker = asked.session.checkers.get(opened)
    known = checker.within(*lines) if checker is not None else []
    return [one for one in known if one.range.start <= area.end and area.start <= one.range.end]


async def _items(
    asked: _CodeActionRequest, touching: list[Diagnostic]
) -> AsyncIterator[CodeActionItem]:
    if asked.wants(ActionKind.QUICK_FIX):
        for item in _of_diagnostics(asked, touching[:_MAX_DIAGNOSTICS]):
            yield item
    if asked.wants(*_REFACTORS):
        async for item in _refactors(asked):
            yield item
        async for item in _needs(asked):
            yield item
    async for item in _whole_file(asked):
        yield item


# Diagnostics


def _of_diagnostics(
    asked: _CodeActionRequest, touching: list[Diagnostic]
) -> Iterator[CodeActionItem]:
    for found in touching:
        yield from _fixes(asked, found)
    rules = list(dict.fromkeys(one.rule for one in touching))
    for rule in rules:
        certain = any(it.is_certain for one in touching if one.rule == rule for it in one.ready)
        if certain and alike(asked.session, asked.opened, rule, 2) > 1 and asked.can_wait:
            title = f"Fix all `{rule}` findings in the file"
            data = data_of(asked.opened, asked.area, EditSource.FIXES_OF_RULE, title, rule)
            yield CodeActionItem(title, ActionKind.QUICK_FIX, data)
    if asked.able.explains:
        for rule in rules:
            title = f"Explain `{rule}`"
            command = {"title": title, "command": EXPLAIN, "arguments": [rule]}
            yield CodeActionItem(title, ActionKind.QUICK_FIX, command=command)
    on_lines = {(one.rule, one.range.start.line): one for one in touching}.values()
    for found in sorted(on_lines, key=lambda one: one.is_rejected):
        if found.rule not in _NOT_SUPPRESSED:
            yield from _suppressions(asked, found)


def _fixes(asked: _CodeActionRequest, found: Diagnostic) -> Iterator[CodeActionItem]:
    for number, each in enumerate(found.fixes):
        yield CodeActionItem(
            each.title,
            ActionKind.QUICK_FIX,
            data_of(asked.opened, found.range, EditSource.FIX, each.title, found.rule),
            workspace_edit(asked.session, asked.opened, each.edits),
            _shown(asked, found),
            is_preferred=each.is_certain and not number,
        )


def _suppressions(asked: _CodeActionRequest, found: Diagnostic) -> Iterator[CodeActionItem]:
    for scope in SuppressionScope:
        edit = suppress.suppression(Analysis(asked.opened.document), found, scope)
        if edit is not None:
            title = suppress.title(found, scope)
            yield CodeActionItem(
                title,
                ActionKind.QUICK_FIX,
                data_of(asked.opened, found.range, EditSource.SUPPRESSION, title, found.rule),
                workspace_edit(asked.session, asked.opened, [edit]),
                _shown(asked, found),
            )


def _shown(asked: _CodeActionRequest, found: Diagnostic) -> tuple[types.Diagnostic, ...]:
    """Returns the client's diagnostics that match this one."""
    place = to_lsp.range_(asked.opened, found.range)
    return tuple(
        each
        for each in asked.context.diagnostics
        if each.code == found.rule and each.range == place
    )


# The place


async def _refactors(asked: _CodeActionRequest) -> AsyncIterator[CodeActionItem]:
    session, opened = asked.session, asked.opened
    for action in refactors(Analysis(opened.document), asked.area):
        if not asked.wants(action.kind):
            continue
        data = data_of(opened, asked.area, EditSource.REFACTOR, action.title)
        is_late = action.is_costly or isinstance(action.work, Renaming)
        if action.disabled or (asked.can_wait and is_late):
            yield CodeActionItem(action.title, action.kind, data, disabled=action.disabled)
        elif not is_late or asked.is_invoked:
            edit = await written(session, opened, await edits_of(session, opened, action))
            yield CodeActionItem(action.title, action.kind, data, edit)


async def _needs(asked: _CodeActionRequest) -> AsyncIterator[CodeActionItem]:
    """Yields actions that set the lowest `.version` or `.target`, if the cursor is on one."""
    session, opened = asked.session, asked.opened
    name = module_needs.directive_at(Analysis(opened.document), asked.area)
    if not name or not asked.wants(ActionKind.REWRITE):
        return
    needed = await session.requirements.get(session, opened, _FOR_NEEDS)
    if needed is None:
        if asked.can_wait:
            title = module_needs.guess(name)
            data = data_of(opened, asked.area, EditSource.NEEDS, title, name)
            yield CodeActionItem(title, ActionKind.REWRITE, data)
        return
    for action in module_needs.choices(Analysis(opened.document), needed, name):
        data = data_of(opened, asked.area, EditSource.NEEDS, action.title, name)
        edit = workspace_edit(session, opened, await edits_of(session, opened, action))
        yield CodeActionItem(action.title, action.kind, data, edit)


# The file


async def _whole_file(asked: _CodeActionRequest) -> AsyncIterator[CodeActionItem]:
    """Yields actions on the whole file, if the client requests their kinds."""
    if asked.only is None:
        return
    sources = (
        (ActionKind.FIX_ALL, EditSource.ALL_FIXES, _FIX_ALL),
        (ActionKind.ORGANIZE, EditSource.REGISTERS, organize_registers.TITLE),
    )
    for kind, source, title in sources:
        if not asked.wants(kind):
            continue
        data = data_of(asked.opened, asked.area, source, title)
        edit = None
        if not asked.can_wait:
            result = await made(asked.session, data)
            edit = await written(asked.session, *result) if result is not None else None
        yield CodeActionItem(title, kind, data, edit)
