"""Long answers: of one version of a text, made again after an edit, ended when cancelled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from ptx_ls.document.cancellation import WorkCancelledError, check_cancelled
from ptx_ls.server.documents.host import DocumentHost
from ptx_ls.server.documents.open_documents import OpenDocument
from ptx_ls.server.scheduling import background
from ptx_ls.server.scheduling.answers import answered
from ptx_ls.source.columns import ColumnUnit

Result = TypeVar("Result")


class Host:
    """Runs work on a thread, as a session does."""

    def __init__(self) -> None:
        self.executor = ThreadPoolExecutor(1)

    async def run(self, work: Callable[[Callable[[], bool]], Result]) -> Result:
        return await background.run(self.executor, work)


def new_document() -> OpenDocument:
    item = types.TextDocumentItem("file:///k.ptx", "ptx", 1, "ret;\n")
    return OpenDocument(item, ColumnUnit.UTF_16)


def edit(document: OpenDocument) -> None:
    # An editor that does not count its edits.
    document.edit(document.version, [types.TextDocumentContentChangeWholeDocument("exit;\n")])


async def answer(document: OpenDocument, work: Callable[[OpenDocument], Result]) -> Result:
    """The answer that work gives."""
    host = Host()
    try:
        return await answered(cast("DocumentHost", host), document, work)
    finally:
        host.executor.shutdown()


def loop_until_cancelled() -> None:
    while True:
        check_cancelled()


async def check_answer(n_edits: int, expected: str, *, notices: bool) -> None:
    """Edits a document during `n_edits` attempts; `notices`: whether they notice that."""
    document, loop = new_document(), asyncio.get_running_loop()
    threads = []

    def work(copy: OpenDocument) -> str:
        threads.append(threading.current_thread())
        text = copy.document.text
        if len(threads) <= n_edits:
            loop.call_soon_threadsafe(edit, document)
            if notices:
                loop_until_cancelled()
            while document.document.text == text:
                pass
        assert copy.document.text == text
        return text

    assert await answer(document, work) == expected
    assert len(threads) == 1 + n_edits
    assert threading.current_thread() not in threads


@pytest.mark.parametrize("notices", [True, False])
async def test_an_answer_is_of_one_text(*, notices: bool) -> None:
    await check_answer(0, "ret;\n", notices=notices)
    await check_answer(1, "exit;\n", notices=notices)


async def test_too_many_edits() -> None:
    with pytest.raises(JsonRpcContentModified):
        await check_answer(100, "", notices=True)


async def test_being_cancelled() -> None:
    ended = threading.Event()

    def work(_copy: OpenDocument) -> None:
        try:
            loop_until_cancelled()
        except WorkCancelledError:
            ended.set()
            raise

    task = asyncio.ensure_future(answer(new_document(), work))
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()
