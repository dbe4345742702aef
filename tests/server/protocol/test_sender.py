import json
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from ptx_ls.server.protocol.back_pressure import BackPressure
from ptx_ls.server.protocol.converter import MessageConverter
from ptx_ls.server.protocol.encoding import of_list
from ptx_ls.server.protocol.sender import Sender


class Client:
    """Keeps what it is sent."""

    def __init__(self, *, has_headers: bool = False) -> None:
        self.data: list[bytes] = []
        self.pressure = BackPressure()
        self.sender = Sender(MessageConverter(), self.pressure)
        self.sender.set_writer(self, has_headers=has_headers)

    def write(self, data: bytes) -> None:
        self.data.append(data)


def check_sent(client: Client, *expected: Any) -> None:  # noqa: ANN401
    """Checks what was sent until now."""
    messages = [json.loads(data) for data in client.data]
    assert all(message.pop("jsonrpc") == "2.0" for message in messages)
    assert messages == list(expected)


def test_messages_of_all_sorts() -> None:
    client = Client()
    log = types.LogMessageParams(types.MessageType.Info, "x")
    client.sender.notify(types.WINDOW_LOG_MESSAGE, log)
    client.sender.notify_json("a/b", of_list(["1", "2"]))
    client.sender.request("7", types.WORKSPACE_CODE_LENS_REFRESH, None)
    client.sender.result(1, types.Position(2, 3))
    client.sender.result("a", of_list([]))
    client.sender.result(2, None)
    client.sender.error(None, JsonRpcInvalidParams("no"))
    client.sender.error(3, JsonRpcInvalidParams("no", data=[4]))
    check_sent(
        client,
        {"method": "window/logMessage", "params": {"type": 3, "message": "x"}},
        {"method": "a/b", "params": [1, 2]},
        {"id": "7", "method": "workspace/codeLens/refresh"},
        {"id": 1, "result": {"line": 2, "character": 3}},
        {"id": "a", "result": []},
        {"id": 2, "result": None},
        {"id": None, "error": {"code": -32602, "message": "no"}},
        {"id": 3, "error": {"code": -32602, "message": "no", "data": [4]}},
    )


def test_headers_count_bytes() -> None:
    client = Client(has_headers=True)
    client.sender.notify_json("a", of_list(['"\u00e9"']))
    head, _, body = client.data[0].partition(b"\r\n\r\n")
    assert head == b"Content-Length: %d" % len(body)
    assert json.loads(body)["params"] == ["\u00e9"]


async def test_messages_wait_in_order_until_the_client_reads(
    caplog: pytest.LogCaptureFixture,
) -> None:
    client = Client()
    client.pressure.hold()
    client.sender.result(1, None)
    client.sender.result(2, object())  # cannot be JSON
    client.sender.result(3, None)
    check_sent(client)
    client.pressure.release()
    check_sent(client, {"id": 1, "result": None}, {"id": 3, "result": None})
    assert "could not be sent" in caplog.text


async def test_a_client_that_stops_reading_again() -> None:
    client = Client()
    client.pressure.hold()
    client.sender.result(1, None)
    client.sender.result(2, None)
    write = client.write

    def write_and_hold(data: bytes) -> None:
        write(data)
        client.pressure.hold()

    client.write = write_and_hold  # type: ignore[method-assign]
    client.pressure.release()
    check_sent(client, {"id": 1, "result": None})
    client.pressure.release()
    check_sent(client, {"id": 1, "result": None}, {"id": 2, "result": None})


async def test_nothing_is_sent_after_the_end() -> None:
    client = Client()
    client.pressure.hold()
    client.sender.result(1, None)
    client.sender.close()
    client.pressure.release()
    client.sender.result(2, None)
    check_sent(client)


def test_what_cannot_be_json() -> None:
    client = Client()
    with pytest.raises(Exception, match="object"):
        client.sender.result(1, {"a": object()})
    check_sent(client)
