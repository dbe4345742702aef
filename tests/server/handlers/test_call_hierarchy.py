"""Call hierarchy over the wire: prepare, incoming and outgoing."""

from __future__ import annotations

import pytest

from tests.server.client import URI, Client, edit

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


FLOW = """\
.entry k()
{
    .reg .b32 %r<3>;
    mov.u32 %r1, 1;
    add.u32 %r2, %r1, 1;
    st.shared.u32 [%r1], %r2;
    ret;
}
"""


def test_the_flow_of_values() -> None:
    with Client() as client:
        client.initialize()
        client.open(FLOW)
        (item,) = client.ask("prepareCallHierarchy", 4, 14)
        assert (item["name"], item["detail"]) == ("add.u32 %r2, %r1, 1", "line 5")
        (source,) = client.request("callHierarchy/incomingCalls", {"item": item})
        assert source["from"]["name"] == "mov.u32 %r1, 1"
        assert source["fromRanges"][0]["start"] == {"line": 3, "character": 12}
        (reader,) = client.request("callHierarchy/outgoingCalls", {"item": item})
        assert reader["to"]["name"] == "st.shared.u32 [%r1], %r2"
        assert reader["fromRanges"][0]["start"] == {"line": 5, "character": 25}
        client.change(2, edit((0, 0), (0, 0), "\n"))
        (source,) = client.request("callHierarchy/incomingCalls", {"item": item})
        assert source["from"]["detail"] == "line 5"
        for changed in ({"name": "gone"}, {"uri": "file:///nowhere.ptx"}):
            params = {"item": {**item, **changed}}
            assert client.request("callHierarchy/outgoingCalls", params) is None
