import asyncio
import json
from typing import Any

import pytest
from lsprotocol import types

from ptx_ls.server.capabilities import COMMANDS
from ptx_ls.server.language_server import PtxServer
from tests.server.client import URI, Message, at, edit
from tests.server.probes import REQUESTS

INITIALIZE: Message = {
    "id": 0,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}
OPEN: Message = {
    "method": "textDocument/didOpen",
    "params": {"textDocument": {"uri": URI, "languageId": "ptx", "version": 1, "text": "ret;"}},
}
HOVER: Message = {"id": 1, "method": "textDocument/hover", "params": at(0, 0)}
SHUTDOWN: Message = {"id": 7, "method": "shutdown"}
PARSE_ERROR, INVALID_REQUEST, NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, NOT_INITIALIZED, CANCELLED = -32603, -32002, -32800
PUBLISH = "textDocument/publishDiagnostics"


class Session:
    """A server in this process."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self._has_sent = asyncio.Event()
        self.codes: list[int] = []
        self.connection = PtxServer(self.codes.append).connection
        self.connection.sender.set_writer(self, has_headers=False)

    def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data))
        self._has_sent.set()

    async def hear(self, count: int) -> None:
        """Waits until `count` messages were sent since the last one was received."""
        while len(self.sent) < count:
            self._has_sent.clear()
            await asyncio.wait_for(self._has_sent.wait(), 10)

    def answers(self) -> list[Any]:
        """The answers that were sent since the last message was received."""
        return [it for it in self.sent if "method" not in it]

    def receive(self, message: Message | bytes) -> list[Any]:
        """Returns what the server sends while it handles a message."""
        if not isinstance(message, bytes):
            message = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.sent.clear()
        self.connection.receive(message)
        return list(self.sent)


async def check_answer(
    message: Message | bytes,
    error: int | None = None,
    *,
    after: tuple[Message, ...] = (INITIALIZE,),
    to: object = ...,
) -> Session:
    """Checks the answer to a message: an error, a result (`error=0`), or none."""
    session = Session()
    for earlier in after:
        session.receive(earlier)
    answers = session.receive(message)
    if error is None:
        assert answers == []
    else:
        assert isinstance(message, bytes) or to is ... or to == answers[0]["id"]
        (answer,) = answers
        expected_id = message.get("id") if isinstance(message, dict) else None
        assert answer["id"] == (expected_id if to is ... else to)
        assert answer.get("error", {}).get("code", 0) == error
        assert "Traceback" not in json.dumps(answer)
        assert "data" not in answer.get("error", {})
    # The stream survives, and whatever came is the last that is heard of it.
    if not session.connection.lifecycle.is_shut_down and INITIALIZE in after:
        assert session.receive({"id": "next", "method": "nothing"})[0]["id"] == "next"
    session.connection.close()
    return session


@pytest.mark.parametrize("params", [{}, {"params": {}}, {"params": []}, {"params": {"a": 1}}])
async def test_unknown_methods(params: Message) -> None:
    await check_answer({"id": 1, "method": "ptx/unknown", **params}, NOT_FOUND)
    await check_answer({"id": "a", "method": "$/unknown", **params}, NOT_FOUND)
    await check_answer({"method": "ptx/unknown", **params})
    await check_answer({"method": "$/unknown", **params})


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"params": None},
        {"params": {}},
        {"params": []},
        {"params": 3},
        {"params": {"textDocument": {}, "position": {"line": "x", "character": 1}}},
        {"params": {"textDocument": None, "position": None}},
    ],
)
async def test_bad_parameters(params: Message) -> None:
    await check_answer({"id": 1, "method": "textDocument/hover", **params}, INVALID_PARAMS)
    await check_answer({"method": "textDocument/didOpen", **params})


async def test_the_message_names_the_bad_parameter() -> None:
    session = Session()
    session.receive(INITIALIZE)
    (answer,) = session.receive({"id": 1, "method": "textDocument/hover", "params": {}})
    assert "text_document" in answer["error"]["message"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"nul", b'{"jsonrpc": "2.0",}', b"\xff\xfe{}", b"[" * 100_000]
)
async def test_bad_json(body: bytes) -> None:
    await check_answer(body, PARSE_ERROR)


@pytest.mark.parametrize("body", [b"[]", b"3", b"null", b'"x"', b'{"method": "x"}'])
async def test_json_that_is_no_message(body: bytes) -> None:
    await check_answer(body, INVALID_REQUEST)


async def test_a_request_of_another_protocol_is_answered_under_its_id() -> None:
    await check_answer(b'{"id": 4, "method": "shutdown"}', INVALID_REQUEST, to=4)


async def test_ids_and_methods_of_the_wrong_type() -> None:
    await check_answer({"id": None, "method": "shutdown"}, INVALID_REQUEST, to=None)
    await check_answer({"id": [1], "method": "shutdown"}, INVALID_REQUEST, to=None)
    await check_answer({"id": True, "method": "shutdown"}, INVALID_REQUEST, to=None)
    await check_answer({"id": 1, "method": 3}, INVALID_REQUEST)
    await check_answer({"method": 3})


async def test_requests_before_initialize() -> None:
    for method in ("textDocument/hover", "shutdown", "ptx/unknown"):
        await check_answer({"id": 1, "method": method}, NOT_INITIALIZED, after=())


async def test_notifications_before_initialize_are_dropped() -> None:
    await check_answer(OPEN, after=())
    await check_answer({"method": "initialized", "params": {}}, after=())


async def test_initialize_may_come_after_a_refusal() -> None:
    await check_answer(INITIALIZE, 0, after=(HOVER,))
    await check_answer(INITIALIZE, 0, after=({**INITIALIZE, "params": {}},))


async def test_a_second_initialize() -> None:
    await check_answer({**INITIALIZE, "id": 5}, INVALID_REQUEST)


async def test_requests_after_shutdown() -> None:
    for method in ("textDocument/hover", "shutdown", "initialize", "ptx/unknown"):
        await check_answer(
            {"id": 9, "method": method}, INVALID_REQUEST, after=(INITIALIZE, SHUTDOWN)
        )
    await check_answer(OPEN, after=(INITIALIZE, SHUTDOWN))


async def test_exit_codes() -> None:
    leave = {"method": "exit"}
    assert (await check_answer(leave, after=(INITIALIZE, SHUTDOWN))).codes == [0]
    assert (await check_answer(leave, after=(INITIALIZE,))).codes == [1]
    assert (await check_answer(leave, after=())).codes == [1]


async def test_an_edit_of_a_document_that_is_not_open_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    params = {
        "textDocument": {"uri": URI, "version": 2},
        "contentChanges": [edit((0, 0), (0, 0), "x")],
    }
    await check_answer({"method": "textDocument/didChange", "params": params})
    assert URI in caplog.text
    assert "Traceback" not in caplog.text
    await check_answer(
        {"method": "textDocument/didClose", "params": {"textDocument": {"uri": URI}}}
    )


async def test_a_fault_of_ours_is_an_answer_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = Session()

    def fail(_params: Message) -> None:
        raise KeyError("secret")

    session.connection.features.add("ptx/fail", fail)
    session.receive(INITIALIZE)
    (answer,) = session.receive({"id": 1, "method": "ptx/fail", "params": {}})
    assert answer["error"]["code"] == INTERNAL_ERROR
    assert "secret" not in json.dumps(answer)
    assert "secret" in caplog.text
    assert session.receive({"method": "ptx/fail"}) == []  # nothing pops up in the editor


async def test_answers_to_what_was_never_asked_are_ignored() -> None:
    await check_answer({"id": 77, "result": {}})
    await check_answer({"id": "x", "error": {"code": 1, "message": "no"}})
    await check_answer({"id": "x", "error": "no"})
    await check_answer({"id": None, "error": {"code": 1, "message": "no"}})
    await check_answer({})


async def test_cancelling_what_is_not_running_is_ignored() -> None:
    await check_answer({"method": "$/cancelRequest", "params": {"id": 4}})
    await check_answer({"method": "$/cancelRequest"})


@pytest.mark.parametrize("wrong", [[], [4], {}, True, 1.5])
async def test_names_of_requests_and_work_that_are_none(wrong: object) -> None:
    await check_answer({"method": "$/cancelRequest", "params": {"id": wrong}})
    await check_answer({"method": "window/workDoneProgress/cancel", "params": {"token": wrong}})
    params = {"previousResultIds": [], "workDoneToken": wrong}
    pull = {"id": 1, "method": "workspace/diagnostic", "params": params}
    await check_answer(pull, INVALID_PARAMS)


@pytest.mark.parametrize("depth", [200, 500, 900])
async def test_what_is_nested_beyond_reason(depth: int) -> None:
    nested: object = 0
    for _ in range(depth):
        nested = {"a": nested}
    traced: Message = {**INITIALIZE, "params": {**INITIALIZE["params"], "trace": "verbose"}}
    for method, params in (
        ("textDocument/hover", {**at(0, 0), "more": nested}),
        ("completionItem/resolve", {"label": "add", "data": nested}),
        ("workspace/executeCommand", {"command": "ptx.explainRule", "arguments": [nested]}),
    ):
        request = {"id": 1, "method": method, "params": params}
        await check_answer(request, INVALID_PARAMS)
        session = Session()
        session.receive(traced)
        assert session.receive(request)[-1]["error"]["code"] == INVALID_PARAMS
        assert session.receive({"method": method, "params": params}) == []
        assert session.receive({"id": 1, "result": nested}) == []


async def test_a_result_that_cannot_be_written_is_an_error() -> None:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    session = Session()
    session.connection.features.add("ptx/deep", lambda _params: nested)
    session.receive(INITIALIZE)
    (answer,) = session.receive({"id": 1, "method": "ptx/deep"})
    assert answer["error"]["code"] == INTERNAL_ERROR
    while nested:  # else Python would free it one within the other
        nested = nested.pop()  # type: ignore[assignment]


async def test_an_id_that_another_request_has() -> None:
    session = Session()
    session.receive(INITIALIZE)
    session.receive(OPEN)
    request = {"id": 1, "method": "textDocument/documentSymbol", "params": at(0, 0)}
    params = {**at(0, 0), "workDoneToken": "w"}
    assert [it["method"] for it in session.receive({**request, "params": params})] == ["$/progress"]
    (answer,) = session.receive(request)
    assert answer["error"]["code"] == INVALID_REQUEST

    def told() -> list[object]:
        return [it.get("id") for it in session.sent if it.get("method") != PUBLISH]

    while len(told()) < 3:
        await session.hear(len(session.sent) + 1)
    assert told() == [1, None, 1]  # refused, end of work, result
    session.connection.close()


async def test_an_id_is_in_use_until_a_cancelled_request_is_answered() -> None:
    session = Session()
    session.receive(INITIALIZE)
    session.receive(OPEN)
    request = {"id": 1, "method": "textDocument/documentSymbol", "params": at(0, 0)}
    cancel = {"method": "$/cancelRequest", "params": {"id": 1}}
    session.receive(request)
    session.receive(cancel)
    (answer,) = session.receive(request)
    assert answer["error"]["code"] == INVALID_REQUEST
    await session.hear(2)
    assert [it["error"]["code"] for it in session.answers()] == [INVALID_REQUEST, CANCELLED]
    session.receive(request)  # the id is free again, and such a request can be cancelled, too
    session.receive(cancel)
    await session.hear(1)
    assert [it["error"]["code"] for it in session.answers()] == [CANCELLED]
    session.connection.close()


async def test_notifications_leave_nothing_to_wait_for() -> None:
    session = Session()
    session.receive(INITIALIZE)
    session.receive({"method": "initialized", "params": {}})
    session.receive({"method": "$/setTrace", "params": {"value": "off"}})
    assert not session.connection.is_answering
    session.receive(OPEN)
    session.receive({"id": 1, "method": "textDocument/documentSymbol", "params": at(0, 0)})
    assert session.connection.is_answering
    while not session.answers():
        await session.hear(len(session.sent) + 1)
    assert not session.connection.is_answering
    session.connection.close()


async def test_notifications_that_take_long(caplog: pytest.LogCaptureFixture) -> None:
    session, barrier = Session(), asyncio.Barrier(2)

    async def work(params: Message) -> None:
        await barrier.wait()
        if params["fails"]:
            raise KeyError("secret")

    session.connection.features.add("ptx/work", work)
    session.receive(INITIALIZE)
    for fails in (False, True):
        assert session.receive({"method": "ptx/work", "params": {"fails": fails}}) == []
        assert "secret" not in caplog.text
        await barrier.wait()
    await asyncio.sleep(0.01)
    assert "secret" in caplog.text
    assert session.sent == []


async def test_what_the_server_asks_is_not_the_clients_to_cancel_or_to_answer_as_another() -> None:
    session = Session()
    session.receive(INITIALIZE)
    asked = session.connection.request(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams([]))
    own = session.sent[-1]["id"]
    session.receive({"method": "$/cancelRequest", "params": {"id": own}})
    assert not asked.done()
    session.receive({"id": own, "result": [3], "error": None})  # as JSON-RPC 1.0 has it
    assert list(asked.result(0)) == [3]
    session.receive({**HOVER, "method": "textDocument/documentSymbol"})
    session.receive({"id": HOVER["id"], "result": "mine"})
    await session.hear(1)
    assert session.sent[-1]["result"] is None
    session.connection.close()


async def test_an_end_with_everything_unanswered(caplog: pytest.LogCaptureFixture) -> None:
    session = Session()
    session.receive(INITIALIZE)
    session.receive({"method": "initialized", "params": {}})
    text = OPEN["params"]["textDocument"]
    session.receive({**OPEN, "params": {"textDocument": {**text, "text": "ret;\n" * 500_000}}})
    for number, method in enumerate(REQUESTS):
        params = {**at(0, 0), "previousResultIds": [], "query": "k", "command": COMMANDS[0]}
        session.receive({"id": f"{number}", "method": method, "params": params})
        await asyncio.sleep(0)
    session.sent.clear()
    session.connection.close()
    session.receive({**HOVER, "id": "late"})
    for _ in range(20):
        await asyncio.sleep(0)
    assert session.sent == []
    assert "ERROR" not in caplog.text


@pytest.mark.parametrize("method", ["shutdown", "initialize", "textDocument/hover"])
async def test_requests_without_an_id_do_nothing(method: str) -> None:
    session = await check_answer({"method": method, "params": INITIALIZE["params"]})
    assert not session.connection.lifecycle.is_shut_down


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (None, "utf-16"),
        ([], "utf-16"),
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-16", "utf-8"], "utf-16"),
        (["utf-7", "utf-32"], "utf-32"),
        (["utf-7"], "utf-16"),
    ],
)
async def test_the_encoding_that_the_client_likes_best(
    offered: list[str] | None, chosen: str
) -> None:
    general = {} if offered is None else {"general": {"positionEncodings": offered}}
    params = {"processId": None, "rootUri": None, "capabilities": general}
    (answer,) = Session().receive({"id": 1, "method": "initialize", "params": params})
    assert answer["result"]["capabilities"]["positionEncoding"] == chosen
