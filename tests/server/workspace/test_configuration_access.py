"""Which configuration files a server reads for a client, and which changes it notices."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.server.client_state.rights import Rights
from ptx_ls.server.workspace import configuration_access
from ptx_ls.server.workspace.configuration_access import ReadableFolders, WorkspaceAccess


def access(*folders: Path, rights: Rights | None = None) -> WorkspaceAccess:
    may_read = (rights or Rights()).may_read
    return WorkspaceAccess(ReadableFolders(tuple(map(str, folders)), (), may_read))


def check_readable(found: WorkspaceAccess, path: Path, *, expected: bool) -> None:
    """Checks whether a file is found and read."""
    assert found.has(str(path)) is expected
    if expected:
        assert found.read(str(path)) == path.read_bytes()
        return
    with pytest.raises((OSError, ConfigurationError)):
        found.read(str(path))


def test_folders_of_a_client_on_a_network(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "granted"):
        folder.mkdir(exist_ok=True)
        (folder / "ptx-ls.toml").write_text("")
    rights = Rights(reaches_out=False, folders=(str(tmp_path / "granted"),))
    found = access(tmp_path / "granted", rights=rights)
    check_readable(found, tmp_path / "granted/ptx-ls.toml", expected=True)
    check_readable(found, tmp_path / "ptx-ls.toml", expected=False)
    assert not found.has_entry(str(tmp_path / "ptx-ls.toml"))


def test_a_link_above_a_granted_folder_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "granted").mkdir()
    (tmp_path / "ptx-ls.toml").symlink_to(tmp_path / "missing")
    rights = Rights(folders=(str(tmp_path / "granted"),))
    assert not access(tmp_path / "granted", rights=rights).has(str(tmp_path / "ptx-ls.toml"))


def test_a_link_within_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "shared.toml").write_text("exclude = []\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/ptx-ls.toml").symlink_to(tmp_path / "shared.toml")
    check_readable(access(tmp_path), tmp_path / "inner/ptx-ls.toml", expected=True)


def test_nothing(tmp_path: Path) -> None:
    check_readable(access(tmp_path), tmp_path / "missing", expected=False)


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    found = access(tmp_path)
    assert found.has(str(tmp_path / "folder"))
    with pytest.raises(ConfigurationError, match=r": not a file$"):
        found.read(str(tmp_path / "folder"))


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX system")
@pytest.mark.parametrize("path", ["/dev/null", "/proc/self/environ", "//host/share/ptx-ls.toml"])
def test_devices_and_other_machines(path: str) -> None:
    found = access(Path("/"))
    assert not found.has(path)
    with pytest.raises(ConfigurationError, match="is not a file in the workspace"):
        found.read(path, "/ptx-ls.toml")


def _write(path: Path) -> None:
    path.write_text("indent = 2\n")


def _touch(path: Path) -> None:
    path.write_bytes(path.read_bytes())


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/elsewhere")


CHANGES: tuple[tuple[Callable[[Path], None], bool], ...] = (
    (_write, True),
    (Path.unlink, True),
    (_folder, True),
    (_link, True),
    (_touch, False),
)


@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_changes(change: Callable[[Path], None], expected: bool, tmp_path: Path) -> None:  # noqa: FBT001
    path = tmp_path / "ptx-ls.toml"
    path.write_text("indent = 4\n")
    found = access(tmp_path)
    found.read(str(path))
    found.has(str(tmp_path / "pyproject.toml"))
    assert not found.has_changed()
    change(path)
    assert found.has_changed() is expected


def test_a_new_file(tmp_path: Path) -> None:
    found = access(tmp_path)
    assert not found.has(str(tmp_path / "ptx-ls.toml"))
    assert not found.has_changed()
    _write(tmp_path / "ptx-ls.toml")
    assert found.has_changed()


def test_a_file_that_could_not_be_read_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _old(tmp_path / "ptx-ls.toml", "indent = 4\n")
    found = access(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(configuration_access, "open_regular", _denied)
        with pytest.raises(PermissionError):
            found.read(str(path))
        assert found.has_changed()
    assert found.has_changed()


def test_a_file_that_is_too_large_is_not_tried_again(tmp_path: Path) -> None:
    path = _old(tmp_path / "ptx-ls.toml", "#" * 1_000_001)
    found = access(tmp_path)
    with pytest.raises(ConfigurationError, match="larger than 1,000,000 bytes"):
        found.read(str(path))
    assert not found.has_changed()
    _write(path)
    assert found.has_changed()


def _old(path: Path, text: str) -> Path:
    """Writes a file that was changed long ago."""
    path.write_text(text)
    os.utime(path, (1, 1))
    return path


def _denied(_path: str) -> None:
    raise PermissionError
