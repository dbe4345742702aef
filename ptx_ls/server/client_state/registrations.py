"""Registers capabilities with the client while they are useful, and unregisters them afterwards.

A client requests code lenses after every edit, and may wait for the server at every save. It should
not do so for features that the user has turned off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.server.capabilities import (
    diagnostic_registration,
    hint_registration,
    lens_registration,
)
from ptx_ls.server.client_state import file_watchers, settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ptx_ls.server.client_state.configuration import ConfiguredClient


class Registrations:
    """The registrations of one session."""

    def __init__(self, client: ConfiguredClient) -> None:
        self._client = client
        self._present: dict[str, str] = {}  # methods by ids

    def begin(self, offered: Mapping[str, Any]) -> None:
        """Takes the registrations that the server capabilities include: those with an id."""
        for name, method in (
            ("diagnosticProvider", types.TEXT_DOCUMENT_DIAGNOSTIC),
            ("inlayHintProvider", types.TEXT_DOCUMENT_INLAY_HINT),
        ):
            options = offered.get(name, {})
            if "id" in options:
                self._present[options["id"]] = method

    def update(self) -> None:
        """Registers the capabilities that settings and folders require; unregisters the others."""
        client = self._client
        wanted = {it.id: it for it in _wanted(client)}
        gone = {name: self._present[name] for name in self._present.keys() - wanted.keys()}
        new = [it for name, it in wanted.items() if name not in self._present]
        self._present = {name: it.method for name, it in wanted.items()}
        if gone:
            listed = [types.Unregistration(*it) for it in sorted(gone.items())]
            params = types.UnregistrationParams(listed)
            client.connection.request(types.CLIENT_UNREGISTER_CAPABILITY, params)
        if new:
            client.connection.request(
                types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(new)
            )


def _wanted(client: ConfiguredClient) -> Iterable[types.Registration]:
    able, sent = client.abilities, client.client_capabilities
    used = client.configuration.in_use()
    if client.folders.uris:
        yield from file_watchers.registrations(sent)
    if get_capability(sent, "workspace.did_change_configuration.dynamic_registration") is True:
        section = {"section": settings.SECTION}
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        yield types.Registration("configuration", method, section)
    if able.pulls_diagnostics and able.registers_diagnostics:
        own = diagnostic_registration(used)
        yield types.Registration(own["id"], types.TEXT_DOCUMENT_DIAGNOSTIC, own)
    if able.registers_hints and (hints := hint_registration(used)) is not None:
        yield types.Registration(hints["id"], types.TEXT_DOCUMENT_INLAY_HINT, hints)
    if able.registers_lenses and (lenses := lens_registration(used)) is not None:
        yield types.Registration("lenses", types.TEXT_DOCUMENT_CODE_LENS, lenses)
    if able.waits_for_saving and able.registers_saving and any(it.format_on_save for it in used):
        method = types.TEXT_DOCUMENT_WILL_SAVE_WAIT_UNTIL
        yield types.Registration("saving", method, types.TextDocumentRegistrationOptions())
