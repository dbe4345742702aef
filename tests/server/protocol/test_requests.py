import asyncio
import json
from concurrent.futures import CancelledError
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_ls.server.protocol.back_pressure import BackPressure
from ptx_ls.server.protocol.converter import MessageConverter
from ptx_ls.server.protocol.requests import ReceivedRequests, SentRequests
from ptx_ls.server.protocol.sender import Sender


class Asked:
    """A request to a client for its settings."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        converter = MessageConverter()
        sender = Sender(converter, BackPressure())
        sender.set_writer(self, has_headers=False)
        self.requests = SentRequests(sender, converter)
        self.future = self.requests.send(
            types.WORKSPACE_CONFIGURATION, types.ConfigurationParams([])
        )

    def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data))

    def answer(self, **answer: object) -> None:
        self.requests.receive({"jsonrpc": "2.0", "id": self.sent[-1]["id"], **answer})


def check_failure(words: str, **answer: object) -> None:
    """Checks that an answer fails the request."""
    asked = Asked()
    asked.answer(**answer)
    with pytest.raises(JsonRpcException, match=words):
        asked.future.result(0)


def test_results() -> None:
    asked = Asked()
    asked.answer(result=[{"a": 1}, None])
    assert list(asked.future.result(0)) == [{"a": 1}, None]


def test_requests_have_ids_of_their_own() -> None:
    asked = Asked()
    other = asked.requests.send(types.WORKSPACE_CODE_LENS_REFRESH)
    assert len({message["id"] for message in asked.sent}) == 2
    asked.answer(result=None)
    assert other.result(0) is None
    assert not asked.future.done()


def test_errors() -> None:
    check_failure("^no$", error={"code": -32601, "message": "no"})
    check_failure("^no$", error={"code": 7, "message": "no"})


def test_answers_that_cannot_be_understood() -> None:
    deep: object = 0
    for _ in range(200):
        deep = [deep]
    check_failure("invalid", result=3)
    check_failure("invalid", result=[deep])
    check_failure("invalid", error={"code": 1, "message": "", "data": deep})
    check_failure("invalid", error="no")
    check_failure("required field missing", error={"code": 1})


def test_what_was_not_asked_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    asked = Asked()
    asked.answer(result=[])
    assert caplog.text == ""
    asked.answer(result=[3])
    assert list(asked.future.result(0)) == []
    for wrong in (None, [1], True, 7):
        caplog.clear()
        asked.requests.receive({"id": wrong, "result": []})
        assert "unknown request" in caplog.text


def test_answers_after_the_end_are_dropped(caplog: pytest.LogCaptureFixture) -> None:
    asked = Asked()
    asked.requests.cancel_all()
    asked.answer(result=[])
    with pytest.raises(CancelledError):
        asked.future.result(0)
    assert caplog.text == ""


async def test_a_second_cancellation_does_not_interrupt_what_the_first_began() -> None:
    requests, seen = ReceivedRequests(), []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            seen.append("cleaned up")

    task = asyncio.create_task(work())
    requests.add(1, task)
    await asyncio.sleep(0)
    requests.cancel(1)
    await asyncio.sleep(0)
    requests.cancel(1)
    requests.cancel_all()
    await asyncio.wait([task])
    assert seen == ["cleaned up"]
    assert task.cancelled()
    requests.remove(1)
    requests.cancel(1)  # it has its response
    assert not requests
