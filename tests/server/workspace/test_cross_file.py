"""The meaning of a symbol in other modules of the workspace, open or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Client, Message, ServerError
from tests.server.folder import enter, opened, place, short, uri_of, write

pytestmark = pytest.mark.slow

USER = """\
.extern .func scale(.param .b32 x);
.extern .global .u32 table[];
.visible .entry k()
{
    .reg .b32 %r<2>;
    call scale, (%r1);
    mov.u32 %r1, table;
    ret;
}
"""
LIBRARY = """\
.visible .global .u32 table[4];
.visible .func scale(.param .b32 x)
{
    ret;
}
.visible .entry caller()
{
    .reg .b32 %r<2>;
    call scale, (%r1);
    ret;
}
"""
OTHER = """\
.extern .func scale(.param .b32 x);
.func scaled()
{
    .reg .b32 %r<2>;
    call scale, (%r1);
    ret;
}
"""
STATIC = ".func scale(.param .b32 x) { ret; }\n"
CALL, TABLE, BODY = (5, 10), (6, 18), (1, 15)


def check_places(client: Client, folder: Path, method: str, asked: Message, *expected: str) -> None:
    """Checks where a request leads."""
    found = client.request(f"textDocument/{method}", asked)
    assert [short(folder, each["uri"], each["range"]) for each in found] == list(expected)


def enter_four(client: Client, folder: Path, capabilities: object = None) -> None:
    write(folder, user=USER, library=LIBRARY, other=OTHER, static=STATIC)
    enter(client, folder, capabilities=capabilities)
    client.open(**opened(folder, "user", USER))


def test_definitions_in_a_file_that_is_not_open(tmp_path: Path) -> None:
    with Client() as client:
        enter_four(client, tmp_path)
        call, table = place(tmp_path, "user", *CALL), place(tmp_path, "user", *TABLE)
        check_places(client, tmp_path, "definition", call, "library.ptx 1:15-20")
        check_places(client, tmp_path, "implementation", call, "library.ptx 1:15-20")
        check_places(client, tmp_path, "declaration", call, "user.ptx 0:14-19")
        check_places(client, tmp_path, "definition", table, "library.ptx 0:22-27")
        # The current file, without a notification of the change.
        write(tmp_path, library="// a line\n" + LIBRARY)
        check_places(client, tmp_path, "definition", call, "library.ptx 2:15-20")
        client.open(**opened(tmp_path, "library", "// two\n// lines\n" + LIBRARY))
        check_places(client, tmp_path, "definition", call, "library.ptx 3:15-20")
        (tmp_path / "library.ptx").unlink()
        document = {"uri": uri_of(tmp_path, "library.ptx")}
        client.notify("textDocument/didClose", {"textDocument": document})
        check_places(client, tmp_path, "definition", call, "user.ptx 0:14-19")
        check_places(client, tmp_path, "implementation", call)


def test_former_states_of_files_are_no_modules(tmp_path: Path) -> None:
    with Client() as client:
        enter_four(client, tmp_path)
        library = opened(tmp_path, "library", LIBRARY)
        client.open(library["text"], library["uri"].replace("file:", "git:") + "?HEAD")
        client.open(library["text"].replace("scale", "other"), "untitled:1")
        call, table = place(tmp_path, "user", *CALL), place(tmp_path, "user", *TABLE)
        check_places(client, tmp_path, "definition", call, "library.ptx 1:15-20")
        found = client.request("textDocument/definition", table)
        assert [it["uri"] for it in found] == [library["uri"], "untitled:1"]


def test_links(tmp_path: Path) -> None:
    able = {"textDocument": {"definition": {"linkSupport": True}}}
    with Client() as client:
        enter_four(client, tmp_path, able)
        asked = place(tmp_path, "user", *CALL)
        (found,) = client.request("textDocument/definition", asked)
        origin, whole = found["originSelectionRange"], found["targetRange"]
        assert short(tmp_path, uri_of(tmp_path, "user.ptx"), origin) == "user.ptx 5:9-14"
        assert short(tmp_path, found["targetUri"], whole) == "library.ptx 1:0-1"  # to the brace
        selection = found["targetSelectionRange"]
        assert short(tmp_path, found["targetUri"], selection) == "library.ptx 1:15-20"


def test_a_weak_definition_gives_way(tmp_path: Path) -> None:
    weak = ".weak .func scale(.param .b32 x) { ret; }\n"
    write(tmp_path, weak=weak)
    with Client() as client:
        enter(client, tmp_path)
        client.open(**opened(tmp_path, "user", USER))
        asked = place(tmp_path, "user", *CALL)
        check_places(client, tmp_path, "definition", asked, "weak.ptx 0:12-17")
        client.open(**opened(tmp_path, "library", LIBRARY))
        check_places(client, tmp_path, "definition", asked, "library.ptx 1:15-20")


def test_references_in_all_modules(tmp_path: Path) -> None:
    with Client() as client:
        enter_four(client, tmp_path)
        asked = {**place(tmp_path, "user", *CALL), "context": {"includeDeclaration": True}}
        everywhere = ["user.ptx 0:14-19", "user.ptx 5:9-14"]
        everywhere += ["library.ptx 1:15-20", "library.ptx 8:9-14"]
        everywhere += ["other.ptx 0:14-19", "other.ptx 4:9-14"]
        check_places(client, tmp_path, "references", asked, *everywhere)
        asked["context"]["includeDeclaration"] = False
        uses = ["user.ptx 5:9-14", "library.ptx 8:9-14", "other.ptx 4:9-14"]
        check_places(client, tmp_path, "references", asked, *uses)
        # Names that concern no other module stay here.
        local = {**place(tmp_path, "user", 5, 19), "context": {"includeDeclaration": False}}
        check_places(client, tmp_path, "references", local, "user.ptx 5:17-20", "user.ptx 6:12-15")


def test_two_programs_with_kernels_of_one_name(tmp_path: Path) -> None:
    kernel = ".visible .entry k() { ret; }\n"
    write(tmp_path, other=kernel)
    with Client() as client:
        enter(client, tmp_path)
        client.open(**opened(tmp_path, "own", kernel))
        asked = {**place(tmp_path, "own", 0, 16), "context": {"includeDeclaration": True}}
        check_places(client, tmp_path, "references", asked, "own.ptx 0:16-17")


def changed_text(folder: Path, found: Message, name: str, text: str) -> str:
    """A module with the edits of a rename."""
    lines = text.splitlines(keepends=True)
    for each in reversed(found[uri_of(folder, f"{name}.ptx")]):
        start, end = each["range"]["start"], each["range"]["end"]
        line = lines[start["line"] - 3]
        new = line[: start["character"]] + each["newText"] + line[end["character"] :]
        lines[start["line"] - 3] = new
    return "".join(lines)


def test_a_rename_changes_all_modules(tmp_path: Path) -> None:
    with Client() as client:
        enter_four(client, tmp_path)
        asked = {**place(tmp_path, "user", *CALL), "newName": "twice"}
        found = client.request("textDocument/rename", asked)["changes"]
        assert len(found) == 3
        for name, text in (("user", USER), ("library", LIBRARY)):
            changed = changed_text(tmp_path, found, name, text)
            assert changed == text.replace("scale", "twice")
        changed = changed_text(tmp_path, found, "other", OTHER)
        assert changed == OTHER.replace("scale(", "twice(").replace("scale,", "twice,")


def test_a_rename_asks_first_and_names_versions_of_what_is_open(tmp_path: Path) -> None:
    edit = {"documentChanges": True, "changeAnnotationSupport": {}}
    with Client() as client:
        enter_four(client, tmp_path, {"workspace": {"workspaceEdit": edit}})
        asked = {**place(tmp_path, "user", *CALL), "newName": "twice"}
        found = client.request("textDocument/rename", asked)
        documents = [each["textDocument"] for each in found["documentChanges"]]
        expected = {"user": 0, "library": None, "other": None}
        assert {it["uri"]: it["version"] for it in documents} == {
            uri_of(tmp_path, f"{name}.ptx"): version for name, version in expected.items()
        }
        (annotation,) = found["changeAnnotations"].values()
        assert annotation["needsConfirmation"]


def test_a_rename_that_another_module_forbids(tmp_path: Path) -> None:
    with Client() as client:
        enter_four(client, tmp_path)
        asked = {**place(tmp_path, "user", *CALL), "newName": "scaled"}
        with pytest.raises(ServerError) as caught:
            client.request("textDocument/rename", asked)
        error: Any = caught.value.args[0]
        assert error["message"].startswith("other.ptx: the module declares `scaled`")


def test_calls_across_modules(tmp_path: Path) -> None:
    def names(calls: list[Message], end: str) -> list[str]:
        return [short(tmp_path, it[end]["uri"], it[end]["selectionRange"]) for it in calls]

    with Client() as client:
        enter_four(client, tmp_path)
        asked = place(tmp_path, "user", *CALL)
        (item,) = client.request("textDocument/prepareCallHierarchy", asked)
        assert item["detail"] == ".visible device function"
        assert item["range"]["end"]["line"] == 7
        callers = client.request("callHierarchy/incomingCalls", {"item": item})
        expected = ["library.ptx 5:16-22", "other.ptx 1:6-12", "user.ptx 2:16-17"]
        assert sorted(names(callers, "from")) == expected
        (other,) = (it["from"] for it in callers if it["from"]["name"] == "scaled")
        called = client.request("callHierarchy/outgoingCalls", {"item": other})
        assert names(called, "to") == ["library.ptx 1:15-20"]
        assert client.request("callHierarchy/outgoingCalls", {"item": item}) == []
