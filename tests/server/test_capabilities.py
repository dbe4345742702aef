"""The answer to `initialize` is valid LSP, and what pygls would offer for the same methods."""

from __future__ import annotations

from typing import Any, Final

import pytest
from lsprotocol import converters, types
from pygls.capabilities import ServerCapabilitiesBuilder

from ptx_ls.server.capabilities import COMMANDS, initialize_result
from ptx_ls.server.client_state.abilities import ClientAbilities
from ptx_ls.server.client_state.legend import OWN_TYPES, STANDARD_MODIFIERS, legend
from ptx_ls.server.client_state.settings import Settings
from ptx_ls.server.language_server import PtxServer

Json = dict[str, Any]

CONVERTER: Final = converters.get_converter()
ALL: Final = Settings()
NONE: Final = Settings(
    literal_hints=False,
    special_register_hints=False,
    location_hints=False,
    register_type_hints=False,
    operand_name_hints=False,
)
LAZY: Final = {"dynamicRegistration": True}
CLIENTS: Final[dict[str, Json]] = {
    "nothing": {},
    "everything": {
        "general": {"positionEncodings": ["utf-32"]},
        "textDocument": {
            "synchronization": {"willSave": True, "willSaveWaitUntil": True},
            "diagnostic": {},
            "rename": {"prepareSupport": True},
        },
        "workspace": {
            "diagnostics": {"refreshSupport": True},
            "fileOperations": {"didCreate": True, "didRename": True, "didDelete": True},
        },
    },
    "later": {
        "textDocument": {
            "synchronization": {**LAZY, "willSaveWaitUntil": True},
            "diagnostic": LAZY,
            "inlayHint": LAZY,
            "codeLens": LAZY,
        }
    },
}


def offered(client: Json, settings: Settings = ALL) -> Json:
    """The server capabilities as a client reads them; they have to be valid."""
    result = initialize_result(ClientAbilities.of_json(client), [settings])
    structured = CONVERTER.structure(result, types.InitializeResult)
    read: Json = CONVERTER.unstructure(structured)["capabilities"]
    return read


def built(client: Json, ours: Json) -> Json:
    """The server capabilities that pygls builds of the methods that have a handler.

    It takes our options where it has none of its own.
    """
    operations = ours["workspace"]["fileOperations"]
    options: Json = {
        method: CONVERTER.structure(sent, kind)
        for method, sent, kind in (
            (
                types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
                ours["documentOnTypeFormattingProvider"],
                types.DocumentOnTypeFormattingOptions,
            ),
            (
                types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
                ours["semanticTokensProvider"]["legend"],
                types.SemanticTokensLegend,
            ),
            *(
                (f"workspace/{name}Files", sent, types.FileOperationRegistrationOptions)
                for name, sent in operations.items()
            ),
        )
    }
    able = CONVERTER.structure(client, types.ClientCapabilities)
    builder = ServerCapabilitiesBuilder(
        able,
        set(PtxServer(lambda _code: None).connection.features.methods),
        options,
        list(COMMANDS),
        types.TextDocumentSyncKind.Incremental,
        position_encoding=ServerCapabilitiesBuilder.choose_position_encoding(able),
    )
    capabilities = builder.build()  # type: ignore[no-untyped-call]
    result: Json = CONVERTER.unstructure(capabilities)
    return result


def check_same(client: Json) -> None:
    """Checks the capabilities that the client cannot register later."""
    ours = offered(client)
    theirs = built(client, ours)
    if "diagnostic" not in client.get("textDocument", {}):
        del theirs["diagnosticProvider"]
    assert set(ours) == set(theirs)
    for name, own in theirs.items():
        if name == "textDocumentSync":
            assert {**own, "save": None} == {**ours[name], "save": None}
        elif isinstance(own, dict):
            assert {**ours[name], **own} == ours[name], name
        elif isinstance(own, str):
            assert ours[name] == own
        else:
            assert own is True
            assert ours[name], name


@pytest.mark.parametrize("name", ["nothing", "everything"])
def test_the_capabilities_follow_from_the_methods(name: str) -> None:
    check_same(CLIENTS[name])


def test_what_can_be_registered_later_is_offered_while_it_is_of_use() -> None:
    client = CLIENTS["later"]
    found = offered(client)
    assert found["diagnosticProvider"]["id"] == "diagnostics"
    assert not found["diagnosticProvider"]["workspaceDiagnostics"]
    assert found["inlayHintProvider"]["id"] == "hints"
    assert "codeLensProvider" not in found
    assert found["textDocumentSync"]["willSaveWaitUntil"] is False
    assert "inlayHintProvider" not in offered(client, NONE)
    assert offered({}, NONE)["inlayHintProvider"] == {"resolveProvider": True}
    found = offered(client, Settings(workspace_diagnostics=True))
    assert found["diagnosticProvider"]["id"] == "diagnostics of all files"
    assert found["diagnosticProvider"]["workspaceDiagnostics"]


def test_diagnostics_are_pulled_only_by_a_client_that_can_be_asked_to_pull_again() -> None:
    pulls: Json = {"textDocument": {"diagnostic": {}}}
    takes_both: Json = {"textDocument": {"diagnostic": {}, "publishDiagnostics": {}}}
    refreshes: Json = {**takes_both, "workspace": {"diagnostics": {"refreshSupport": True}}}
    assert "diagnosticProvider" in offered(pulls)
    assert "diagnosticProvider" not in offered(takes_both)
    assert "diagnosticProvider" in offered(refreshes)


def test_the_standard_names_are_those_of_lsp() -> None:
    standard = {each.value for each in types.SemanticTokenTypes}
    assert set(OWN_TYPES.values()) <= standard
    assert set(legend([])["tokenTypes"]) <= standard
    modifiers = {each.value for each in types.SemanticTokenModifiers}
    assert set(STANDARD_MODIFIERS.values()) <= modifiers


def test_a_type_has_our_own_name_if_the_client_lists_it() -> None:
    names = legend(["opcode", "keyword"])["tokenTypes"]
    assert "opcode" in names
    assert "keyword" not in names
