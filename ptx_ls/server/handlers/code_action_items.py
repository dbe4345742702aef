"""Code actions in the client's format: literals, or commands for clients without literals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pygls.capabilities import get_capability

from ptx_ls.features.actions.action import ActionKind

if TYPE_CHECKING:
    from lsprotocol import types

    Json = dict[str, Any]

APPLY: Final = "ptx.applyCodeAction"
"""The command that makes the edits of an action and asks the client to apply them."""
EXPLAIN: Final = "ptx.explainRule"
"""A command that the client runs, offered if the client lists it."""


@dataclass(frozen=True, slots=True)
class CodeActionItem:
    """An action to show.

    Attributes:
        data: the data for making its edits when it is chosen; None for a command of the client.
        edit: its edits, if they are already known.
        diagnostics: the client's diagnostics that it fixes.
    """

    title: str
    kind: ActionKind
    data: Json | None = None
    edit: Json | None = None
    diagnostics: tuple[types.Diagnostic, ...] = ()
    is_preferred: bool = False
    disabled: str = ""
    command: Json | None = None


@dataclass(frozen=True, slots=True)
class Abilities:
    """The client's capabilities for code actions."""

    takes_literals: bool
    resolves: bool
    shows_disabled: bool
    shows_preferred: bool
    explains: bool


def abilities(able: types.ClientCapabilities) -> Abilities:
    """Returns the abilities that a client's capabilities list."""
    own = "text_document.code_action"
    properties = get_capability(able, f"{own}.resolve_support.properties")
    takes_data = get_capability(able, f"{own}.data_support") is True
    return Abilities(
        get_capability(able, f"{own}.code_action_literal_support") is not None,
        takes_data and "edit" in (properties or ()),
        get_capability(able, f"{own}.disabled_support") is True,
        get_capability(able, f"{own}.is_preferred_support") is True,
        EXPLAIN in client_commands(able),
    )


def client_commands(able: types.ClientCapabilities) -> list[Any]:
    """Returns the commands that the client runs, listed in `experimental.commands.commands`."""
    experimental = able.experimental
    commands = experimental.get("commands") if isinstance(experimental, dict) else None
    listed = commands.get("commands") if isinstance(commands, dict) else None
    return listed if isinstance(listed, list) else []


def is_wanted(kind: ActionKind, only: list[Any] | None) -> bool:
    """Whether the client requests actions of a kind, or of a kind that includes it."""
    if only is None:
        return True
    names = [str(getattr(each, "value", each)) for each in only]
    return any(not name or f"{kind.value}.".startswith(f"{name}.") for name in names)


def to_json(item: CodeActionItem, able: Abilities) -> Json | None:
    """Converts an item; returns None if the client cannot show it."""
    if item.disabled and not (able.shows_disabled and able.takes_literals):
        return None
    if not able.takes_literals:
        if item.command is not None:
            return item.command
        return {"title": item.title, "command": APPLY, "arguments": [item.data]}
    found: Json = {"title": item.title, "kind": item.kind.value}
    if item.diagnostics:
        found["diagnostics"] = item.diagnostics
    if item.is_preferred and able.shows_preferred:
        found["isPreferred"] = True
    if item.disabled:
        found["disabled"] = {"reason": item.disabled}
    if item.command is not None:
        found["command"] = item.command
    elif item.edit is not None:
        found["edit"] = item.edit
    elif not item.disabled:
        found["data"] = item.data
    return found
