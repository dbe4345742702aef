"""Symbols of the modules on the disk, which come and go, and of those that are open."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.server.client import Client, edit
from tests.server.folder import CHANGED, CREATED, DELETED, enter, opened, short, tell, uri_of, write

pytestmark = pytest.mark.slow

WATCHING = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


def check_symbols(client: Client, folder: Path, query: str, *expected: str) -> None:
    """Checks what is found, best first: names with their places."""
    found = client.request("workspace/symbol", {"query": query})
    assert [
        f"{each['name']} {short(folder, each['location']['uri'], each['location']['range'])}"
        for each in found
    ] == list(expected)


def test_kernels_functions_and_variables_by_their_names(tmp_path: Path) -> None:
    write(
        tmp_path,
        a=".visible .entry _Z5saxpyif() { ret; }\n.global .u32 table[4];\n",
        d__b=".extern .func scale;\n.func scale() { .reg .b32 %scaled; ret; }\n",
    )
    with Client() as client:
        enter(client, tmp_path)
        check_symbols(client, tmp_path, "saxpy(int", "_Z5saxpyif a.ptx 0:16-26")
        check_symbols(client, tmp_path, "TAB", "table a.ptx 1:13-18")
        check_symbols(client, tmp_path, "sc", "scale d/b.ptx 1:6-11", "scale d/b.ptx 0:14-19")
        check_symbols(client, tmp_path, "nothing")
        (kernel,) = client.request("workspace/symbol", {"query": "saxpy"})
        assert kernel["kind"] == 12
        assert kernel["containerName"] == "saxpy(int, float)"
        (variable,) = client.request("workspace/symbol", {"query": "table"})
        assert variable["containerName"] == "a.ptx"
        assert len(client.request("workspace/symbol", {"query": ""})) == 4


def test_columns_are_in_the_units_of_the_client(tmp_path: Path) -> None:
    write(tmp_path, a="/* 😀é */ .entry k() { ret; }\n")
    for encoding, column in (("utf-8", 20), ("utf-16", 17), ("utf-32", 16)):
        with Client() as client:
            enter(client, tmp_path, capabilities={"general": {"positionEncodings": [encoding]}})
            check_symbols(client, tmp_path, "k", f"k a.ptx 0:{column}-{column + 1}")


def test_files_that_others_write(tmp_path: Path) -> None:
    write(tmp_path, a=".entry first() { ret; }\n")
    with Client() as client:
        enter(client, tmp_path, capabilities=WATCHING)
        client.server_request("client/registerCapability")
        check_symbols(client, tmp_path, "", "first a.ptx 0:7-12")
        write(tmp_path, a=".entry changed() { ret; }\n", b=".entry second() { ret; }\n")
        tell(client, tmp_path, a=CHANGED, b=CREATED)
        check_symbols(client, tmp_path, "", "second b.ptx 0:7-13", "changed a.ptx 0:7-14")
        (tmp_path / "a.ptx").unlink()
        tell(client, tmp_path, a=DELETED)
        check_symbols(client, tmp_path, "", "second b.ptx 0:7-13")
        write(tmp_path, **{".git__c": ".entry hidden() { ret; }\n"})
        tell(client, tmp_path, **{".git__c": CREATED, "never": DELETED, "gone": CREATED})
        check_symbols(client, tmp_path, "", "second b.ptx 0:7-13")


def test_what_the_user_does_within_the_editor(tmp_path: Path) -> None:
    write(tmp_path, a=".entry a() { ret; }\n", d__b=".entry bb() { ret; }\n")
    able = {"didCreate": True, "didRename": True, "didDelete": True}
    with Client() as client:
        result = enter(client, tmp_path, capabilities={"workspace": {"fileOperations": able}})
        assert set(result["capabilities"]["workspace"]["fileOperations"]) == set(able)
        check_symbols(client, tmp_path, "", "a a.ptx 0:7-8", "bb d/b.ptx 0:7-9")
        (tmp_path / "d").rename(tmp_path / "e")
        moved = {"oldUri": uri_of(tmp_path, "d"), "newUri": uri_of(tmp_path, "e")}
        client.notify("workspace/didRenameFiles", {"files": [moved]})
        check_symbols(client, tmp_path, "", "a a.ptx 0:7-8", "bb e/b.ptx 0:7-9")
        (tmp_path / "e").rename(tmp_path.parent / f"{tmp_path.name}.trash")
        client.notify("workspace/didDeleteFiles", {"files": [{"uri": uri_of(tmp_path, "e")}]})
        check_symbols(client, tmp_path, "", "a a.ptx 0:7-8")
        (tmp_path.parent / f"{tmp_path.name}.trash").rename(tmp_path / "e")
        client.notify("workspace/didCreateFiles", {"files": [{"uri": uri_of(tmp_path, "e")}]})
        check_symbols(client, tmp_path, "", "a a.ptx 0:7-8", "bb e/b.ptx 0:7-9")


def test_folders_that_are_added_and_removed(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one, a=".entry a() { ret; }\n")
    write(two, b=".entry b() { ret; }\n")
    as_folder = {"uri": two.as_uri(), "name": "two"}
    with Client() as client:
        enter(client, one)
        check_symbols(client, tmp_path, "", "a one/a.ptx 0:7-8")
        event = {"added": [as_folder], "removed": []}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        check_symbols(client, tmp_path, "", "a one/a.ptx 0:7-8", "b two/b.ptx 0:7-8")
        event = {"added": [], "removed": [{"uri": one.as_uri(), "name": "one"}]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        check_symbols(client, tmp_path, "", "b two/b.ptx 0:7-8")


def test_a_root_is_not_meant_once_its_folder_is_removed(tmp_path: Path) -> None:
    write(tmp_path, a=".entry a() { ret; }\n")
    with Client() as client:
        enter(client, tmp_path, rootUri=tmp_path.as_uri())
        check_symbols(client, tmp_path, "", "a a.ptx 0:7-8")
        removed = [{"uri": tmp_path.as_uri(), "name": tmp_path.name}]
        event = {"added": [], "removed": removed}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        check_symbols(client, tmp_path, "")


def test_a_root_instead_of_folders(tmp_path: Path) -> None:
    write(tmp_path, a=".entry a() { ret; }\n")
    with Client() as client:
        client.initialize(rootUri=tmp_path.as_uri())
        check_symbols(client, tmp_path, "a", "a a.ptx 0:7-8")


def test_an_open_document_counts_instead_of_its_file(tmp_path: Path) -> None:
    write(tmp_path, a=".entry old() { ret; }\n")
    with Client() as client:
        enter(client, tmp_path)
        client.open(**opened(tmp_path, "a", ".entry new() { ret; }\n"))
        check_symbols(client, tmp_path, "", "new a.ptx 0:7-10")
        client.change(1, edit((3, 7), (3, 10), "newer"), uri=uri_of(tmp_path, "a.ptx"))
        check_symbols(client, tmp_path, "", "newer a.ptx 0:7-12")
        document = {"uri": uri_of(tmp_path, "a.ptx")}
        client.notify("textDocument/didClose", {"textDocument": document})
        check_symbols(client, tmp_path, "", "old a.ptx 0:7-10")


def test_a_change_that_is_not_told_yet(tmp_path: Path) -> None:
    write(tmp_path, a=".entry a() { ret; }\n")
    with Client() as client:
        enter(client, tmp_path, capabilities=WATCHING)
        check_symbols(client, tmp_path, "a", "a a.ptx 0:7-8")
        write(tmp_path, a="\n.entry as_well() { ret; }\n")
        check_symbols(client, tmp_path, "a", "as_well a.ptx 1:7-14")
        (tmp_path / "a.ptx").unlink()
        check_symbols(client, tmp_path, "a")


def test_what_nobody_tells_of(tmp_path: Path) -> None:
    write(tmp_path, a=".entry a() { ret; }\n", d__b=".entry b() { ret; }\n")
    with Client() as client:
        enter(client, tmp_path)
        check_symbols(client, tmp_path, "", "a a.ptx 0:7-8", "b d/b.ptx 0:7-8")
        (tmp_path / "d").rename(tmp_path / "e")
        write(tmp_path, a=".entry changed() { ret; }\n", f__c=".entry c() { ret; }\n")
        while len(client.request("workspace/symbol", {"query": ""})) < 3:
            time.sleep(0.05)  # it was looked a moment ago
        expected = "b e/b.ptx 0:7-8", "c f/c.ptx 0:7-8", "changed a.ptx 0:7-14"
        check_symbols(client, tmp_path, "", *expected)


def test_a_file_that_the_editor_writes(tmp_path: Path) -> None:
    with Client() as client:
        enter(client, tmp_path, capabilities=WATCHING)
        document = opened(tmp_path, "a", ".entry a() { ret; }\n")
        client.open(**document)
        (tmp_path / "a.ptx").write_text(document["text"], "utf-8", newline="")
        identifier = {"textDocument": {"uri": document["uri"]}}
        client.notify("textDocument/didSave", identifier)
        client.change(1, edit((3, 7), (3, 8), "unsaved"), uri=document["uri"])
        check_symbols(client, tmp_path, "", "unsaved a.ptx 0:7-14")
        client.notify("textDocument/didClose", identifier)
        check_symbols(client, tmp_path, "", "a a.ptx 0:7-8")


def test_what_is_defined_comes_first_open_or_not(tmp_path: Path) -> None:
    write(tmp_path, a=".extern .func scale;\n", b=".func scale() { ret; }\n")
    both = "scale b.ptx 0:6-11", "scale a.ptx 0:14-19"
    with Client() as client:
        enter(client, tmp_path)
        check_symbols(client, tmp_path, "scale", *both)
        client.open(**opened(tmp_path, "a", ".extern .func scale;\n"))
        check_symbols(client, tmp_path, "scale", *both)
        client.open(**opened(tmp_path, "b", ".func scale() { ret; }\n"))
        check_symbols(client, tmp_path, "scale", *both)


def test_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, a=".entry a() { ret; }\n")
    (tmp_path / "binary.ptx").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "wide.ptx").write_bytes(".version 8.0\n".encode("utf-16"))
    (tmp_path / "directory.ptx").mkdir()
    with (tmp_path / "huge.ptx").open("wb") as stream:
        os.truncate(stream.fileno(), 60_000_000)
    for path in tmp_path.glob("*.ptx"):
        os.utime(path, (1_000_000_000, 1_000_000_000))  # a file that is quite new is read again
    with Client() as client:
        enter(client, tmp_path)
        # Waits for all files. A search waits two seconds, and a large file needs another process.
        client.request("workspace/diagnostic", {"previousResultIds": []})
        check_symbols(client, tmp_path, "", "a a.ptx 0:7-8")
        assert client.leave() == 0
        assert client.process.stderr is not None
        log = client.process.stderr.read().decode()
        lines = [line for line in log.splitlines() if "skipped" in line]
        assert len(lines) == 3
        for name in ("binary", "wide", "huge"):
            assert sum(f"{name}.ptx is skipped" in line for line in lines) == 1


def test_progress_of_many_files(tmp_path: Path) -> None:
    write(tmp_path, **{f"m{n:03}": f".entry k{n}() {{ ret; }}\n" for n in range(100)})
    with Client() as client:
        enter(client, tmp_path, capabilities={"window": {"workDoneProgress": True}})
        client.server_request("window/workDoneProgress/create")
        value = client.notification("$/progress")["value"]
        assert (value["kind"], value["cancellable"]) == ("begin", True)
        client.notify("window/workDoneProgress/cancel", {"token": "no such work"})
        percentages = [0]
        while (value := client.notification("$/progress")["value"])["kind"] == "report":
            percentages.append(value["percentage"])
        assert value["kind"] == "end"
        assert percentages == sorted(set(percentages))
        assert percentages[-1] == 100
        assert len(client.request("workspace/symbol", {"query": "k"})) == 100


def test_a_small_folder_needs_no_progress(tmp_path: Path) -> None:
    write(tmp_path, a=".entry a() { ret; }\n")
    with Client() as client:
        enter(client, tmp_path, capabilities={"window": {"workDoneProgress": True}})
        check_symbols(client, tmp_path, "", "a a.ptx 0:7-8")
        assert client.asked == []
