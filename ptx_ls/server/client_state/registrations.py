"""Registers capabilities with the client while they are useful, and unregisters them afterwards.

A client requests code lenses after every edit, and may wait for the server at every save. It should
not do so for features that the user has turned off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.server.client_state import file_watchers, settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.server.client_state.configuration import ConfiguredClient
    from ptx_ls.server.client_state.settings import Settings

IDENTIFIER: Final = "ptx-ls"
"""The identifier of our diagnostics in messages to the client."""
_DIAGNOSTICS: Final = "diagnostics"
_ALL_DIAGNOSTICS: Final = "diagnostics of all files"
_HINTS: Final = "hints"
_LENSES: Final = "lenses"
_SAVING: Final = "saving"


class Registrations:
    """The registrations of one session."""

    def __init__(self, client: ConfiguredClient) -> None:
        self._client = client
        self._present: dict[str, str] = {}  # methods by ids

    def shape(self, offered: types.ServerCapabilities) -> None:
        """Removes the static capabilities that are not useful, or are to be registered later."""
        able = self._client.client_capabilities
        used = self._client.configuration.in_use()
        if not pulls(able):
            offered.diagnostic_provider = None
        elif _is_dynamic(able, "diagnostic"):
            # Clients that may pull the diagnostics of all files do so again and again.
            own = offered.diagnostic_provider = _wanted_diagnostics(used)
            self._present[str(own.id)] = types.TEXT_DOCUMENT_DIAGNOSTIC
        if _is_dynamic(able, "code_lens"):
            offered.code_lens_provider = None
        for options in (offered.execute_command_provider, offered.rename_provider):
            if isinstance(options, types.ExecuteCommandOptions | types.RenameOptions):
                options.work_done_progress = True  # pygls fills these in by itself
        sync = offered.text_document_sync
        if _is_dynamic(able, "synchronization") and isinstance(sync, types.TextDocumentSyncOptions):
            sync.will_save_wait_until = False
        if _is_dynamic(able, "inlay_hint"):
            # Offered at once, as editors such as Neovim do not wait for registrations, but with an
            # id, so that it can be unregistered.
            hints = _wanted_hints(used)
            offered.inlay_hint_provider = hints
            if hints is not None:
                self._present[_HINTS] = types.TEXT_DOCUMENT_INLAY_HINT

    def update(self) -> None:
        """Registers the capabilities that settings and folders require; unregisters the others."""
        client = self._client
        able, used = client.client_capabilities, client.configuration.in_use()
        wanted = {it.id: it for it in _wanted(able, used, has_folders=bool(client.folders.uris))}
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


def pulls(able: types.ClientCapabilities) -> bool:
    """Whether a client should pull diagnostics.

    A client that cannot be asked to pull again would show stale ones after a change of settings,
    until the next edit. So it gets pushed diagnostics, if it accepts them.
    """
    if get_capability(able, "text_document.diagnostic") is None:
        return False
    can_refresh = get_capability(able, "workspace.diagnostics.refresh_support") is True
    return can_refresh or get_capability(able, "text_document.publish_diagnostics") is None


def _wanted(
    able: types.ClientCapabilities, used: Sequence[Settings], *, has_folders: bool
) -> Iterable[types.Registration]:
    if has_folders:
        yield from file_watchers.registrations(able)
    if get_capability(able, "workspace.did_change_configuration.dynamic_registration") is True:
        section = types.DidChangeConfigurationRegistrationOptions(settings.SECTION)
        yield _registration("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section)
    if pulls(able) and _is_dynamic(able, "diagnostic"):
        own = _wanted_diagnostics(used)
        yield _registration(str(own.id), types.TEXT_DOCUMENT_DIAGNOSTIC, own)
    if _is_dynamic(able, "inlay_hint") and (hints := _wanted_hints(used)) is not None:
        yield _registration(_HINTS, types.TEXT_DOCUMENT_INLAY_HINT, hints)
    if _is_dynamic(able, "code_lens") and any(each.has_lenses for each in used):
        lenses = types.CodeLensRegistrationOptions(work_done_progress=True, resolve_provider=True)
        yield _registration(_LENSES, types.TEXT_DOCUMENT_CODE_LENS, lenses)
    waits = get_capability(able, "text_document.synchronization.will_save_wait_until") is True
    if waits and _is_dynamic(able, "synchronization") and any(it.format_on_save for it in used):
        method = types.TEXT_DOCUMENT_WILL_SAVE_WAIT_UNTIL
        yield _registration(_SAVING, method, types.TextDocumentRegistrationOptions())


def _wanted_diagnostics(used: Iterable[Settings]) -> types.DiagnosticRegistrationOptions:
    is_of_all = any(each.workspace_diagnostics for each in used)
    return types.DiagnosticRegistrationOptions(
        inter_file_dependencies=False,
        workspace_diagnostics=is_of_all,
        identifier=IDENTIFIER,
        work_done_progress=True,
        id=_ALL_DIAGNOSTICS if is_of_all else _DIAGNOSTICS,
    )


def _wanted_hints(used: Iterable[Settings]) -> types.InlayHintRegistrationOptions | None:
    if not any(each.has_hints for each in used):
        return None
    return types.InlayHintRegistrationOptions(resolve_provider=True, id=_HINTS)


def _registration(name: str, method: str, options: Any) -> types.Registration:  # noqa: ANN401
    return types.Registration(name, method, options)


def _is_dynamic(able: types.ClientCapabilities, ability: str) -> bool:
    return get_capability(able, f"text_document.{ability}.dynamic_registration") is True
