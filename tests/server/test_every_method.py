"""Every request that is offered, asked badly, of documents that are not open, and far outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.server.client import SERVE, URI, Client, Message
from tests.server.probes import REQUESTS

pytestmark = pytest.mark.slow

INVALID_PARAMS, REFUSED = -32602, -32803
PLACE: Final = {"line": 1, "character": 3}
AREA: Final = {"start": PLACE, "end": {"line": 2, "character": 0}}
CALLER: Final = {"name": "k", "kind": 12, "range": AREA, "selectionRange": AREA}
CONTEXT: Final = {
    "includeDeclaration": True,
    "diagnostics": [],
    "triggerKind": 1,
    "isRetrigger": False,
}
LAYOUT: Final = {"tabSize": 4, "insertSpaces": True}


def params(uri: str, place: Message = PLACE, area: Message = AREA) -> Message:
    """Returns parameters that any method finds its own among."""
    data = {"uri": uri, "kind": "references", "line": 1, "character": 2, "item": "symbol k"}
    item = {**CALLER, "uri": uri, "range": area, "selectionRange": area}
    return {
        "textDocument": {"uri": uri},
        "position": place,
        "positions": [place],
        "range": area,
        "ranges": [area],
        "item": item,
        "context": CONTEXT,
        "newName": "other",
        "ch": ";",
        "options": LAYOUT,
        "reason": 1,
        "previousResultId": "7",
        "previousResultIds": [],
        "query": "k",
        "command": "ptx.requirements",
        "arguments": [uri],
        "label": "k",
        "title": "k",
        "data": data,
    }


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(SERVE, patience=180) as client:
        client.initialize({"textDocument": {"diagnostic": {}}})
        client.open(".version 8.0\n.entry k() {\n\tret; }\n")
        yield client
        assert client.leave() == 0


def check_answer(client: Client, method: str, sent: object) -> Any:  # noqa: ANN401
    """Checks that there is an answer, that it is not a bug of ours, and that nothing pops up."""
    answer = client.response(client.start_request(method, sent))
    error = answer.get("error", {"code": 0, "message": ""})
    assert error["code"] in (0, INVALID_PARAMS, REFUSED), error
    assert "internal" not in error["message"]
    assert not [it for it in client.unread if it["method"].startswith("window/showMessage")]
    return answer


@pytest.mark.parametrize("method", REQUESTS)
@pytest.mark.parametrize(
    "sent", [None, [], 3, "x", {"textDocument": 3, "position": [], "item": "", "command": 1}]
)
def test_parameters_that_are_none(client: Client, method: str, sent: object) -> None:
    answer = check_answer(client, method, sent)
    assert answer["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize("method", REQUESTS)
def test_parameters_of_wrong_types(client: Client, method: str) -> None:
    good = params(URI)
    for name in good:
        for wrong in (None, [], {}, -1, "x", [[None]], {"uri": None, "start": 1}, True):
            check_answer(client, method, {**good, name: wrong})
        check_answer(client, method, {key: good[key] for key in good if key != name})


@pytest.mark.parametrize("method", REQUESTS)
@pytest.mark.parametrize("uri", ["file:///nowhere.ptx", "untitled:x", "", "%", "file://[", "\0"])
def test_documents_that_are_not_open(client: Client, method: str, uri: str) -> None:
    check_answer(client, method, params(uri))


@pytest.mark.parametrize("method", REQUESTS)
def test_places_outside_of_the_text(client: Client, method: str) -> None:
    for number in (2**31 - 1, 2**31, 2**32, 2**70, -1, -(2**40), 1.5):
        for place in ({"line": number, "character": 0}, {"line": 1, "character": number}):
            area = {"start": place, "end": place}
            check_answer(client, method, params(URI, place, area))
            check_answer(client, method, params(URI, place, {"start": PLACE, "end": place}))
            check_answer(client, method, params(URI, place, {"start": place, "end": PLACE}))
