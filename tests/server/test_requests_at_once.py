"""Requests that a client sends together with a document have the answers of later requests."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.server.client import URI, Client, Message

pytestmark = pytest.mark.slow

ABLE: Final[Message] = {"textDocument": {"diagnostic": {}}}
DOCUMENT: Final[Message] = {"textDocument": {"uri": URI}}
AREA: Final[Message] = {
    "start": {"line": 0, "character": 0},
    "end": {"line": 40, "character": 0},
}
REQUESTS: Final[list[tuple[str, Message]]] = [
    *(
        (f"textDocument/{name}", DOCUMENT)
        for name in (
            "diagnostic documentSymbol semanticTokens/full codeLens foldingRange documentLink"
        ).split()
    ),
    ("textDocument/inlayHint", {**DOCUMENT, "range": AREA}),
    ("textDocument/semanticTokens/range", {**DOCUMENT, "range": AREA}),
    ("workspace/diagnostic", {"previousResultIds": []}),
    ("workspace/symbol", {"query": "kernel"}),
    ("workspace/executeCommand", {"command": "ptx.lintWorkspace", "arguments": []}),
]
HEADER: Final = '.version 8.0\n.target sm_80\n.address_size 64\n.file 1 "a.cu"\n'
BODY: Final = """\
.visible .entry kernel_{0}()
{{
    .reg .b32 %r<3>;
    .loc 1 1 1
    mov.b32 %r1, 0x10;
    rat;
    ret;
}}
"""


def answers(client: Client) -> list[Any]:
    """The answers to all requests, without the ids of results."""
    ids = [client.start_request(method, params) for method, params in REQUESTS]
    found: dict[int, Any] = {}
    while len(found) < len(ids):
        answer = client.response_of(ids)
        found[answer["id"]] = without_ids(answer["result"])
    return [found[each] for each in ids]


def without_ids(result: Any) -> Any:  # noqa: ANN401
    if isinstance(result, list):
        return [without_ids(each) for each in result]
    if isinstance(result, dict):
        return {name: without_ids(it) for name, it in result.items() if name != "resultId"}
    return result


@pytest.mark.parametrize("n_functions", [1, 30, 150])
def test_answers_are_complete_at_once(n_functions: int) -> None:
    text = HEADER + "".join(map(BODY.format, range(n_functions)))
    with Client() as client:
        client.initialize(ABLE)
        client.open(text)
        first = answers(client)
        assert all(first)
        assert answers(client) == first
