"""Entries in files: what was put, or nothing."""

import os
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli.cache.digest import N_BYTES
from ptx_ls.cli.cache.store import Store

KEY, OTHER = b"\x01" * 32, b"\x02" * 32


def check_entry(folder: Path, expected: bytes | None, key: bytes = KEY) -> None:
    assert Store(str(folder)).get(key) == expected


def put(
    folder: Path, content: bytes = b"content", key: bytes = KEY, max_bytes: int = 10**9
) -> Path:
    """Writes an entry, and returns its file."""
    Store(str(folder), max_bytes).put(key, content)
    name = key.hex()
    return folder / name[:2] / name[2:]


def test_entry_is_found_by_its_key(tmp_path: Path) -> None:
    put(tmp_path)
    check_entry(tmp_path, b"content")
    check_entry(tmp_path, None, OTHER)


def test_entry_is_replaced(tmp_path: Path) -> None:
    put(tmp_path)
    put(tmp_path, b"")
    check_entry(tmp_path, b"")


def test_entry_of_another_key_is_not_used(tmp_path: Path) -> None:
    path = put(tmp_path)
    path.rename(put(tmp_path, key=OTHER))
    check_entry(tmp_path, None, OTHER)


@pytest.mark.parametrize("at", range(N_BYTES + len(b"content")))
def test_damaged_byte_is_noticed(tmp_path: Path, at: int) -> None:
    path = put(tmp_path)
    damaged = bytearray(path.read_bytes())
    damaged[at] ^= 1
    path.write_bytes(damaged)
    check_entry(tmp_path, None)


@pytest.mark.parametrize("length", range(N_BYTES + len(b"content")))
def test_half_an_entry_is_noticed(tmp_path: Path, length: int) -> None:
    path = put(tmp_path)
    path.write_bytes(path.read_bytes()[:length])
    check_entry(tmp_path, None)


def test_entry_that_is_a_folder_counts_as_missing(tmp_path: Path) -> None:
    path = put(tmp_path)
    path.unlink()
    path.mkdir()
    check_entry(tmp_path, None)
    with pytest.raises(OSError, match="directory"):
        put(tmp_path)
    assert [*path.parent.iterdir()] == [path]  # nothing is left of the attempt


def test_only_the_user_can_read_entries(tmp_path: Path) -> None:
    path = put(tmp_path)
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0
        assert path.parent.stat().st_mode & 0o077 == 0


def test_least_recently_used_entries_are_deleted(tmp_path: Path) -> None:
    block, keys = 4096, [bytes([number]) * 32 for number in range(40)]
    for number, key in enumerate(keys):
        path = put(tmp_path, b"x", key, 20 * block)
        os.utime(path, (number, number))
    store = Store(str(tmp_path))
    left = [number for number, key in enumerate(keys) if store.get(key) is not None]
    assert left == list(range(40 - len(left), 40))
    assert 15 <= len(left) <= 22  # one sixteenth more than the maximum, and a block


def test_use_of_an_entry_is_noted(tmp_path: Path) -> None:
    path = put(tmp_path)
    os.utime(path, (1, 1))
    check_entry(tmp_path, b"content")
    assert path.stat().st_mtime > time.time() - 3600


def test_leftovers_of_killed_processes_are_deleted(tmp_path: Path) -> None:
    folder = put(tmp_path).parent
    old, new = folder / "old.1-2.new", folder / "new.1-2.new"
    for path in (old, new):
        path.touch()
    os.utime(old, (1, 1))
    Store(str(tmp_path)).clear()
    assert [*folder.iterdir()] == [new]  # it may be complete in a moment


def test_clear_deletes_all_entries(tmp_path: Path) -> None:
    put(tmp_path, key=OTHER)
    put(tmp_path)
    assert Store(str(tmp_path)).clear() == 2 * (N_BYTES + len(b"content"))
    check_entry(tmp_path, None)
    check_entry(tmp_path, None, OTHER)


def test_two_writers_and_a_reader(tmp_path: Path) -> None:
    contents = [bytes([letter]) * 100_000 for letter in b"ab"]
    put(tmp_path, contents[0])
    store, seen = Store(str(tmp_path)), []

    def write(content: bytes) -> None:
        for _ in range(30):
            store.put(KEY, content)

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for each in threads:
        each.start()
    while any(each.is_alive() for each in threads):
        seen.append(store.get(KEY))
    for each in threads:
        each.join()
    assert set(seen) <= set(contents)
    check_entry(tmp_path, store.get(KEY))


@given(st.binary())
def test_any_bytes_in_place_of_an_entry(content: bytes) -> None:
    import tempfile  # noqa: PLC0415  a folder for each example

    with tempfile.TemporaryDirectory() as folder:
        put(Path(folder)).write_bytes(content)
        check_entry(Path(folder), None)
