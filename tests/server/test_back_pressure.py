"""A client that does not read: the server waits for it, and still ends with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.process import resident_bytes, wait_for_rest
from ptx_ls.server.back_pressure import MAX_AT_ONCE, MAX_UNSENT, BackPressure, Publications
from tests.server.client import URI, Client, framed

_TEXT = ".version 8.5\n.target sm_90\n.entry k()\n{\n" + "\tmov.u32 %x, 1;\n" * 30_000 + "}\n"
_TOKENS = {"textDocument": {"uri": URI}}
_N_REQUESTS = 100
_MAX_GROWTH = 50_000_000
"""Bytes: all answers together would take more than twice that."""


def ask_without_reading(client: Client) -> list[int]:
    """Asks for long answers and reads none of them."""
    client.initialize()
    client.open(_TEXT)
    client.request("textDocument/semanticTokens/full", _TOKENS)
    before = resident_bytes(client.process.pid)
    asked = [
        client.start_request("textDocument/semanticTokens/full", _TOKENS)
        for _ in range(_N_REQUESTS)
    ]
    wait_for_rest(client.process.pid)
    assert resident_bytes(client.process.pid) - before < _MAX_GROWTH
    return asked


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory in /proc")
def test_nothing_is_lost_when_the_client_reads_again() -> None:
    with Client(patience=300) as client:
        asked = ask_without_reading(client)
        n_numbers = 0
        for _ in asked:
            n_numbers += len(client.response_of(asked)["result"]["data"])
        assert 2 * n_numbers > 2 * _MAX_GROWTH  # each takes a comma, too
        assert client.request("textDocument/hover", {**_TOKENS, "position": _at(4)})
        assert client.leave() == 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory in /proc")
def test_the_server_ends_with_a_client_that_does_not_read() -> None:
    with Client(patience=300) as client:
        ask_without_reading(client)
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(60) == 1


def _at(line: int) -> dict[str, int]:
    return {"line": line, "character": 2}


async def check_published(events: str, expected: str) -> None:
    """`events`: `(` holds work and `)` releases it, a letter and digit are a document's report."""
    pressure, sent = BackPressure(), []
    told = Publications(pressure, lambda params: sent.append(params["uri"] + params["what"]))
    for event in events.split():
        if event == "(":
            pressure.hold()
        elif event == ")":
            pressure.release()
        else:
            told.publish({"uri": event[0], "what": event[1]})
    assert " ".join(sent) == expected


async def test_only_the_last_report_of_a_document_is_kept() -> None:
    await check_published("a1 a2 b1", "a1 a2 b1")
    await check_published("( a1 b1 a2 ) a3", "a2 b1 a3")
    await check_published("( a1 )  ( ) b1", "a1 b1")


async def test_few_long_answers_are_made_at_once_and_none_without_room() -> None:
    pressure, n_running, seen = BackPressure(), 0, []

    async def answer() -> None:
        nonlocal n_running
        async with pressure.turn():
            n_running += 1
            seen.append(n_running)
            await asyncio.sleep(0)
            n_running -= 1

    pressure.hold()
    answers = [asyncio.ensure_future(answer()) for _ in range(3 * MAX_AT_ONCE)]
    await asyncio.sleep(0)
    assert seen == []
    pressure.release()
    await asyncio.gather(*answers)
    assert len(seen) == 3 * MAX_AT_ONCE
    assert max(seen) == MAX_AT_ONCE


def test_the_bound_takes_an_answer_of_usual_size() -> None:
    assert len(framed({"result": "x" * 1_000_000})) < MAX_UNSENT
