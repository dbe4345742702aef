"""Document links on the wire, and where their files are looked for."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

from tests.server.client import Client, Message

pytestmark = pytest.mark.slow

TEXT = '.version 8.0\n.target sm_80\n/*😀*/ .file 1 "NAME"\n.loc 1 7 3\n'


def check_target(
    folder: Path, *names: str, expected: Path | None, workspace: Path | None = None
) -> None:
    """Checks which file documents in `folder` are linked to by some names."""
    with Client() as client:
        client.initialize(rootUri=workspace.as_uri() if workspace else None)
        for number, name in enumerate(names):
            uri = (folder / f"{number}.ptx").as_uri()
            client.open(TEXT.replace("NAME", name), uri)
            file, place = client.request(
                "textDocument/documentLink", {"textDocument": {"uri": uri}}
            )
            assert file["range"]["start"] == {"line": 2, "character": 16}
            assert "target" not in file
            found = [client.request("documentLink/resolve", link) for link in (file, place)]
            if expected is None:
                assert [link.get("target") for link in found] == [None, None]
                assert "not found" in found[0]["tooltip"]
            else:
                uri = expected.resolve().as_uri()
                assert [link["target"] for link in found] == [uri, f"{uri}#L7,3"]


def written(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("// source\n", encoding="utf-8")
    return path


def test_beside_the_document(tmp_path: Path) -> None:
    source = written(tmp_path / "out" / "a.cu")
    names = ["a.cu", "./a.cu", "../out/a.cu", str(source), "src/a.cu", "/nowhere/else/a.cu"]
    check_target(tmp_path / "out", *names, expected=source)


def test_below_the_document_and_in_no_workspace(tmp_path: Path) -> None:
    source = written(tmp_path / "out" / "src" / "a.cu")
    check_target(tmp_path / "out", "src/a.cu", expected=None)
    check_target(tmp_path / "out", "src/a.cu", expected=source, workspace=tmp_path / "out")


def test_in_the_workspace(tmp_path: Path) -> None:
    source = written(tmp_path / "src" / "a.cu")
    check_target(tmp_path / "out", "src/a.cu", expected=source, workspace=tmp_path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    check_target(tmp_path, "missing.cu", "", "a" * 5000, "src", expected=None)


def test_a_document_that_is_not_open() -> None:
    with Client() as client:
        client.initialize()
        document = {"textDocument": {"uri": "file:///gone.ptx"}}
        assert client.request("textDocument/documentLink", document) is None


# Files that a name must not reach

SECRET = "the secret"
PLAIN: Final = '.version 8.0\n.target sm_80\n.file 1 "NAME"\n.loc 1 1 1\n'


def check_hidden(folder: Path, *names: str, workspace: Path | None = None, **more: object) -> None:
    """Checks that no feature reads the files of those names, or leads there."""
    found = reached(folder, names, workspace, more)
    assert found == {name: set() for name in names}


def check_reached(folder: Path, *names: str, workspace: Path | None = None, **more: object) -> None:
    """Checks that each feature does."""
    found = reached(folder, names, workspace, more)
    assert found == {name: {"link", "definition", "hover", "command"} for name in names}


def reached(
    folder: Path, names: Iterable[str], workspace: Path | None, options: Message
) -> dict[str, set[str]]:
    """The features that lead to a file that a document in `folder` names, or show its text."""
    root = workspace.as_uri() if workspace is not None else None
    with Client() as client:
        client.initialize(rootUri=root, initializationOptions=options)
        return {
            name: of_name(client, (folder / f"{number}.ptx").as_uri(), name)
            for number, name in enumerate(names)
        }


def of_name(client: Client, uri: str, name: str) -> set[str]:
    """The features that lead to a file of some name, or show its text."""
    found = set()
    document = {"textDocument": {"uri": uri}}
    place = {**document, "position": {"line": 3, "character": 1}}
    client.open(PLAIN.replace("NAME", name), uri)
    links = client.request("textDocument/documentLink", document)
    if any(client.request("documentLink/resolve", it).get("target") for it in links):
        found.add("link")
    if any(it["uri"] != uri for it in client.request("textDocument/definition", place)):
        found.add("definition")
    if SECRET in client.request("textDocument/hover", place)["contents"]["value"]:
        found.add("hover")
    command = {"command": "ptx.openSource", "arguments": [uri, 3]}
    if "error" not in client.response(client.start_request("workspace/executeCommand", command)):
        found.add("command")
    return found


def secret(path: Path) -> Path:
    """A new file with a secret in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"// {SECRET}\n", encoding="utf-8")
    return path


