"""Clients that connect to a port, and what they are not given."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from ptx_ls.server.client_state.settings import SETTINGS, Settings, read
from tests.server.client import SERVE, URI, Client, Message, framed
from tests.server.folder import enter, write

pytestmark = pytest.mark.slow

TOKEN = "a-token-of-24-characters"
HELLO: Message = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


class Listening(NamedTuple):
    """A server that listens: its address, the token that it has printed, what it says."""

    host: str
    port: int
    token: str
    stderr: Any


@contextmanager
def listening(option: str, *more: str, **environment: str) -> Iterator[Listening]:
    """Starts a server on a free port, and gives its address."""
    command = [*SERVE[:-1], option, *(more or ["127.0.0.1:0"])]
    variables = {**os.environ, **environment}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=variables
    ) as process:
        watchdog = threading.Timer(60, process.kill)
        watchdog.start()
        try:
            assert process.stderr is not None
            told = process.stderr.readline().decode()
            token = re.fullmatch(
                r"ptx-ls: clients of this run must send the token (\S{40,})\s*", told
            )
            if token:
                told = process.stderr.readline().decode()
            match = re.fullmatch(r"ptx-ls: listening on \w+://(.*):(\d+)\s*", told)
            assert match, told
            yield Listening(match[1], int(match[2]), token[1] if token else "", process.stderr)
        finally:
            watchdog.cancel()
            process.kill()


async def said_over_tcp(address: Sequence[Any], *messages: Message) -> list[Message]:
    """Returns what the server says until it closes the connection."""
    reader, writer = await asyncio.open_connection(*address)
    for message in messages:
        writer.write(framed(message))
    heard = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    return [json.loads(part) for part in re.findall(rb"\r\n\r\n({.*?})(?=Content|$)", heard)]


async def test_tcp_serves_one_client_after_the_other() -> None:
    shutdown = {"jsonrpc": "2.0", "id": 2, "method": "shutdown"}
    leave = {"jsonrpc": "2.0", "method": "exit"}
    with listening("--tcp") as (*address, _, _):
        for _ in range(2):
            said = await said_over_tcp(address, HELLO, shutdown, leave)
            assert [message["id"] for message in said] == [1, 2]


async def test_sessions_over_tcp_know_nothing_of_each_other() -> None:
    with listening("--tcp") as (host, port, _, _):
        address = host, port
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(framed(HELLO))
        await reader.readuntil(b"serverInfo")
        request = {"jsonrpc": "2.0", "id": 3, "method": "shutdown"}
        (said,) = await said_over_tcp(address, request, {"jsonrpc": "2.0", "method": "exit"})
        assert said["error"]["code"] == -32002
        writer.close()


def test_an_address_that_is_taken() -> None:
    with listening("--tcp") as (host, port, _, _):
        command = [*SERVE[:-1], "--tcp", f"{host}:{port}"]
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        assert done.returncode == 2
        assert done.stderr.startswith(f"ptx-ls: cannot listen on {host}:{port}: ")
        assert done.stderr.count("\n") == 1


@asynccontextmanager
async def websocket(origin: Origin | None = None) -> AsyncIterator[ClientConnection]:
    """A WebSocket to a new server, opened by a page of an origin if one is given."""
    with listening("--ws") as (host, port, _, _):
        async with connect(f"ws://{host}:{port}", origin=origin) as connection:
            yield connection


async def test_websocket_messages_are_texts_without_headers() -> None:
    async with websocket() as connection:
        for sent in (json.dumps(HELLO), json.dumps({**HELLO, "id": 2}).encode()):
            await connection.send(sent)
            said = await asyncio.wait_for(connection.recv(), 30)
            assert isinstance(said, str)
            assert json.loads(said)["jsonrpc"] == "2.0"
        await connection.send('{"jsonrpc": "2.0", "method": "exit"}')
        await asyncio.wait_for(connection.wait_closed(), 30)


async def test_a_page_of_a_foreign_site_gets_no_websocket() -> None:
    async with websocket(Origin("http://localhost:3000")):
        pass
    with pytest.raises(InvalidStatus):
        async with websocket(Origin("https://example.com")):
            pass


def test_websockets_missing() -> None:
    program = (
        "import sys; sys.modules['websockets'] = None;"
        "from ptx_ls.server.app import serve; sys.exit(serve('ws'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, text=True
    )
    assert done.returncode == 2
    assert "pip install 'ptx-ls[ws]'" in done.stderr
    assert "Traceback" not in done.stderr


def hello(capabilities: object = None, **more: object) -> Message:
    """The `initialize` request with some parameters."""
    params = {**HELLO["params"], "capabilities": capabilities or {}, **more}
    return {**HELLO, "params": params}


# Browsers


async def test_http_is_not_answered_by_lsp() -> None:
    """A page can post a whole message to the port; its body is never handled."""
    smuggled = framed(HELLO)
    request = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(smuggled)
    with listening("--tcp") as (host, port, _, stderr):
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(request)
        writer.write(smuggled)
        heard = await asyncio.wait_for(reader.read(), 30)
        assert heard == b"ptx-ls: this port speaks the Language Server Protocol, not HTTP\r\n"
        assert b"not HTTP" in stderr.readline()
        writer.close()


async def test_a_rebound_name_gets_no_websocket() -> None:
    with listening("--ws") as (host, port, _, _):
        for name, is_served in (("evil.example", False), ("localhost", True)):
            reader, writer = await asyncio.open_connection(host, port)
            lines = ["GET / HTTP/1.1", f"Host: {name}:{port}", "Upgrade: websocket"]
            lines += ["Connection: Upgrade", "Sec-WebSocket-Version: 13"]
            lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", ""]
            writer.write("\r\n".join(lines).encode())
            status = await asyncio.wait_for(reader.readline(), 30)
            assert status.startswith(b"HTTP/1.1 101" if is_served else b"HTTP/1.1 403")
            writer.close()


# Tokens


async def test_a_token_is_made_for_other_machines() -> None:
    with listening("--tcp", "0.0.0.0:0", "--allow-remote") as (_, port, token, _):
        address = "127.0.0.1", port
        for wrong in ({}, {"token": TOKEN}):
            (said,) = await said_over_tcp(address, hello(initializationOptions=wrong), HELLO)
            assert "initializationOptions.token" in said["error"]["message"]
        leave = {"jsonrpc": "2.0", "method": "exit"}
        (said,) = await said_over_tcp(address, hello(initializationOptions={"token": token}), leave)
        assert said["result"]["serverInfo"]["name"] == "ptx-ls"


async def test_a_token_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n", encoding="utf-8")
    options = ["127.0.0.1:0", "--token-file", str(tmp_path / "token")]
    with listening("--ws", *options) as (host, port, printed, _):
        assert not printed
        for path, key in ((f"/?token={TOKEN}", None), ("/", {"Authorization": f"Bearer {TOKEN}"})):
            async with connect(f"ws://{host}:{port}{path}", additional_headers=key) as connection:
                await connection.send(json.dumps(HELLO))
                assert "serverInfo" in str(await asyncio.wait_for(connection.recv(), 30))
        with pytest.raises(InvalidStatus):
            async with connect(f"ws://{host}:{port}/?token=another"):
                pass
    with listening("--tcp", "127.0.0.1:0", PTX_LS_TOKEN=TOKEN) as (*address, printed, _):
        assert not printed
        (said,) = await said_over_tcp(address, HELLO)
        assert "initializationOptions.token" in said["error"]["message"]


# Attacks of a client on the network

RELAY = """
import os, socket, sys, threading
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def hear():
    while data := connection.recv(65536):
        os.write(1, data)
    os._exit(0)
