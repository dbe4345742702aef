"""Code lenses on the wire."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.client import URI, Client, Message, edit

pytestmark = pytest.mark.slow

TEXT = (
    ".version 8.0\n.target sm_80\n.visible .entry _Z1kPi()\n{\n\t.reg .b32 %r<9>;\nloop:\n"
    "\tbra loop;\n\t@%p1 bra loop;\n}\n"
)
DOCUMENT = {"textDocument": {"uri": URI}}


def resolved(client: Client) -> list[Message]:
    """The commands of the lenses of the document, in order."""
    found = client.request("textDocument/codeLens", DOCUMENT)
    assert all("command" not in lens for lens in found)
    return [client.request("codeLens/resolve", lens)["command"] for lens in found]


def check_lenses(capabilities: Message, command: str, **options: Any) -> list[Message]:  # noqa: ANN401
    """The lenses of a client; that of the label runs `command`."""
    with Client() as client:
        client.initialize(capabilities, **options)
        client.open(TEXT)
        found = resolved(client)
        assert [lens["title"] for lens in found] == [
            "needs PTX ISA 7.0 for sm_80 · could target sm_10 or newer",
            "k(int*)",
            "no shared or local memory",
            "loop, repeated from lines 7 and 8",
        ]
        assert [lens["command"] for lens in found] == ["", "", "", command]
        return found


def test_plain_text() -> None:
    check_lenses({}, "")
    check_lenses({"experimental": {"commands": {"commands": ["other"]}}}, "")
    check_lenses({"experimental": {"commands": None}}, "")


def test_a_client_that_can_show_references() -> None:
    name = "editor.action.showReferences"
    *_, label = check_lenses({"experimental": {"commands": {"commands": [name]}}}, name)
    uri, start, places = label["arguments"]
    assert uri == URI
    assert start == {"line": 5, "character": 0}
    assert [place["range"]["start"]["line"] for place in places] == [6, 7]


@pytest.mark.parametrize(
    ("setting", "n_left"),
    [("references", 3), ("resources", 3), ("demangledNames", 3), ("requirements", 3)],
)
def test_kinds_that_are_not_wanted(setting: str, n_left: int) -> None:
    with Client() as client:
        client.initialize(initializationOptions={"codeLens": {setting: False}})
        client.open(TEXT)
        assert len(client.request("textDocument/codeLens", DOCUMENT)) == n_left


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("_Z1$4sync", "$\u2060(sync)"),
        ("_Z1$4sync1$", "$\u2060(sync, $)"),
        ("_Z2a$i", "a$\u2060(int)"),
        ("_Z2$aPKv", "$a(void const*)"),
    ],
)
def test_a_name_shows_no_icon(name: str, shown: str) -> None:
    with Client() as client:
        client.initialize({})
        client.open(f".version 8.0\n.target sm_80\n.visible .entry {name}()\n{{\n\tret;\n}}\n")
        titles = [lens["title"] for lens in resolved(client)]
    assert shown in titles
    assert not any("$(" in title for title in titles)


def test_a_lens_of_what_is_gone() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        *_, label = client.request("textDocument/codeLens", DOCUMENT)
        client.change(1, edit((0, 0), (9, 0), ""))
        assert client.request("codeLens/resolve", label)["command"]["title"] == ""
        stray = {**label, "data": {"uri": "file:///gone.ptx"}}
        assert client.request("codeLens/resolve", stray)["command"]["title"] == ""
        assert client.request("codeLens/resolve", {**label, "data": 3})["command"]["title"] == ""


def test_a_document_that_is_not_open() -> None:
    with Client() as client:
        client.initialize()
        assert client.request("textDocument/codeLens", DOCUMENT) is None