def test_files_of_the_system(tmp_path: Path) -> None:
    names = ["/etc/passwd", "/proc/self/environ", "/dev/null", "../../../../../etc/passwd"]
    check_hidden(tmp_path, *names, workspace=tmp_path)


def test_other_machines(tmp_path: Path) -> None:
    names = ["//host/share/a.cu", r"\\host\share\a.cu", "file://host/share/a.cu"]
    check_hidden(tmp_path, *names, workspace=tmp_path)


def test_files_beside_the_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "p"
    outside = secret(tmp_path / "p-other" / "a.cu")
    workspace.mkdir()
    names = ["../p-other/a.cu", str(outside), "x/../../p-other/a.cu"]
    check_hidden(workspace, *names, workspace=workspace)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_out_of_the_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "p"
    outside = secret(tmp_path / "other" / "b.cu")
    workspace.mkdir()
    (workspace / "a.cu").symlink_to(outside)
    (workspace / "d").symlink_to(outside.parent)
    names = ["a.cu", "d/b.cu", str(workspace / "d" / "b.cu")]
    check_hidden(workspace, *names, workspace=workspace)
    check_hidden(workspace, *names)


def test_a_folder_that_the_user_allows(tmp_path: Path) -> None:
    outside = secret(tmp_path / "toolkit" / "a.cu")
    (tmp_path / "p").mkdir()
    check_hidden(tmp_path / "p", str(outside))
    sources = {"allowedFolders": [str(outside.parent)]}
    check_reached(tmp_path / "p", str(outside), sources=sources)


def test_a_folder_that_only_a_folder_of_the_workspace_allows(tmp_path: Path) -> None:
    outside = secret(tmp_path / "toolkit" / "a.cu")
    allowed = {"sources": {"allowedFolders": [str(outside.parent)]}}

    def answer(params: Message) -> list[Any]:
        return [allowed if "scopeUri" in item else {} for item in params["items"]]

    workspace = tmp_path / "p"
    workspace.mkdir()
    uri = (workspace / "k.ptx").as_uri()
    with Client(answers={"workspace/configuration": answer}) as client:
        client.initialize({"workspace": {"configuration": True}}, rootUri=workspace.as_uri())
        client.server_request("workspace/configuration")
        client.open(TEXT.replace("NAME", str(outside)), uri)
        (link, _) = client.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
        assert "target" not in client.request("documentLink/resolve", link)


def test_a_workspace_that_is_not_trusted(tmp_path: Path) -> None:
    source = secret(tmp_path / "a.cu")
    check_reached(tmp_path, "a.cu", workspace=tmp_path, restricted=False)
    check_hidden(tmp_path, "a.cu", workspace=tmp_path, restricted=True)
    sources = {"allowedFolders": [str(source.parent)]}
    check_hidden(tmp_path, "a.cu", workspace=tmp_path, restricted=True, sources=sources)


def test_a_link_of_a_document_that_is_not_open(tmp_path: Path) -> None:
    secret(tmp_path / "a.cu")
    data = {"uri": (tmp_path / "k.ptx").as_uri(), "name": "a.cu", "line": 1, "column": 1}
    area = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
    with Client() as client:
        client.initialize(rootUri=tmp_path.as_uri())
        link = client.request("documentLink/resolve", {"range": area, "data": data})
        assert "target" not in link


def test_a_workspace_whose_uri_is_escaped(tmp_path: Path) -> None:
    workspace = tmp_path / "a b%2e#é"
    secret(workspace / "src" / "a.cu")
    check_reached(workspace, "src/a.cu", workspace=workspace)
