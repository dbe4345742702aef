"""Inlay hints on the wire, and what a change of settings does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.client import URI, Client, Message

pytestmark = pytest.mark.slow

TEXT = (
    '.version 8.0\n.target sm_80\n.file 1 "/src/k.cu"\n.entry k()\n{\n\t.reg .b32 %r<9>;\n'
    "\t.loc 1 7 3\n\t/*😀*/ mov.b32 %r1, 0f3F800000;\n\tmov.u32 %r2, %tid.x;\n}\n"
)
AREA = {"start": {"line": 6, "character": 0}, "end": {"line": 8, "character": 0}}
ASKED = {"textDocument": {"uri": URI}, "range": AREA}
REFRESH = "workspace/inlayHint/refresh"


def check_hints(client: Client, *expected: tuple[int, int, str]) -> list[Message]:
    """Lines, columns and texts of the hints."""
    found: list[Message] = client.request("textDocument/inlayHint", ASKED)
    shown = [(*hint["position"].values(), hint["label"]) for hint in found]
    assert shown == list(expected)
    return found


def test_hints_are_explained_on_demand() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        _, literal, _ = check_hints(
            client, (6, 11, "k.cu:7"), (7, 31, "1.0"), (8, 20, "threadIdx.x")
        )
        assert "tooltip" not in literal
        resolved = client.request("inlayHint/resolve", literal)
        assert resolved["tooltip"]["kind"] == "markdown"
        assert "0f3F800000" in resolved["tooltip"]["value"]
        assert client.request("inlayHint/resolve", {**literal, "data": 3})["label"] == "1.0"


def test_switching_them_off_while_they_are_shown() -> None:
    configuration: list[Any] = [{}]
    able = {
        "configuration": True,
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
    }
    with Client(answers={"workspace/configuration": lambda _: configuration}) as client:
        client.initialize({"workspace": able})
        client.open(TEXT)
        assert len(client.request("textDocument/inlayHint", ASKED)) == 3
        assert REFRESH not in client.asked
        configuration[0] = {"inlayHints": {"literals": False, "locations": False}}
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        for view in ("semanticTokens", "inlayHint", "codeLens"):
            client.server_request(f"workspace/{view}/refresh")
        check_hints(client, (8, 20, "threadIdx.x"))


def test_a_document_that_is_not_open() -> None:
    with Client() as client:
        client.initialize()
        assert client.request("textDocument/inlayHint", ASKED) is None
