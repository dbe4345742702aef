"""Renaming over the wire: edits in each form that a client may take, and refusals with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.client import URI, Client, Message, ServerError, at

pytestmark = pytest.mark.slow

TEXT = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k() {
    .reg .b32 %r<9>;
    mov.u32 %r1, /* é😀 */ %r1;
    mov.u32 %r2, %tid.x;
    bra L;
L:  ret;
}
"""
RICH = {
    "workspace": {
        "workspaceEdit": {
            "documentChanges": True,
            "changeAnnotationSupport": {"groupsOnLabel": True},
        }
    }
}
LABEL, KERNEL, BANK, SPECIAL = (7, 8), (3, 16), (4, 14), (6, 18)


def rename(client: Client, place: tuple[int, int], new: str) -> Message:
    """Renames what is at a place of `TEXT`."""
    found: Message = client.request("textDocument/rename", {**at(*place), "newName": new})
    return found


def applied(edits: list[Message]) -> str:
    """`TEXT` with edits applied."""
    lines = TEXT.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda edit: _place(edit, "start"), reverse=True):
        (line, start), (last, end) = _place(edit, "start"), _place(edit, "end")
        assert line == last
        units = lines[line].encode("utf-16-le")
        new = edit["newText"].encode("utf-16-le")
        lines[line] = (units[: 2 * start] + new + units[2 * end :]).decode("utf-16-le")
    return "".join(lines)


def _place(edit: Message, end: str) -> tuple[int, int]:
    place = edit["range"][end]
    return place["line"], place["character"]


def test_changes() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        assert client.ask("prepareRename", *LABEL)["placeholder"] == "L"
        found = rename(client, LABEL, "END")
        assert applied(found["changes"][URI]) == TEXT.replace("L;", "END;").replace("L:", "END:")
        found = rename(client, (5, 28), "sum")
        expected = TEXT.replace("%r1", "sum").replace("<9>;\n", "<9>;\n    .reg .b32 sum;\n")
        assert applied(found["changes"][URI]) == expected
        found = rename(client, KERNEL, "kernel")
        assert applied(found["changes"][URI]) == TEXT.replace(" k()", " kernel()")
        assert rename(client, LABEL, "L") == {"changes": {}}


def test_document_changes_with_what_has_to_be_confirmed() -> None:
    with Client() as client:
        client.initialize(RICH)
        client.open(TEXT)
        found = rename(client, KERNEL, "kernel")
        (annotation,) = found["changeAnnotations"].values()
        assert annotation["needsConfirmation"]
        assert "`.visible`" in annotation["description"]
        (change,) = found["documentChanges"]
        assert change["textDocument"] == {"uri": URI, "version": 0}
        assert {edit["annotationId"] for edit in change["edits"]} == set(found["changeAnnotations"])
        found = rename(client, BANK, "%x")
        assert "changeAnnotations" not in found
        assert applied(found["documentChanges"][0]["edits"]) == TEXT.replace("%r", "%x")


@pytest.mark.parametrize(
    ("method", "place", "reason"),
    [
        ("prepareRename", SPECIAL, "special register"),
        ("rename", SPECIAL, "special register"),
        ("rename", LABEL, "is not an identifier"),
        ("prepareRename", (5, 5), "a PTX keyword"),
    ],
)
def test_refusals(method: str, place: tuple[int, int], reason: str) -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        params = {**at(*place), "newName": "1 2"}
        with pytest.raises(ServerError) as caught:
            client.request(f"textDocument/{method}", params)
        error: Any = caught.value.args[0]
        assert error["code"] == -32803
        assert reason in error["message"]


def test_nothing_to_rename() -> None:
    with Client() as client:
        client.initialize()
        assert client.ask("prepareRename", 0, 0) is None
        assert rename(client, (0, 0), "a") is None
        client.open("// nothing\n")
        assert client.ask("prepareRename", 0, 4) is None
        assert rename(client, (0, 4), "a") is None
