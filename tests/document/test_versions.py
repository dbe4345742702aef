"""A version of a chunk is the same object while edits leave what it is about as it is."""

from __future__ import annotations

from ptx_ls.document.chunk import Chunk
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.document.versions import Version, Versions
from ptx_ls.source import Position

TEXT = "add.s32 %r1, %r2, 3;\nret;\n"


def check_version(*texts: str) -> list[bool]:
    """Edits the first letters of a chunk; returns after which edits its version is the same."""
    version = Version[Chunk]("length", lambda one, other: len(one.text) == len(other.text))
    document = Document.read(TEXT)
    old, same = document.leaf(0).leaf(0), []
    for text in texts:
        before = version(old)
        document = edited(document, Position(0, 0), Position(0, 3), text)
        new = document.leaf(0).leaf(0)
        same.append(version(new) is before)
        assert version(new) is version(new)
        assert version(old) is before
        old = new
    return same


def test_it_is_kept_while_nothing_changes() -> None:
    assert check_version("sub", "mul") == [True, True]


def test_a_change_ends_it_for_good() -> None:
    assert check_version("mulx", "add") == [False, True]
    assert check_version("sub", "mulx", "xor") == [True, False, True]


def test_a_chunk_without_a_version_begins_a_new_one() -> None:
    version = Version[Chunk]("anything", lambda _one, _other: True)
    document = Document.read(TEXT)
    first = version(document.leaf(0).leaf(0))
    document = edited(document, Position(0, 0), Position(0, 3), "sub")  # of which none asks
    document = edited(document, Position(0, 0), Position(0, 3), "mul")
    assert version(document.leaf(0).leaf(0)) is not first


def test_versions_are_equal_if_their_parts_are_the_same() -> None:
    one, other = object(), object()
    assert Versions((one,)) == Versions((one,))
    assert Versions((one,)) != Versions((other,))
    assert Versions((one,)) != (one,)
