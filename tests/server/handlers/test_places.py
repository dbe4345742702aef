"""Highlights, growing selections and linked editing over the wire."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.client import URI, Client

pytestmark = pytest.mark.slow

TEXT = """\
.entry k() {
    .reg .b32 a;
    /*é😀*/ mov.u32 a, a;
}
"""
PLACE = (2, 20)


def test_highlights() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        found = client.ask("documentHighlight", *PLACE)
        starts = [(it["range"]["start"]["line"], it["range"]["start"]["character"]) for it in found]
        assert starts == [(1, 14), (2, 20), (2, 23)]
        assert [it["kind"] for it in found] == [1, 3, 2]
        assert client.ask("documentHighlight", 3, 0) == []


def test_selections() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        positions = [{"line": line, "character": character} for line, character in (PLACE, (9, 9))]
        params = {"textDocument": {"uri": URI}, "positions": positions}
        first, second = client.request("textDocument/selectionRange", params)
        assert first["range"]["start"] == {"line": 2, "character": 20}
        outermost = [_outermost(each) for each in (first, second)]
        assert outermost[0] == outermost[1]
        client.open(".entry k() {" + "{" * 3000 + "ret;" + "}" * 3001)
        deep = {**params, "positions": [{"line": 0, "character": 3013}]}
        assert _outermost(client.request("textDocument/selectionRange", deep)[0])["start"] == {
            "line": 0,
            "character": 0,
        }
        client.open("")
        (found, _) = client.request("textDocument/selectionRange", params)
        assert found["range"]["start"] == found["range"]["end"] == {"line": 0, "character": 0}


def _outermost(found: dict[str, Any]) -> Any:  # noqa: ANN401
    while "parent" in found:
        found = found["parent"]
    return found["range"]


def test_linked_editing() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        found = client.ask("linkedEditingRange", *PLACE)
        assert [each["start"]["character"] for each in found["ranges"]] == [14, 20, 23]
        assert client.ask("linkedEditingRange", 0, 7) is None


@pytest.mark.parametrize("feature", ["documentHighlight", "linkedEditingRange"])
def test_a_document_that_is_not_open(feature: str) -> None:
    with Client() as client:
        client.initialize()
        assert client.ask(feature, 0, 0) is None
        params = {"textDocument": {"uri": URI}, "positions": []}
        assert client.request("textDocument/selectionRange", params) is None
