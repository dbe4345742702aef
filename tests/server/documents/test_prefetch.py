"""Answers that are computed before a client asks: tokens, and slow ones of large documents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

import pytest
from lsprotocol import types

from ptx_ls.features.tokens.name_styles import RegionStyles
from ptx_ls.semantics.symbols.module_names import exports_of
from ptx_ls.server.documents.open_documents import OpenDocument, OpenDocuments
from ptx_ls.server.documents.prefetch import prefetch, prefetch_large
from ptx_ls.server.handlers import semantic_tokens
from ptx_ls.server.session import Session
from ptx_ls.source.columns import ColumnUnit

Result = TypeVar("Result")

URI = "file:///k.ptx"
FUNCTION = ".func f{}()\n{{\n\t.reg .b32 %r<9>;\n\tadd.s32 %r1, %r2, 5;\n\tret;\n}}\n"
TEXT = ".version 8.0\n.target sm_80\n" + "".join(map(FUNCTION.format, range(500)))


def able(*, full: bool) -> types.ClientCapabilities:
    tokens = types.SemanticTokensClientCapabilities(
        types.ClientSemanticTokensRequestOptions(full=full), [], [], []
    )
    return types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(semantic_tokens=tokens)
    )


@dataclass(eq=False)
class Editor:
    """The part of a session that prefetching needs."""

    capabilities: types.ClientCapabilities
    workspace: OpenDocuments = field(default_factory=lambda: OpenDocuments(ColumnUnit.UTF_16))

    def get(self, uri: str) -> OpenDocument | None:
        return self.workspace.get(uri)

    @property
    def session(self) -> Session:
        return cast("Session", self)

    async def run(self, work: Callable[[Callable[[], bool]], Result]) -> Result:
        return await asyncio.to_thread(work, lambda: False)

    def open(self, text: str = TEXT) -> OpenDocument:
        return self.workspace.open(types.TextDocumentItem(URI, "ptx", 1, text))

    async def ask(self) -> None:
        document = types.TextDocumentIdentifier(URI)
        opened = self.get(URI)
        assert opened is not None
        await semantic_tokens.full(self.session, opened, types.SemanticTokensParams(document))


def n_found(opened: OpenDocument) -> int:
    """Of how many functions the tokens are known."""
    return sum("token rows" in map(_name, function.facts) for function in opened.document.leaves())


def _name(fact: object) -> object:
    return getattr(fact, "name", None)


async def test_all_tokens_are_found_if_the_client_will_ask_for_them() -> None:
    for full in (False, True):
        editor = Editor(able(full=full))
        opened = editor.open()
        await prefetch(editor.session, opened)
        assert n_found(opened) == full * opened.document.n_leaves


async def test_a_request_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    editor = Editor(able(full=True))
    opened = editor.open()
    of_banks = RegionStyles.of_banks

    def ask(self: RegionStyles, names: tuple[str, ...]) -> tuple[int, ...] | None:
        opened.has_asked_for_tokens = True
        return of_banks(self, names)

    monkeypatch.setattr(RegionStyles, "of_banks", ask)
    await prefetch(editor.session, opened)
    assert n_found(opened) < opened.document.n_leaves
    await editor.ask()
    assert n_found(opened) == opened.document.n_leaves


async def test_a_document_that_is_closed_at_once() -> None:
    editor = Editor(able(full=True))
    opened = editor.open()
    task = asyncio.ensure_future(prefetch(editor.session, opened))
    await asyncio.sleep(0)
    assert not task.done()
    editor.workspace.close(URI)
    await task
    assert not n_found(opened)


def prefetched(opened: OpenDocument) -> bool:
    """Whether the names of a document are known."""
    return all(exports_of.known(function) is not None for function in opened.document.leaves())


async def test_what_takes_longest_in_a_large_document_is_found() -> None:
    editor = Editor(able(full=False))
    opened = editor.open()
    await prefetch_large(editor.session, opened)
    assert prefetched(opened)


async def test_nothing_is_found_of_a_document_that_was_closed() -> None:
    editor = Editor(able(full=True))
    opened = editor.open()
    editor.workspace.close(URI)
    await prefetch_large(editor.session, opened)
    assert not prefetched(opened)
