from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.client import Client, Message, at

pytestmark = pytest.mark.slow

N_USES = 1200
TEXT = (
    ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n\t.reg .b32 %r<9>;\n"
    + "\tmov.b32 %r1, %r2;\n" * N_USES
    + "}\n"
    + "".join(f".global .b32 v{number};\n" for number in range(N_USES))
)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        yield client
        assert client.leave() == 0


def check_parts(client: Client, method: str, params: Message) -> list[Any]:
    """Checks that the parts of a result are the result, and come before an empty one."""
    whole = client.request(method, params)
    assert len(whole) > N_USES
    client.unread.clear()
    assert client.request(method, {**params, "partialResultToken": "parts"}) == []
    parts = [it["params"]["value"] for it in client.unread if it["method"] == "$/progress"]
    assert {it["params"]["token"] for it in client.unread if it["method"] == "$/progress"} == {
        "parts"
    }
    assert [item for part in parts for item in part] == whole
    return parts


def test_results_in_parts(client: Client) -> None:
    references = {**at(6, 11), "context": {"includeDeclaration": True}}
    assert len(check_parts(client, "textDocument/references", references)) > 2
    document = {"textDocument": references["textDocument"]}
    check_parts(client, "textDocument/documentSymbol", document)


def test_a_result_of_nothing_has_no_parts(client: Client) -> None:
    client.unread.clear()
    params = {**at(0, 0), "context": {"includeDeclaration": True}, "partialResultToken": 7}
    assert client.request("textDocument/references", params) == []
    assert not [it for it in client.unread if it["method"] == "$/progress"]


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("references", {"context": {"includeDeclaration": True}}),
        ("rename", {"newName": "x"}),
        ("rename", {"newName": "1x"}),  # is refused
        ("formatting", {"options": {"tabSize": 8, "insertSpaces": False}}),
        ("documentSymbol", {}),
        ("codeLens", {}),
    ],
)
def test_work_is_shown_from_begin_to_end(client: Client, method: str, more: Message) -> None:
    client.unread.clear()
    params = {**at(6, 11), **more, "workDoneToken": 5}
    client.response(client.start_request(f"textDocument/{method}", params))
    shown = [it["params"] for it in client.unread if it["method"] == "$/progress"]
    assert [it["token"] for it in shown] == [5, 5]
    assert [it["value"]["kind"] for it in shown] == ["begin", "end"]
    assert shown[0]["value"]["title"]


def test_what_can_be_shown_is_offered_so() -> None:
    wanted: Message = {"diagnostic": {}, "rename": {"prepareSupport": True}}
    with Client() as client:
        able = client.initialize({"textDocument": wanted})["capabilities"]
        methods = "references rename documentFormatting documentSymbol codeLens diagnostic"
        for name in (*methods.split(), "executeCommand"):
            assert able[f"{name}Provider"]["workDoneProgress"] is True


def test_work_that_is_cancelled_is_shown_no_more(client: Client) -> None:
    client.unread.clear()
    params = {"textDocument": at(0, 0)["textDocument"], "workDoneToken": "w"}
    number = client.start_request("textDocument/documentSymbol", params)
    client.notify("$/cancelRequest", {"id": number})
    client.response(number)
    shown = [it["params"]["value"]["kind"] for it in client.unread if it["method"] == "$/progress"]
    assert shown == ["begin", "end"]
