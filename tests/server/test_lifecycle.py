import json
import re
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from tests.server.client import SERVE, URI, Client, Message, ServerError, at

pytestmark = pytest.mark.slow

HELLO: Final[Message] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


def check_exit(client: Client, expected: int) -> None:
    """Checks that the process ends, and that it said nothing but protocol on the way."""
    process = client.process
    assert process.wait(50) == expected
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read() == b""
    assert process.stderr.read() == b""


def test_a_session_from_start_to_end() -> None:
    with Client(SERVE) as client:
        assert client.initialize()["serverInfo"]["name"] == "ptx-ls"
        assert client.leave() == 0
        check_exit(client, 0)


def test_the_option_that_editors_give_to_any_server() -> None:
    with Client((sys.executable, "-m", "ptx_ls", "--stdio")) as client:
        client.initialize()
        assert client.leave() == 0


def test_exit_without_shutdown() -> None:
    with Client(SERVE) as client:
        client.initialize()
        client.notify("exit")
        check_exit(client, 1)


def test_leaving_with_everything_unanswered() -> None:
    with Client(SERVE) as client:
        client.initialize({"workspace": {"configuration": True}})
        client.open(".version 8.0\n.entry k() { ret; }\n" * 100)
        for place in range(20):
            client.start_request("textDocument/hover", at(1, place))
        client.notify("exit")
        assert client.process.wait(50) == 1
        assert client.process.stderr is not None
        assert client.process.stderr.read() == b""


@pytest.mark.parametrize("is_shut_down", [False, True])
def test_the_end_of_stdin(*, is_shut_down: bool) -> None:
    with Client(SERVE) as client:
        client.initialize()
        if is_shut_down:
            client.request("shutdown")
        assert client.process.stdin is not None
        client.process.stdin.close()
        check_exit(client, 0 if is_shut_down else 1)


def test_the_end_of_stdin_within_a_message() -> None:
    with Client(SERVE) as client:
        client.initialize()
        client.send_bytes(b"Content-Length: 100\r\n\r\n{")
        assert client.process.stdin is not None
        client.process.stdin.close()
        check_exit(client, 1)


def test_a_client_that_reads_no_more() -> None:
    with Client(SERVE) as client:
        client.initialize()
        assert client.process.stdout is not None
        client.process.stdout.close()
        client.start_request("ptx/unknown")
        assert client.process.wait(50) == 1


@pytest.mark.parametrize("way", ["exit", "stdin", "parent"])
def test_the_server_leaves_though_nobody_reads_what_it_says(way: str) -> None:
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with editor, Client(SERVE) as client:
        client.initialize(processId=editor.pid if way == "parent" else None)
        unread = {"jsonrpc": "2.0", "id": 2, "method": "ptx/unknown"}
        client.send_bytes(framed(unread) * 4000)
        if way == "exit":
            client.notify("exit")
        elif way == "stdin":
            assert client.process.stdin is not None
            client.process.stdin.close()
        editor.communicate(b"\n")
        assert client.process.wait(20) == 1
        assert client.process.stderr is not None
        assert client.process.stderr.read() == b""


def test_the_server_leaves_when_the_process_of_its_client_is_gone() -> None:
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with editor, Client(SERVE) as client:
        client.initialize(processId=editor.pid)
        editor.communicate(b"\n")
        check_exit(client, 1)


def test_a_header_that_is_none_is_answered() -> None:
    with Client(SERVE) as client:
        client.initialize()
        client.send_bytes(b"Content-Length: many\r\n\r\n")
        assert client.response(None)["error"]["code"] == -32700
        assert client.leave() == 0


@pytest.mark.parametrize("kind", ["print", "child"])
def test_only_the_protocol_is_on_stdout(kind: str) -> None:
    stray = {"print": "print('stray')", "child": "import os; os.system('echo stray')"}[kind]
    program = f"""
import sys
from ptx_ls.server import app, language_server
initialize = language_server.PtxServer._initialize
def spy(self, params):
    {stray}
    initialize(self, params)
language_server.PtxServer._initialize = spy
sys.exit(app.serve())
"""
    with Client((sys.executable, "-c", program)) as client:
        client.initialize()
        assert client.leave() == 0
        assert client.process.stdout is not None
        assert client.process.stderr is not None
        assert client.process.stdout.read() == b""
        assert client.process.stderr.read().strip() == b"stray"


