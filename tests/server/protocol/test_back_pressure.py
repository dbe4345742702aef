"""A client that does not read: the server waits for it, and still ends with it."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.sync.client import connect

from benchmarks.process import resident_bytes, wait_for_rest
from ptx_ls.server.protocol.back_pressure import MAX_AT_ONCE, MAX_UNSENT, BackPressure, Publications
from ptx_ls.server.protocol.encoding import Encoded
from tests.server.client import SERVE, URI, Client, Message, framed

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
    wait_for_rest(client.process.pid)  # until the text is checked, which takes memory, too
    before = resident_bytes(client.process.pid)
    asked = [
        client.start_request("textDocument/semanticTokens/full", _TOKENS)
        for _ in range(_N_REQUESTS)
    ]
    wait_for_rest(client.process.pid)
    assert resident_bytes(client.process.pid) - before < _MAX_GROWTH
    return asked


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory in /proc")
def test_the_server_ends_with_a_client_that_does_not_read() -> None:
    with Client(patience=300) as client:
        ask_without_reading(client)
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(60) == 1


class Peer(NamedTuple):
    """A client on a port that reads a message only when it is told to."""

    server: int
    """The process id of the server."""
    send: Callable[[Message], None]
    read: Callable[[], Message]

    def answer(self) -> Message:
        """The next answer to any request."""
        while "result" not in (message := self.read()):
            pass
        return message


@contextmanager
def on_a_port(option: str) -> Iterator[Peer]:
    """Starts a server, and connects to it."""
    command = [*SERVE[:-1], option, "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        watchdog = threading.Timer(120, process.kill)
        watchdog.start()
        try:
            assert process.stderr is not None
            port = int(process.stderr.readline().rpartition(b":")[2])
            with (
                over_tcp(process.pid, port)
                if option == "--tcp"
                else over_websocket(process.pid, port) as peer
            ):
                yield peer
        finally:
            watchdog.cancel()
            process.kill()


@contextmanager
def over_tcp(server: int, port: int) -> Iterator[Peer]:
    """Connects by TCP."""
    with (
        socket.create_connection(("127.0.0.1", port)) as connection,
        connection.makefile("rb") as incoming,
    ):

        def read() -> Message:
            length = 0
            while header := incoming.readline().strip():
                if header.lower().startswith(b"content-length:"):
                    length = int(header.partition(b":")[2])
            message: Message = json.loads(incoming.read(length))
            return message

        yield Peer(server, lambda message: connection.sendall(framed(message)), read)


@contextmanager
def over_websocket(server: int, port: int) -> Iterator[Peer]:
    """Connects by WebSocket."""
    address = f"ws://127.0.0.1:{port}"
    options: dict[str, Any] = {"max_queue": 1, "max_size": None, "ping_interval": None}
    with connect(address, **options) as connection:
        yield Peer(
            server,
            lambda message: connection.send(json.dumps(message)),
            lambda: json.loads(connection.recv()),
        )


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--tcp", "--ws"])
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory in /proc")
def test_a_client_on_a_port_that_does_not_read(option: str) -> None:
    with on_a_port(option) as peer:

        def send(method: str, params: object, identity: int | None = None) -> None:
            number = {} if identity is None else {"id": identity}
            peer.send({"jsonrpc": "2.0", "method": method, "params": params, **number})

        send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 0)
        peer.answer()
        send("initialized", {})
        document = {"uri": URI, "languageId": "ptx", "version": 1, "text": _TEXT}
        send("textDocument/didOpen", {"textDocument": document})
        send("textDocument/semanticTokens/full", _TOKENS, 1)
        peer.answer()
        wait_for_rest(peer.server)  # until the text is checked, which takes memory, too
        before = resident_bytes(peer.server)
        for identity in range(2, _N_REQUESTS):
            send("textDocument/semanticTokens/full", _TOKENS, identity)
        wait_for_rest(peer.server)
        assert resident_bytes(peer.server) - before < _MAX_GROWTH
        n_numbers = sum(len(peer.answer()["result"]["data"]) for _ in range(2, _N_REQUESTS))
        assert 2 * n_numbers > 2 * _MAX_GROWTH  # each takes a comma, too


def _at(line: int) -> dict[str, int]:
    return {"line": line, "character": 2}


async def check_published(events: str, expected: str) -> None:
    """`events`: `(` holds work and `)` releases it, a letter and digit are a document's report."""
    pressure, sent = BackPressure(), []
    told = Publications(pressure, lambda params: sent.append(params.text))
    for event in events.split():
        if event == "(":
            pressure.hold()
        elif event == ")":
            pressure.release()
        else:
            told.publish(event[0], Encoded(event))
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
