"""Work in steps: it starts again after an edit, gives way to others, and ends when cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from ptx_ls.server.documents.open_documents import OpenDocument
from ptx_ls.server.scheduling import cooperative
from ptx_ls.server.scheduling.cooperative import in_silence, in_steps, one_turn
from ptx_ls.source.columns import ColumnUnit


def opened() -> OpenDocument:
    item = types.TextDocumentItem("file:///k.ptx", "ptx", 1, "ret;\n")
    return OpenDocument(item, ColumnUnit.UTF_16)


def edited(document: OpenDocument) -> None:
    # An editor that does not count its edits.
    document.edit(document.version, [types.TextDocumentContentChangeWholeDocument("exit;\n")])


async def check_steps(n_edits: int, expected: str) -> None:
    """Reads a document in steps, and edits it at the first steps of so many tries."""
    document = opened()
    tries = []

    def read() -> Generator[None, None, str]:
        tries.append(document.version)
        text = document.document.text
        yield
        if len(tries) <= n_edits:
            asyncio.get_running_loop().call_soon(edited, document)
            for _ in range(200_000):  # longer than one turn
                yield
        return text

    assert await in_steps(document, read) == expected
    assert len(tries) == 1 + n_edits


async def test_an_answer_is_of_one_text() -> None:
    await check_steps(0, "ret;\n")
    await check_steps(2, "exit;\n")


async def test_too_many_edits() -> None:
    with pytest.raises(JsonRpcContentModified):
        await check_steps(100, "")


async def test_being_cancelled() -> None:
    def never() -> Generator[None, None, None]:
        while True:
            yield

    task = asyncio.ensure_future(in_steps(opened(), never))
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def counting(n_steps: int) -> Generator[None, None, list[int]]:
    """Steps without work that return a list: of all their numbers."""
    for _ in range(n_steps):
        yield
    return list(range(n_steps))


def test_work_of_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cooperative, "_TURN", 60)
    assert one_turn(counting(3)) == ([0, 1, 2],)
    assert one_turn(counting(0)) == ([],)


async def test_work_of_more_than_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(1000))  # a second passes at every look at the clock
    monkeypatch.setattr(cooperative, "perf_counter", lambda: next(times))
    monkeypatch.setattr(cooperative, "_TURN", 5)
    assert one_turn(counting(3)) == ([0, 1, 2],)
    assert one_turn(counting(20)) is None
    assert await in_steps(opened(), lambda: counting(20)) == list(range(20))


async def check_silent(silences: list[float], expected: str) -> None:
    """What happens in order: `?` for a look at how long the client is silent, else a step.

    A silence below 0 is an edit just before.
    """
    document = opened()
    seen = []

    def silence() -> float:
        seen.append("?")
        found = silences.pop(0)
        if found < 0:
            edited(document)
        return abs(found)

    def steps() -> Generator[None, None, None]:
        for step in "ab":
            seen.append(step)
            yield

    await in_silence(document, steps, silence)
    assert "".join(seen) == expected


async def test_work_that_nobody_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cooperative, "_SHORT_TURN", 0)  # a look before every step
    await check_silent([1, 1, 1], "?a?b?")
    await check_silent([0.01, 0.049, 1, 0.01, 1, 1], "???a??b?")
    await check_silent([1, -1, 1, 1], "?a?a?b?")
