"""Completion as it goes over the wire, to clients that can do more or less."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.client import URI, Client, Message
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.slow

MODULE = """\
.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 r) f(.param .b32 x) { ret; }
.entry kernel()
{
\t.reg .b32 %r<9>;
\tSTATEMENT
}
"""
POOR: Message = {}
RICH: Message = {
    "snippetSupport": True,
    "labelDetailsSupport": True,
    "preselectSupport": True,
    "commitCharactersSupport": True,
    "tagSupport": {"valueSet": [1]},
    "insertTextModeSupport": {"valueSet": [1, 2]},
}
LIST = {"itemDefaults": ["editRange", "data", "insertTextFormat"]}


class _Clients:
    """Clients by what they can do: a server is slow to start."""

    def __init__(self) -> None:
        self._clients: dict[str, Client] = {}

    def get(self, capabilities: Message) -> Client:
        key = json.dumps(capabilities)
        if key not in self._clients:
            self._clients[key] = Client(patience=300)
            self._clients[key].initialize({"textDocument": capabilities})
        return self._clients[key]

    def close(self) -> None:
        for client in self._clients.values():
            client.__exit__(None, None, None)
        self._clients.clear()


CLIENTS = _Clients()


@pytest.fixture(scope="module", autouse=True)
def _closing() -> Iterator[None]:
    yield
    CLIENTS.close()


def check_item(statement: str, label: str, able: Message, *, lists: Message | None = None) -> Any:  # noqa: ANN401
    """The item of that label at the cursor, as a client gets it that can do so much."""
    capabilities: Message = {"completion": {"completionItem": able, "completionList": lists or {}}}
    fixture = parse_fixture(MODULE.replace("STATEMENT", statement))
    client = CLIENTS.get(capabilities)
    client.open(fixture.text)
    found = client.ask("completion", fixture.cursor.line, fixture.cursor.column)
    # An item with the label as its text would repeat the dot; other items have their own text.
    label = label if able.get("labelDetailsSupport") else label.removeprefix(".")
    (item,) = [item for item in found["items"] if item["label"] == label]
    if "data" not in item and "itemDefaults" in found:
        item["data"] = found["itemDefaults"].get("data")
    resolved = client.request("completionItem/resolve", item)
    told = resolved.get("documentation", "")
    item["resolved"] = told if isinstance(told, str) else told["value"]
    item["editRange"] = found.get("itemDefaults", {}).get("editRange")
    return item


def test_snippets_for_those_who_can() -> None:
    assert check_item("ad<|>", "add", RICH)["textEdit"]["newText"] == (
        "add.${1:s32} ${2:d}, ${3:a}, ${4:b};"
    )
    assert check_item("ad<|>", "add", RICH)["insertTextFormat"] == 2
    plain = check_item("ad<|>", "add", POOR)
    assert plain["textEdit"]["newText"] == "add"
    assert "insertTextFormat" not in plain


def test_idioms_for_all() -> None:
    rich = check_item("war<|>", "warp sum", RICH)
    assert "${1:1}" in rich["textEdit"]["newText"]
    assert rich["insertTextMode"] == 2
    plain = check_item("war<|>", "warp sum", POOR)
    assert "mov.b32 %sum, 1;\n\tshfl.sync" in plain["textEdit"]["newText"]
    assert "insertTextMode" not in plain


def test_the_dot_is_not_repeated() -> None:
    for able, lists in ((RICH, {}), (POOR, {}), (RICH, LIST)):
        for statement, label in (("add.s<|>", ".s32"), ("add.<|>", ".s32"), (".re<|>", ".reg")):
            item = check_item(statement, label, able, lists=lists)
            area = item["editRange"] or item["textEdit"]["range"]
            typed = area["end"]["character"] - area["start"]["character"]
            assert typed == len(statement.rpartition(".")[2]) - len("<|>")
            text = item.get("textEditText") or item["textEdit"]["newText"]
            assert text.startswith(label[1:])
            assert item["filterText"] == label[1:]


def test_what_is_compared_with_typing() -> None:
    assert check_item("ad<|>", "add", RICH, lists=LIST)["filterText"] == "add"
    # Older Neovim keeps to the range of an edit only without it.
    assert "filterText" not in check_item("add.s32 %<|>", "%r1", POOR)


def test_a_call_replaces_what_was_typed_of_it() -> None:
    item = check_item("call.uni  <|>", "f", RICH, lists=LIST)
    area = item["editRange"]
    assert area["end"]["character"] - area["start"]["character"] == len("call.uni  ")
    assert item["filterText"] == "call.uni  f"
    assert item["labelDetails"] == {
        "detail": "(.b32) -> .b32",
        "description": "device function with its call sequence",
    }
    older = check_item("call.uni  <|>", "f", RICH)
    assert older["textEdit"]["newText"] == "f"


def test_what_the_module_lacks_is_struck_out() -> None:
    lacking = check_item("add.<|>", ".f32x2", RICH)
    assert lacking["tags"] == [1]
    assert lacking["detail"] == "needs PTX ISA 8.6 and sm_100 or newer"
    assert "tags" not in check_item("add.<|>", ".f32", RICH)
    assert check_item("add.<|>", ".f32x2", {"deprecatedSupport": True})["deprecated"] is True
    assert "tags" not in check_item("add.<|>", ".f32x2", POOR)


def test_the_only_modifier_is_preselected() -> None:
    assert check_item("ldmatrix.<|>", ".sync", RICH)["preselect"] is True
    assert "preselect" not in check_item("ldmatrix.<|>", ".sync", POOR)
    assert "preselect" not in check_item("add.<|>", ".s32", RICH)


def test_a_dot_takes_a_modifier_and_goes_on() -> None:
    assert check_item("ld.<|>", ".global", RICH)["commitCharacters"] == ["."]
    assert "commitCharacters" not in check_item("ld.<|>", ".global", POOR)
    assert "commitCharacters" not in check_item("add.<|>", ".s32", RICH)


@pytest.mark.parametrize("lists", [{}, LIST], ids=["each", "shared"])
def test_documentation_is_found_when_asked_for(lists: Message) -> None:
    assert "register" in check_item("add.s32 %r<|>", "%r3", RICH, lists=lists)["resolved"]
    assert "threadIdx.x" in check_item("mov.u32 %r1, %<|>", "%tid.x", POOR, lists=lists)["resolved"]
    assert "device function" in check_item("call <|>", "f", RICH, lists=lists)["resolved"]
    assert "Adds" in check_item("ad<|>", "add", RICH, lists=lists)["resolved"]


def test_documentation_is_plain_text_unless_markdown_is_taken() -> None:
    for formats, is_marked in (({}, False), ({"documentationFormat": ["markdown"]}, True)):
        told = check_item("ad<|>", "add", {**RICH, **formats})["resolved"]
        assert ("**Adds" in told) is is_marked


def test_resolve_of_anything() -> None:
    strange: list[object] = [None, 1, [], {}, "symbol x", {"uri": 1, "line": "x"}]
    strange += [{"uri": URI, "line": 10**9, "character": -1, "item": "symbol x"}]
    with Client() as client:
        client.initialize()
        client.open("")
        for data in strange:
            item = {"label": "x", "data": data}
            assert client.request("completionItem/resolve", item)["label"] == "x"
        assert client.leave() == 0


def test_no_list_opens_behind_a_blank_or_a_comma() -> None:
    with Client() as client:
        told = client.initialize()["capabilities"]["completionProvider"]
        assert not {" ", ",", ";", ":"} & set(told["triggerCharacters"])
        assert told["resolveProvider"] is True
