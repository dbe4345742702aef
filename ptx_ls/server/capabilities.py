"""The capabilities of the server, which `initialize` returns, as JSON.

Importing this imports nothing that can read PTX, and no types of LSP, because these take longer to
load than an editor should wait for the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ptx_ls import __version__
from ptx_ls.server.client_state.legend import legend

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.server.client_state.abilities import ClientAbilities
    from ptx_ls.server.client_state.settings import Settings

Json = dict[str, Any]

IDENTIFIER: Final = "ptx-ls"
"""The identifier of our diagnostics in messages to the client."""
PTX_FILES: Final = "**/*.{ptx,PTX}"
"""The pattern of PTX files."""
COMMANDS: Final = (
    "ptx.requirements",
    "ptx.minTarget",
    "ptx.explainRule",
    "ptx.showInstruction",
    "ptx.openSource",
    "ptx.showCfg",
    "ptx.showSync",
    "ptx.showSass",
    "ptx.assemble",
    "ptx.lintWorkspace",
    "ptx.applyCodeAction",
)
"""Names of the commands; docs/commands.md describes their arguments and results."""

_INCREMENTAL: Final = 2  # of LSP's kinds of synchronization
_PROGRESS: Final = {"workDoneProgress": True}
_RESOLVED: Final = {"resolveProvider": True}
_LENSES: Final = {**_PROGRESS, **_RESOLVED}
_ANY_DOCUMENT: Final = {"documentSelector": None}
"""The documents of a registration: those that the client selects."""

# `.` begins a modifier, `%` a register, `@` a guard, `!` a negated guard, `$` a label, `[` an
# address, `{` a vector, `"` a pragma. With a space, a list would pop up after every comma.
_COMPLETION_TRIGGERS: Final = (".", "%", "@", "!", "$", "[", "{", '"')

# After a space, help is only given if an opcode or directive precedes it, or if help is shown.
_SIGNATURE_TRIGGERS: Final = (" ", ",", "(", "[", "{")
_SIGNATURE_RETRIGGERS: Final = ("|", ")", "]", "}")

_ACTION_KINDS: Final = (
    "quickfix",
    "refactor.rewrite",
    "refactor.extract",
    "source.fixAll.ptx",
    "source.organize.ptx",
)

# Files and directories that the user makes, moves or deletes within the editor.
_FILE_OPERATIONS: Final = {
    "filters": [
        {"scheme": "file", "pattern": {"glob": PTX_FILES, "matches": "file"}},
        {"scheme": "file", "pattern": {"glob": "**", "matches": "folder"}},
    ]
}


def initialize_result(able: ClientAbilities, used: Sequence[Settings]) -> Json:
    """Returns the answer to `initialize` for a client; `used`: the settings in use."""
    return {
        "capabilities": server_capabilities(able, used),
        "serverInfo": {"name": "ptx-ls", "version": __version__},
    }


def server_capabilities(able: ClientAbilities, used: Sequence[Settings]) -> Json:
    """Returns the server capabilities for a client.

    Those that are only useful under some settings are left out if the client can register them
    later (see `registrations.py`). Some editors, such as Neovim, do not wait for the registration
    of inlay hints, so these are offered at once, but with an id, so that they can be unregistered.
    """
    offered: Json = {
        "positionEncoding": able.position_encoding,
        "textDocumentSync": _synchronization(able),
        "completionProvider": {"triggerCharacters": _COMPLETION_TRIGGERS, **_RESOLVED},
        "hoverProvider": True,
        "signatureHelpProvider": {
            "triggerCharacters": _SIGNATURE_TRIGGERS,
            "retriggerCharacters": _SIGNATURE_RETRIGGERS,
        },
        "declarationProvider": True,
        "definitionProvider": True,
        "typeDefinitionProvider": True,
        "implementationProvider": True,
        "referencesProvider": _PROGRESS,
        "documentHighlightProvider": True,
        "documentSymbolProvider": _PROGRESS,
        "codeActionProvider": {"codeActionKinds": _ACTION_KINDS, **_RESOLVED},
        "documentLinkProvider": _RESOLVED,
        "workspaceSymbolProvider": {"resolveProvider": False},
        "documentFormattingProvider": _PROGRESS,
        "documentRangeFormattingProvider": {"rangesSupport": True},
        "documentOnTypeFormattingProvider": {
            "firstTriggerCharacter": ";",
            "moreTriggerCharacter": ["}", "\n"],
        },
        # LSP allows options only for a client that prepares renames.
        "renameProvider": {"prepareProvider": True, **_PROGRESS} if able.prepares_rename else True,
        "foldingRangeProvider": True,
        "selectionRangeProvider": True,
        "executeCommandProvider": {"commands": COMMANDS, **_PROGRESS},
        "callHierarchyProvider": True,
        "linkedEditingRangeProvider": True,
        "semanticTokensProvider": {
            "legend": legend(able.token_types),
            "range": True,
            "full": {"delta": True},
        },
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": dict.fromkeys(able.file_operations, _FILE_OPERATIONS),
        },
    }
    hints = hint_registration(used) if able.registers_hints else _RESOLVED
    if hints is not None:
        offered["inlayHintProvider"] = hints
    if not able.registers_lenses:
        offered["codeLensProvider"] = _LENSES
    if able.pulls_diagnostics and able.registers_diagnostics:
        # Clients that may pull the diagnostics of all files do so again and again.
        offered["diagnosticProvider"] = diagnostic_registration(used)
    elif able.pulls_diagnostics:
        offered["diagnosticProvider"] = _diagnostics(is_of_all=True)
    return offered


def diagnostic_registration(used: Iterable[Settings]) -> Json:
    """Returns the options for the diagnostics that the client should pull under some settings."""
    is_of_all = any(each.workspace_diagnostics for each in used)
    return {
        **_diagnostics(is_of_all=is_of_all),
        **_ANY_DOCUMENT,
        "id": "diagnostics of all files" if is_of_all else "diagnostics",
    }


def hint_registration(used: Iterable[Settings]) -> Json | None:
    """Returns the options for the hints that are shown under some settings; None if none are."""
    if not any(each.has_hints for each in used):
        return None
    return {**_RESOLVED, **_ANY_DOCUMENT, "id": "hints"}


def lens_registration(used: Iterable[Settings]) -> Json | None:
    """Returns the options for the lenses that are shown under some settings; None if none are."""
    if not any(each.has_lenses for each in used):
        return None
    return {**_LENSES, **_ANY_DOCUMENT}


def _diagnostics(*, is_of_all: bool) -> Json:
    return {
        "identifier": IDENTIFIER,
        "interFileDependencies": False,
        "workspaceDiagnostics": is_of_all,
        **_PROGRESS,
    }


def _synchronization(able: ClientAbilities) -> Json:
    found: Json = {"openClose": True, "change": _INCREMENTAL, "save": {"includeText": False}}
    if able.announces_saving is not None:
        found["willSave"] = False
    if able.registers_saving:
        found["willSaveWaitUntil"] = False
    elif able.waits_for_saving is not None:
        found["willSaveWaitUntil"] = able.waits_for_saving
    return found
