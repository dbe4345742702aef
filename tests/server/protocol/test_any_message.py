import asyncio
import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.server.language_server import PtxServer
from tests.server.client import URI, Message

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.sampled_from(["", "a", URI, "😀"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["uri", "position", "textDocument", "settings"]), inner)
    ),
    max_leaves=6,
)
NUMBERS = st.sampled_from([0, 1, 2, 5, 99, -1, 2**40])
PLACES = st.fixed_dictionaries({"line": NUMBERS, "character": NUMBERS})
CHANGES = st.fixed_dictionaries(
    {"text": st.sampled_from(["", "\n", "}", ";", "\ud800", "x\n{ret;}"])},
    optional={"range": st.fixed_dictionaries({"start": PLACES, "end": PLACES})},
)
PARAMS = st.fixed_dictionaries(
    {
        "textDocument": st.just({"uri": URI, "version": 1, "languageId": "ptx", "text": "ret; 😀"}),
        "position": PLACES,
        "context": st.just({"includeDeclaration": True, "triggerKind": 1}),
        "contentChanges": st.lists(CHANGES, max_size=2),
        "label": st.just("add"),
        "data": JSON,
    }
)
METHODS = (
    "textDocument/hover textDocument/completion completionItem/resolve textDocument/definition "
    "textDocument/references textDocument/didOpen textDocument/didChange textDocument/didClose "
    "textDocument/diagnostic textDocument/didSave workspace/didChangeConfiguration initialized "
    "workspace/didChangeWorkspaceFolders workspace/executeCommand $/setTrace $/cancelRequest x/y"
).split()
MESSAGES = st.tuples(st.sampled_from(METHODS), PARAMS | JSON, st.booleans())


class Client:
    """Takes what a server in this process sends."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.has_sent = asyncio.Event()
        self.connection = PtxServer(lambda _code: None).connection
        self.connection.sender.set_writer(self, has_headers=False)

    def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data))
        self.has_sent.set()

    def send(self, message: Message) -> None:
        self.connection.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def answers(self) -> list[Any]:
        return [message for message in self.sent if "method" not in message]


async def check_session(messages: list[tuple[str, Any, bool]]) -> None:
    """Checks that requests get one answer each, and that nothing is our fault or pops up."""
    loop = asyncio.get_running_loop()
    faults: list[object] = []
    loop.set_exception_handler(lambda _loop, context: faults.append(context))
    client = Client()
    begin: Message = {"processId": None, "rootUri": None, "capabilities": {}}
    client.send({"id": "initialize", "method": "initialize", "params": begin})
    for number, (method, params, is_request) in enumerate(messages):
        message = {"method": method, "params": params}
        client.send({"id": number, **message} if is_request else message)
        await asyncio.sleep(0)
    n_expected = 1 + sum(is_request for _, _, is_request in messages)
    while len(client.answers()) < n_expected:
        client.has_sent.clear()
        await asyncio.wait_for(client.has_sent.wait(), 10)
    client.connection.close()
    await asyncio.sleep(0)
    counts = Counter(answer["id"] for answer in client.answers())
    assert set(counts.values()) == {1}
    assert len(counts) == n_expected
    assert -32603 not in [answer.get("error", {}).get("code") for answer in client.answers()]
    assert "window/showMessage" not in [message.get("method") for message in client.sent]
    assert faults == []


@pytest.mark.slow
@settings(max_examples=30)
@given(st.lists(MESSAGES, max_size=60))
def test_no_message_breaks_a_session(messages: list[tuple[str, Any, bool]]) -> None:
    asyncio.run(check_session(messages))
