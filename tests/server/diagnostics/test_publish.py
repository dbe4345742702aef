"""A pull that cannot wait for all diagnostics says so, and is repeated."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ptx_ls.server.diagnostics import publish
from ptx_ls.server.language_server import PtxServer
from tests.server.client import URI, Message

pytestmark = pytest.mark.slow

PULLING: Message = {"textDocument": {"diagnostic": {}}}
REFRESHING: Message = {**PULLING, "workspace": {"diagnostics": {"refreshSupport": True}}}
REFRESH = "workspace/diagnostic/refresh"
N_WRONG = 150
TEXT = ".version 8.0\n.target sm_80\n" + "".join(
    f".entry k{n}() {{ rat; }}\n" for n in range(N_WRONG)
)


class ImpatientClient:
    """A client of a server in this process; `patience` replaces the time to wait for a check."""

    def __init__(self, patience: float, able: Message, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(publish, "_PATIENCE", patience)
        self.sent: list[Message] = []
        self._has_sent = asyncio.Event()
        self.connection = PtxServer(lambda _code: None).connection
        self.connection.sender.set_writer(self, has_headers=False)
        self.send("initialize", {"capabilities": able}, 0)

    def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data))
        self._has_sent.set()

    def send(self, method: str, params: object, number: int | None = None) -> None:
        message: Message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        self.connection.receive(json.dumps(message).encode())

    def open(self, text: str) -> None:
        item = {"uri": URI, "languageId": "ptx", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})

    async def pull(self, number: int, previous: str | None = None) -> Any:  # noqa: ANN401
        params = {"textDocument": {"uri": URI}, "previousResultId": previous}
        self.send("textDocument/diagnostic", params, number)
        return await self.result(number)

    async def result(self, number: int) -> Any:  # noqa: ANN401
        return (await self.wait_for(lambda it: it.get("id") == number))["result"]

    async def wait_for(self, is_wanted: Any) -> Message:  # noqa: ANN401
        async with asyncio.timeout(30):
            while not (found := [it for it in self.sent if is_wanted(it)]):
                self._has_sent.clear()
                await self._has_sent.wait()
        return found[0]


def is_refresh(message: Message) -> bool:
    return message.get("method") == REFRESH


@pytest.mark.parametrize("n_lines", [1, N_WRONG])
async def test_a_report_that_is_not_complete_has_no_id_and_is_followed_by_a_refresh(
    n_lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = ImpatientClient(0, REFRESHING, monkeypatch)
    client.open("\n".join(TEXT.splitlines()[: 2 + n_lines]))
    report = await client.pull(1)
    if n_lines > 1 or "resultId" not in report:  # a single line may have been checked by then
        assert "resultId" not in report
        await client.wait_for(is_refresh)
    report = await client.pull(2)
    assert report["resultId"]
    assert len(report["items"]) == n_lines
    client.connection.close()


async def test_an_id_is_not_reused_after_a_report_without_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = ImpatientClient(30, REFRESHING, monkeypatch)
    client.open(TEXT)
    first = await client.pull(1)
    monkeypatch.setattr(publish, "_PATIENCE", 0)
    place = {"line": 0, "character": 0}
    params = {
        "textDocument": {"uri": URI, "version": 2},
        "contentChanges": [{"range": {"start": place, "end": place}, "text": " "}],
    }
    client.send("textDocument/didChange", params)
    assert "resultId" not in await client.pull(2, first["resultId"])
    await client.wait_for(is_refresh)
    third = await client.pull(3, first["resultId"])
    assert third["kind"] == "full"
    assert third["items"] == first["items"]
    client.connection.close()


async def test_a_client_that_cannot_pull_again_gets_a_complete_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = ImpatientClient(0, PULLING, monkeypatch)
    client.open(TEXT)
    report = await client.pull(1)
    assert len(report["items"]) == N_WRONG
    assert report["resultId"]
    client.connection.close()


@pytest.mark.parametrize("able", [PULLING, REFRESHING])
@pytest.mark.parametrize("n_lines", [1, N_WRONG])
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/diagnostic", {"textDocument": {"uri": URI}}),
        ("workspace/diagnostic", {"previousResultIds": []}),
        ("workspace/executeCommand", {"command": "ptx.lintWorkspace", "arguments": []}),
    ],
)
async def test_settings_that_arrive_meanwhile_leave_no_answer_incomplete(
    method: str, params: Message, n_lines: int, able: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = ImpatientClient(30, able, monkeypatch)
    client.open("\n".join(TEXT.splitlines()[: 2 + n_lines]))
    client.send(method, params, 1)
    for limit in (2000, 3000):
        await asyncio.sleep(0)
        settings = {"ptx": {"diagnostics": {"limit": limit}}}
        client.send("workspace/didChangeConfiguration", {"settings": settings})
    answer = await client.result(1)
    if method == "workspace/executeCommand":
        assert answer["error"] == n_lines
    else:
        (report,) = answer["items"] if method == "workspace/diagnostic" else [answer]
        assert len(report["items"]) == n_lines
        assert report["resultId"]
    client.connection.close()
