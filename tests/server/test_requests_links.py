"""Document links on the wire, and where their files are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.client import Client

TEXT = '.version 8.0\n.target sm_80\n/*😀*/ .file 1 "NAME"\n.loc 1 7 3\n'


def check_target(
    folder: Path, name: str, expected: Path | None, *, workspace: Path | None = None
) -> None:
    """Checks which file a document in `folder` is linked to by a name."""
    uri = (folder / "k.ptx").as_uri()
    root = workspace.as_uri() if workspace else None
    document = {"textDocument": {"uri": uri}}
    with Client() as client:
        client.initialize(rootUri=root)
        client.open(TEXT.replace("NAME", name), uri)
        file, place = client.request("textDocument/documentLink", document)
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
    source = written(tmp_path / "out" / "src" / "a.cu")
    check_target(tmp_path / "out", "src/a.cu", source)
    check_target(tmp_path / "out", str(source), source)


def test_in_the_workspace(tmp_path: Path) -> None:
    source = written(tmp_path / "src" / "a.cu")
    check_target(tmp_path / "out", "src/a.cu", source, workspace=tmp_path)


def test_a_path_of_another_machine(tmp_path: Path) -> None:
    source = written(tmp_path / "a.cu")
    check_target(tmp_path, "/nowhere/else/a.cu", source)


@pytest.mark.parametrize("name", ["missing.cu", "", "a" * 5000, "src"])
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "src").mkdir()
    check_target(tmp_path, name, None)


def test_a_document_that_is_not_open() -> None:
    with Client() as client:
        client.initialize()
        document = {"textDocument": {"uri": "file:///gone.ptx"}}
        assert client.request("textDocument/documentLink", document) is None
