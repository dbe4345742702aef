"""Call hierarchy over the wire: prepare, incoming and outgoing."""

from __future__ import annotations

import pytest

from tests.server.client import URI, Client

pytestmark = pytest.mark.slow

TEXT = """\
.extern .func vprintf(.param .b64 a);
.func f(.param .b64 x)
{
    call vprintf, (x);
    call vprintf, (x);
}
.entry k()
{
    call f, (%rd1);
}
"""


def test_prepare_incoming_and_outgoing() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        (item,) = client.ask("prepareCallHierarchy", 8, 9)
        assert (item["name"], item["uri"]) == ("f", URI)
        assert item["range"]["end"] == {"line": 5, "character": 1}
        (caller,) = client.request("callHierarchy/incomingCalls", {"item": item})
        assert caller["from"]["name"] == "k"
        assert [place["start"]["line"] for place in caller["fromRanges"]] == [8]
        (callee,) = client.request("callHierarchy/outgoingCalls", {"item": item})
        assert callee["to"]["name"] == "vprintf"
        assert [place["start"]["line"] for place in callee["fromRanges"]] == [3, 4]
        (item,) = client.ask("prepareCallHierarchy", 6, 8)
        assert client.request("callHierarchy/incomingCalls", {"item": item}) == []
        assert client.ask("prepareCallHierarchy", 7, 0) is None


def test_what_is_gone_or_not_open() -> None:
    with Client() as client:
        client.initialize()
        assert client.ask("prepareCallHierarchy", 0, 0) is None
        client.open(TEXT)
        (item,) = client.ask("prepareCallHierarchy", 6, 8)
        for changed in ({"name": "gone"}, {"uri": "file:///nowhere.ptx"}):
            for method in ("incomingCalls", "outgoingCalls"):
                params = {"item": {**item, **changed}}
                assert client.request(f"callHierarchy/{method}", params) is None
