"""A session as real editors have it: their capabilities, and pytest-lsp's checks of what is sent.

Its client reads each answer as the type that its method has, and warns, which fails a test, of what
the editor did not say it can show.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import pytest
from lsprotocol import converters, types
from pygls.capabilities import get_capability
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from ptx_ls.lint.checks import COMPUTATION_GROUPS
from tests.server.client import SERVE, URI, Message
from tests.server.probes import REQUESTS

pytestmark = pytest.mark.slow

EDITORS: Final = ("visual_studio_code", "neovim@v0.11.0", "emacs")
PATIENCE: Final = 60.0
"""Seconds for a whole test on a busy machine; nothing may wait for ever."""
WRONG: Final = 14
TEXT: Final = """.version 8.0
.target sm_80
.address_size 64
.func callee()
{
	ret;
}
.entry kernel(.param .u64 p)
{
	.reg .b32 %r<9>;
	.reg .f32 %f<9>;
	mov.f32 %f1, 0f3F800000;
	add.s32 %r1, %r2, %r3;
	call callee;
	mov.b32 %r4, %nothing;
	ret;
}
"""
AREA: Final = {"start": {"line": 0, "character": 0}, "end": {"line": 16, "character": 0}}
PLACES: Final = {
    "textDocument/prepareCallHierarchy": (13, 7),
    "textDocument/implementation": (13, 7),
    "textDocument/signatureHelp": (12, 14),
    "textDocument/completion": (12, 5),
}
"""Where some requests are made; elsewhere they would be answered by nothing."""
OF_ANSWERS: Final = frozenset(
    "callHierarchy/incomingCalls callHierarchy/outgoingCalls completionItem/resolve "
    "codeLens/resolve codeAction/resolve documentLink/resolve inlayHint/resolve".split()
)
"""Asked with what comes of other requests."""
WITHOUT: Final = frozenset(
    "textDocument/documentLink textDocument/willSaveWaitUntil textDocument/onTypeFormatting "
    "textDocument/linkedEditingRange workspace/executeCommand".split()
)
"""Have nothing to say of this text, or are switched off; commands are tested by themselves."""
ASKED: Final = {
    "range": AREA,
    "ranges": [AREA],
    "context": {
        "includeDeclaration": True,
        "diagnostics": [],
        "triggerKind": 1,
        "isRetrigger": False,
    },
    "newName": "%other",
    "ch": ";",
    "options": {"tabSize": 4, "insertSpaces": True},
    "reason": 1,
    "previousResultId": "0",
    "previousResultIds": [],
    "query": "kernel",
    "command": "ptx.explainRule",
    "arguments": ["missing-wait"],
}
CONVERTER: Final = converters.get_converter()


class Editor:
    """A client with the capabilities of an editor, and a document open."""

    def __init__(self, client: LanguageClient, able: types.ClientCapabilities) -> None:
        self.client = client
        self.able = able

    async def ask(self, method: str, sent: Message) -> Any:  # noqa: ANN401
        """Sends a request; the client reads the answer as the type that the method has."""
        message = {"jsonrpc": "2.0", "id": 0, "method": method, "params": sent}
        request = types.METHOD_TO_TYPES[method][0]
        typed: Any = CONVERTER.structure(message, request)
        protocol: Any = self.client.protocol
        return await protocol.send_request_async(method, typed.params)

    async def ask_at(self, method: str) -> Any:  # noqa: ANN401
        """Sends a request with all that any request takes."""
        line, character = PLACES.get(method, (12, 10))
        place = {"line": line, "character": character}
        more = {"textDocument": {"uri": URI}, "position": place, "positions": [place]}
        return await self.ask(method, {**ASKED, **more})

    def can(self, ability: str) -> Any:  # noqa: ANN401
        """The value of an ability of the editor."""
        return get_capability(self.able, ability)

    def ignore(self, *rules: str) -> None:
        """Changes the settings to ones that ignore rules or groups of rules."""
        settings = {"lint": {"ignore": [*rules]}, "diagnostics": {"delay": 1}}
        changed = types.DidChangeConfigurationParams({"ptx": settings})
        self.client.workspace_did_change_configuration(changed)

    async def diagnostics(self, *expected: int) -> None:
        """Waits until the diagnostics are on these lines, pulled or pushed as the server wants."""
        while True:
            if self.is_pulled:
                found = (await self.ask_at("textDocument/diagnostic")).items
            else:
                found = self.client.diagnostics.get(URI, ())
            if [it.range.start.line for it in found] == list(expected):
                return
            if not self.is_pulled:
                await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)

    is_pulled = False


@asynccontextmanager
async def session(name: str) -> AsyncIterator[Editor]:
    """Opens the document as an editor does; whatever happens, the server is gone afterwards."""
    able = client_capabilities(name)
    client = await ClientServerConfig(list(SERVE)).start()
    assert isinstance(client, LanguageClient)
    editor = Editor(client, able)
    try:
        async with asyncio.timeout(PATIENCE):
            result = await client.initialize_session(
                types.InitializeParams(capabilities=able, process_id=None, root_uri=None)
            )
            editor.is_pulled = result.capabilities.diagnostic_provider is not None
            item = types.TextDocumentItem(URI, "ptx", 1, TEXT)
            client.text_document_did_open(types.DidOpenTextDocumentParams(item))
            yield editor
            assert not client.messages  # nothing popped up
            assert client.error is None
            await client.shutdown_session()
    finally:
        # Left to itself, a server whose client failed would wait for it, and a test for the server.
        if client._server is not None and client._server.returncode is None:  # noqa: SLF001
            with suppress(ProcessLookupError):
                client._server.kill()  # noqa: SLF001
        await client.stop()  # type: ignore[no-untyped-call]


async def check_every_request(editor: Editor) -> None:
    """Every request is answered, in its type."""
    for method in REQUESTS:
        if method not in OF_ANSWERS:
            found = await editor.ask_at(method)
            assert found or method in WITHOUT, method


async def check_further_requests(editor: Editor) -> None:
    """So is what an editor asks with an answer."""
    (item,) = await editor.ask_at("textDocument/prepareCallHierarchy")
    calls = types.CallHierarchyIncomingCallsParams(item)
    (caller,) = await editor.client.call_hierarchy_incoming_calls_async(calls) or ()
    assert caller.from_.name == "kernel"
    lenses = await editor.ask_at("textDocument/codeLens")
    lens = await editor.client.code_lens_resolve_async(lenses[0])
    assert lens.command is not None
    assert lens.command.title
    found = await editor.ask_at("textDocument/completion")
    (first,) = [it for it in found.items if it.label.removeprefix(".") == "s32"]
    resolved = await editor.client.completion_item_resolve_async(first)
    assert resolved.documentation


async def check_shown(editor: Editor) -> None:
    """Nothing is sent that the editor cannot show."""
    hover = await editor.ask_at("textDocument/hover")
    assert hover.contents.kind in editor.can("text_document.hover.content_format")
    symbols = await editor.ask_at("textDocument/documentSymbol")
    able = "text_document.document_symbol.hierarchical_document_symbol_support"
    kind = types.DocumentSymbol if editor.can(able) else types.SymbolInformation
    assert {type(it) for it in symbols} == {kind}
    found = await editor.ask_at("textDocument/completion")
    has_snippets = types.InsertTextFormat.Snippet in {it.insert_text_format for it in found.items}
    able = "text_document.completion.completion_item.snippet_support"
    assert editor.can(able) or not has_snippets


@pytest.mark.parametrize("name", EDITORS)
async def test_what_an_editor_asks_is_answered_as_it_takes_it(name: str) -> None:
    async with session(name) as editor:
        await check_every_request(editor)
        await check_further_requests(editor)
        await check_shown(editor)


@pytest.mark.parametrize("name", EDITORS)
async def test_diagnostics_follow_the_text_and_the_settings(name: str) -> None:
    async with session(name) as editor:
        await editor.diagnostics(WRONG)
        editor.ignore(*COMPUTATION_GROUPS, "undeclared-register")
        await editor.diagnostics()
        editor.ignore(*COMPUTATION_GROUPS)
        await editor.diagnostics(WRONG)
        line = types.Range(types.Position(WRONG, 0), types.Position(WRONG + 1, 0))
        editor.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(2, URI),
                [types.TextDocumentContentChangePartial(line, "")],
            )
        )
        await editor.diagnostics()