def test_an_installation_that_lacks_a_part_is_told_of() -> None:
    program = (
        "import sys; sys.modules['ptx_ls.lint'] = None;"
        "from ptx_ls.server.app import serve; sys.exit(serve())"
    )
    with Client((sys.executable, "-c", program)) as client:
        client.initialize()  # which needs none of it
        told = client.notification("window/showMessage")
        assert told["type"] == 1
        assert re.search("damaged.*ptx_ls.lint.*install ptx-ls again", told["message"])
        assert client.process.wait(50) == 1


@pytest.mark.parametrize("following", ["exit", "shutdown", "hover", "nothing"])
def test_initialize_is_answered_before_the_server_is_loaded(following: str) -> None:
    """Whatever else the server needs is not there; messages that follow have no answer."""
    program = (
        "import sys; sys.modules['lsprotocol'] = None;"
        "from ptx_ls.server.app import serve; sys.exit(serve())"
    )
    with Client((sys.executable, "-c", program)) as client:
        assert client.request("initialize", HELLO["params"])["serverInfo"]["name"] == "ptx-ls"
        if following != "nothing":
            with suppress(OSError):  # the server may have ended
                client.start_request(following)
        assert client.process.wait(50) == 1
        assert client.process.stdout is not None
        assert client.process.stdout.read() == b""


def test_messages_that_follow_at_once_are_handled_in_order() -> None:
    """All of a session in one piece: each request has the answer that it has later, too."""
    text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n"
    item = {"uri": URI, "languageId": "ptx", "version": 0, "text": text}
    change = {"range": {"start": place(3, 0), "end": place(3, 0)}, "text": "  "}
    messages = [
        HELLO,
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": item}},
        {"id": 2, "method": "textDocument/documentHighlight", "params": at(3, 7)},
        {
            "method": "textDocument/didChange",
            "params": {"textDocument": {"uri": URI, "version": 1}, "contentChanges": [change]},
        },
        {"id": 3, "method": "textDocument/documentHighlight", "params": at(3, 9)},
        {"id": 4, "method": "initialize", "params": HELLO["params"]},
        {"id": 5, "method": "shutdown"},
    ]
    with Client(SERVE) as client:
        client.send_bytes(b"".join(framed({"jsonrpc": "2.0", **it}) for it in messages))
        assert client.response(1)["result"]["serverInfo"]["name"] == "ptx-ls"
        assert client.response(2)["result"][0]["range"]["start"] == place(3, 7)
        assert client.response(3)["result"][0]["range"]["start"] == place(3, 9)
        assert client.response(4)["error"]["code"] == -32600
        assert client.response(5)["result"] is None
        client.notify("exit")
        check_exit(client, 0)


@pytest.mark.parametrize(
    "params",
    [
        {"capabilities": {}, "trace": "verbose"},
        {"capabilities": {}, "initializationOptions": {"diagnostics": {"delay": "soon"}}},
    ],
)
def test_what_is_said_of_initialize_comes_before_its_answer(params: Message) -> None:
    with Client(SERVE) as client:
        client.start_request("initialize", params)
        assert "id" not in client.read()
        assert client.response(1)["result"]["serverInfo"]["name"] == "ptx-ls"


def test_a_first_message_that_is_not_initialize() -> None:
    with Client(SERVE) as client:
        client.send_bytes(b"Content-Length: 1\r\n\r\n{")
        assert client.response(None)["error"]["code"] == -32700
        with pytest.raises(ServerError, match="-32002"):
            client.request("shutdown")
        client.initialize()
        assert client.leave() == 0


def place(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def framed(message: object) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@pytest.mark.parametrize("kind", ["file", "socket"])
def test_messages_come_from_anything(kind: str, tmp_path: Path) -> None:
    """A file that no event loop can wait for, a socket as those of Node.js; and all at once."""
    initialized = {"jsonrpc": "2.0", "method": "initialized", "params": {}}
    shutdown = {"jsonrpc": "2.0", "id": 2, "method": "shutdown"}
    leave = {"jsonrpc": "2.0", "method": "exit"}
    data = b"".join(map(framed, (HELLO, initialized, shutdown, leave)))
    path = tmp_path / "messages"
    path.write_bytes(data)
    ours, theirs = socket.socketpair()
    with ours, theirs, path.open("rb") as file:
        ours.sendall(data)
        stdin = (file if kind == "file" else theirs).fileno()
        done = subprocess.run(SERVE, check=False, stdin=stdin, capture_output=True, timeout=60)
    assert done.returncode == 0
    assert b'"id": 1' in done.stdout
    assert b'"id": 2, "result": null' in done.stdout
