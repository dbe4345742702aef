"""Large documents while they are being read: what is asked meanwhile, edits, and closing them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.client import URI, Client, at, edit

pytestmark = pytest.mark.slow

_HEADER = ".version 8.5\n.target sm_90\n.address_size 64\n.global .u32 counter;\n"
_BODY = """\
.visible .entry kernel_{0}(
\t.param .u64 kernel_{0}_param_0
)
{{
\t.reg .pred \t%p<2>;
\t.reg .b32 \t%r<9>;
\t.reg .b64 \t%rd<3>;
\tld.param.u64 \t%rd1, [kernel_{0}_param_0];
\tmov.u32 \t%r1, %tid.x;
$L_{0}:
\tadd.s32 \t%r1, %r1, 1;
\tsetp.lt.s32 \t%p1, %r1, 99;
\t@%p1 bra \t$L_{0};
\tst.global.u32 \t[%rd1], %r1;
\tst.global.u32 \t[counter], %r1;
\tret;
}}
"""
_N = 6500
_LENGTH = _BODY.count("\n")
_TEXT = _HEADER + "".join(map(_BODY.format, range(_N)))
_LAST = _HEADER.count("\n") + _LENGTH * (_N - 1)
"""Where the last function begins."""
assert len(_TEXT) > 2_000_000, "else it is read at once"
_PUBLISH = "textDocument/publishDiagnostics"
_PENDING = "Analysing…"


@pytest.fixture
def client() -> Any:  # noqa: ANN401
    with Client() as found:
        found.initialize()
        yield found


def hovers(client: Client, first: int) -> list[str | None]:
    """The answers of a function at a word of each line, requested together."""
    ids = [
        client.start_request("textDocument/hover", at(first + line, column))
        for line in range(_LENGTH)
        for column in (2, 9, 17)
    ]
    found: dict[int, Any] = {}
    while len(found) < len(ids):
        answer = client.response_of(ids)
        found[answer["id"]] = answer["result"]
    shown = [found[request] for request in ids]
    return [each and each["contents"]["value"] for each in shown]


def check_later(early: str | None, later: str | None) -> None:
    """Checks that a later hover only adds what is evaluated after the document was read."""
    if early is None or later is None or _PENDING not in early:
        assert early == later
        return
    paragraphs = iter(later.split("\n\n"))
    assert all(each in paragraphs for each in early.split("\n\n") if each != _PENDING)
    assert _PENDING not in later


def test_a_hover_does_not_wait_and_tells_the_same_later(client: Client) -> None:
    client.open(_TEXT)
    early = hovers(client, _LAST)
    client.notification(_PUBLISH)
    for one, other in zip(early, hovers(client, _LAST), strict=True):
        check_later(one, other)
    assert sum(found is not None for found in early) > _LENGTH


def test_other_requests_wait(client: Client) -> None:
    client.open(_TEXT)
    place = at(_LAST + 14, 19)
    found = client.request("textDocument/definition", place)
    assert found[0]["range"]["start"]["line"] == 3
    assert client.request("textDocument/documentHighlight", place)
    client.notification(_PUBLISH)
    assert found == client.request("textDocument/definition", place)


def test_an_edit_while_it_is_read(client: Client) -> None:
    client.open(_TEXT)
    client.change(1, edit((_LAST + 10, 1), (_LAST + 10, 4), "sub"))
    hover = client.request("textDocument/hover", at(_LAST + 10, 2))
    assert "sub" in hover["contents"]["value"]
    assert client.notification(_PUBLISH)["version"] == 1


def test_closing_it_while_it_is_read(client: Client) -> None:
    client.open(_TEXT)
    waiting = client.start_request("textDocument/foldingRange", {"textDocument": {"uri": URI}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert client.response(waiting)["result"] in (None, [])
    assert client.request("textDocument/hover", at(_LAST + 10, 2)) is None
    client.open(_TEXT[:1000])
    assert client.leave() == 0


def test_a_request_for_another_document_does_not_wait(client: Client) -> None:
    client.open(_TEXT * 2)
    client.open("ret;", "file:///small.ptx")
    document = {"textDocument": {"uri": "file:///small.ptx"}}
    client.request("textDocument/documentSymbol", document)
    assert client.notification(_PUBLISH)["uri"] == "file:///small.ptx"
