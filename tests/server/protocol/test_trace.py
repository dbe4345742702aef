from collections.abc import Iterator

import pytest

from tests.server.client import Client, at

pytestmark = pytest.mark.slow


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as client:
        client.initialize()
        client.open("ret;")
        yield client
        assert client.leave() == 0


def told(client: Client, value: str | None) -> list[dict[str, str]]:
    """Sets the trace, asks two things, and returns what is traced of them."""
    if value is not None:
        client.notify("$/setTrace", {"value": value})
    client.unread.clear()
    client.ask("hover", 0, 1)
    client.response(client.start_request("ptx/unknown"))
    client.response(client.start_request("textDocument/hover", {}))
    client.notify("textDocument/didSave")
    client.ask("hover", 0, 1)
    client.response(client.start_request("ptx/nothing"))  # after everything else that is sent
    found = [it["params"] for it in client.unread if it["method"] == "$/logTrace"]
    return [it for it in found if "setTrace" not in it["message"]]  # told as it was set before


def check_trace(found: list[dict[str, str]], *, is_verbose: bool) -> None:
    """Checks that requests and answers are told, with what they hold only if asked for."""
    messages = [it["message"] for it in found]
    hover = [it for it in messages if "'textDocument/hover - (" in it]
    assert [it.split(" '")[0] for it in hover] == [
        "Received request",
        "Sent response",
        "Received request",
        "Sent response",
    ]
    assert hover[1].endswith(" ms.")
    assert not [it for it in messages if "logTrace" in it]
    assert {"verbose" in it for it in found} == {is_verbose}
    if is_verbose:
        by_message = {it["message"]: it["verbose"] for it in found}
        assert '"uri": "file:///kernel.ptx"' in by_message[hover[0]]
        assert '"kind": "markdown"' in by_message[hover[1]]


def test_nothing_is_traced_unless_asked_for(client: Client) -> None:
    assert told(client, None) == []
    assert told(client, "off") == []


def test_messages_are_traced(client: Client) -> None:
    check_trace(told(client, "messages"), is_verbose=False)
    check_trace(told(client, "verbose"), is_verbose=True)
    assert told(client, "off") == []


def test_a_value_that_is_none_changes_nothing(client: Client) -> None:
    assert told(client, "everything") == []
    client.notify("$/setTrace")
    assert told(client, None) == []


def test_the_trace_that_a_session_begins_with() -> None:
    with Client() as client:
        client.initialize(trace="verbose")
        client.open("ret;")
        check_trace(told(client, None), is_verbose=True)


def test_refusals_are_traced() -> None:
    with Client() as client:
        client.initialize(trace="messages")
        client.open("ret;")
        params = {**at(0, 1), "newName": "x"}
        client.response(client.start_request("textDocument/rename", params))
        client.ask("hover", 0, 1)
        failed = [it["params"]["message"] for it in client.unread if "failed" in str(it)]
        assert len(failed) == 1
        assert "Request failed: " in failed[0]