threading.Thread(target=hear, daemon=True).start()
while data := os.read(0, 65536):
    connection.sendall(data)
"""


@contextmanager
def connected(folder: Path, answers: Message | None = None) -> Iterator[Client]:
    """A client over TCP of a server that reads files below a folder."""
    options = ["127.0.0.1:0", "--folder", str(folder)]
    with listening("--tcp", *options, PTX_LS_PTXAS=str(folder / "none")) as (host, port, *_):
        relay = (sys.executable, "-c", RELAY, host, str(port))
        with Client(relay, answers=answers) as client:
            yield client


@pytest.mark.parametrize("way", ["initializationOptions", "configuration", "didChange"])
def test_it_names_no_programs(tmp_path: Path, way: str) -> None:
    program = tmp_path / "ptxas"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n", encoding="utf-8")
    program.chmod(0o755)
    names = {"path": str(program), "disassembler": str(program), "onSave": "check"}
    settings = {"ptxas": names, "sources": {"allowedFolders": ["/"]}}

    def configured(params: Message) -> list[Any]:
        return [settings] * len(params["items"])

    with connected(tmp_path, {"workspace/configuration": configured}) as client:
        is_asked = way == "configuration"
        sent = settings if way == "initializationOptions" else {}
        client.initialize({"workspace": {"configuration": is_asked}}, initializationOptions=sent)
        if is_asked:
            client.server_request("workspace/configuration")
        elif way == "didChange":
            client.notify("workspace/didChangeConfiguration", {"settings": {"ptx": settings}})
        warned = {client.notification("window/showMessage")["message"] for _ in range(3)}
        assert warned == {
            f"ptx-ls: the setting `ptx.{key}` cannot be set over a network"
            for key in ("ptxas.path", "ptxas.disassembler", "sources.allowedFolders")
        }
        client.open(".version 8.0\n")
        client.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
        command = {"command": "ptx.showSass", "arguments": [URI]}
        answer = client.response(client.start_request("workspace/executeCommand", command))
        assert "was not found" in answer["error"]["message"]
    assert not (tmp_path / "started").exists()


def test_each_setting_that_names_a_program_is_kept_from_it() -> None:
    """A new one is found by its kind; whoever adds it need not think of this."""
    kept = {it.key for it in SETTINGS if it.reaches_out}
    assert kept == {"ptxas.path", "ptxas.disassembler", "sources.allowedFolders"}
    for setting in SETTINGS:
        value = ["/x"] if isinstance(setting.default, tuple) else "x"
        if setting.reaches_out:
            settings, problems = read({setting.key: value}, reaches_out=False)
            assert settings == Settings()
            assert len(problems) == 1
            unset = [] if isinstance(setting.default, tuple) else ""  # as editors send it
            assert not read({setting.key: unset}, reaches_out=False)[1]


def test_it_has_files_read_below_the_folder_alone(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    write(inside, a=".entry own() { ret; }\n")
    write(outside, b=".entry foreign() { ret; }\n")
    for folder in (inside, outside):
        (folder / "k.cu").write_text(f"// {folder.name} source\n", encoding="utf-8")
    (inside / "away").symlink_to(outside)
    folders = [inside, outside, inside / ".." / "outside", inside / "away", tmp_path]
    with connected(inside) as client:
        enter(client, *folders)
        told = [client.notification("window/showMessage")["message"] for _ in folders[1:]]
        assert all("is not below a --folder" in it for it in told)
        found = client.request("workspace/symbol", {"query": ""})
        assert [it["name"] for it in found] == ["own"]
        for folder in folders:
            uri = (folder / "open.ptx").as_uri()
            client.open('.version 8.0\n.target sm_80\n.file 1 "k.cu"\n.loc 1 1 1\n', uri)
            place = {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 1}}
            shown = client.request("textDocument/hover", place)["contents"]["value"]
            assert "inside source" in shown  # of that name, in the only folder that is read
            assert "outside source" not in shown
