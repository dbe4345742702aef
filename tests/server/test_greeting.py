"""`initialize` is answered early only if the loaded server would give the same answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from ptx_ls.server import greeting
from ptx_ls.server.language_server import PtxServer
from tests.server.client import Message, framed
from tests.server.initialize_params import any_params

pytestmark = pytest.mark.slow

BAD_SETTING = {"diagnostics": {"delay": "soon"}}


class LoadedServer:
    """Takes what a server in this process sends."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.connection = PtxServer(lambda _code: None).connection
        self.connection.sender.set_writer(self, has_headers=False)

    def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data))


def body_of(message: object) -> bytearray:
    return bytearray(json.dumps(message).encode())


def early(body: bytearray) -> Any:  # noqa: ANN401
    """The early answer to a message; None if there is none."""
    answer = greeting.answer(body)
    return None if answer is None else json.loads(answer.partition(b"\r\n\r\n")[2])


async def check_same(params: object, *, is_early: bool | None = None) -> None:
    """Checks that an early answer is the only message that the loaded server would send."""
    body = body_of({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    answer = early(body)
    if is_early is not None:
        assert (answer is not None) is is_early
    if answer is not None:
        server = LoadedServer()
        server.connection.receive(body)
        assert server.sent == [answer]


@given(any_params())
@settings(max_examples=60, deadline=None)
async def test_any_client(params: Any) -> None:  # noqa: ANN401
    await check_same(params)


@pytest.mark.parametrize(
    "params",
    [
        {"capabilities": {}},
        {"capabilities": {}, "processId": None, "rootUri": None, "trace": "off"},
        {"capabilities": {"offsetEncoding": ["utf-8"], "textDocument": {"x": 1}}},
        {"capabilities": {}, "initializationOptions": {"restricted": True}},
        {"capabilities": {}, "initializationOptions": {"inlayHints": {"literals": False}}},
        {"capabilities": {}, "workDoneToken": 1},
    ],
)
async def test_most_clients_are_answered_early(params: Message) -> None:
    await check_same(params, is_early=True)


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        {"capabilities": None},
        {"capabilities": {"textDocument": {"hover": 3}}},
        {"capabilities": {"textDocument": {"semanticTokens": {"tokenTypes": []}}}},
        {"capabilities": {}, "trace": "messages"},
        {"capabilities": {}, "initializationOptions": BAD_SETTING},
        {"capabilities": {"experimental": json.loads("[" * 120 + "]" * 120)}},
    ],
)
async def test_other_clients_are_answered_by_the_loaded_server(params: object) -> None:
    await check_same(params, is_early=False)


@pytest.mark.parametrize(
    "message",
    [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"jsonrpc": "2.0", "method": "initialize", "params": {"capabilities": {}}},
        {"jsonrpc": "2.0", "id": True, "method": "initialize", "params": {"capabilities": {}}},
        {"jsonrpc": "2.0", "id": 1, "method": "shutdown", "params": {"capabilities": {}}},
        [],
        3,
    ],
)
def test_other_messages_have_no_early_answer(message: object) -> None:
    assert early(body_of(message)) is None
    assert early(bytearray(b"{")) is None


def test_the_answer_has_a_header() -> None:
    message = {"id": "a", "method": "initialize", "params": {"capabilities": {}}}
    answer = greeting.answer(body_of({"jsonrpc": "2.0", **message}))
    assert answer is not None
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head == b"Content-Length: %d" % len(body)
    assert framed(json.loads(body)) == answer
