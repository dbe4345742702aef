"""Texts that are checked one after another, as versions of a file: only what is new is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls import lint
from ptx_ls.cli.cache.functions import KnownFunctions
from ptx_ls.cli.cache.results import LintCache
from ptx_ls.cli.cache.store import Store
from ptx_ls.document.document import Document
from ptx_ls.document.unread import UnreadFunction
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.lint.work import RESULT
from ptx_ls.syntax.reader import Reader

CORPUS: Final = Path(__file__).parents[2] / "corpus"
HEADER: Final = ".version 8.5\n.target sm_90\n.address_size 64\n\n"
CALLED: Final = """\
.func (.reg .b32 %out) called(.reg .b32 %in)
{
    add.s32 %out, %in, 1;
    ret;
}
"""
KERNEL: Final = """\
.visible .entry NAME()
{
    .reg .b32 %r<3>;
    call (%r1), called, (%r2);
    ret;
}
"""
ONE, TWO, THREE = (KERNEL.replace("NAME", name) for name in ("one", "two", "three"))
ALL_ON: Final = DEFAULT_RULES
WRONG: Final = ONE.replace("ret;", "ad.s32 %r1, %r2, %r9;\n    ret;")


class MemoryStore(Store):
    """Entries in memory."""

    def __init__(self) -> None:
        super().__init__("")
        self._entries_by_key: dict[bytes, bytes] = {}

    def get(self, key: bytes) -> bytes | None:
        """Returns the entry of a key."""
        return self._entries_by_key.get(key)

    def put(self, key: bytes, content: bytes) -> None:
        """Replaces the entry of a key."""
        self._entries_by_key[key] = content


def check_versions(*texts: str, cache: LintCache | None = None) -> list[str]:
    """Lints versions of a file one after another, each as if nothing were known of it.

    Returns the first lines of the functions of the last one that had to be checked.
    """
    cache = cache or LintCache(MemoryStore(), b"")
    checked: list[str] = []
    for text in texts:
        known = KnownFunctions(cache, "a.ptx", ALL_ON)
        document = known.read(text, Reader())
        known.restore(document)
        checked = [
            function.text.partition("\n")[0]
            for function in document.leaves()
            if RESULT.last(function) is None and function.text
        ]
        found = lint.lint(document, ALL_ON)
        known.keep(document)
        fresh = Document.read(text, Reader())
        assert found == lint.lint(fresh)
        assert document.text == text
        assert [each.text for each in document.leaves()] == [each.text for each in fresh.leaves()]
        assert [*document.lines] == [*fresh.lines]
    return checked


def test_nothing_is_checked_again() -> None:
    assert check_versions(HEADER + CALLED + ONE + TWO, HEADER + CALLED + ONE + TWO) == []


def test_unchanged_function_is_not_even_read() -> None:
    cache = LintCache(MemoryStore(), b"")
    text = HEADER + CALLED + ONE
    check_versions(text, cache=cache)
    document = KnownFunctions(cache, "a.ptx", ALL_ON).read(text, Reader())
    assert all(isinstance(each, UnreadFunction) for each in document.leaves())


def test_edited_function_is_checked_alone() -> None:
    edited = TWO.replace("ret;", "bar.sync 0;\n    ret;")
    assert check_versions(
        HEADER + CALLED + ONE + TWO + THREE, HEADER + CALLED + ONE + edited + THREE
    ) == [".visible .entry two()"]


def test_diagnostics_move_with_their_function() -> None:
    longer = CALLED.replace("add", "\n\n    add")
    assert check_versions(HEADER + CALLED + WRONG, HEADER + longer + WRONG) == [
        CALLED.partition("\n")[0]
    ]


@pytest.mark.parametrize(
    "changed",
    [
        HEADER.replace("8.5", "6.0") + CALLED + ONE,
        HEADER.replace("sm_90", "sm_50") + CALLED + ONE,
        HEADER + CALLED.replace("called", "renamed") + ONE,
        HEADER + CALLED.replace(".b32 %in", ".b64 %in") + ONE,
        HEADER + ONE,
        HEADER + ONE + CALLED,  # it is now declared after its use
        HEADER + ONE + CALLED.replace("1", "2"),
        HEADER + CALLED + ".visible .entry other() { ret; }\n" + ONE,
    ],
)
def test_change_that_other_functions_see(changed: str) -> None:
    assert ".visible .entry one()" in check_versions(HEADER + CALLED + ONE, changed)


def test_comment_that_is_not_closed_swallows_the_rest() -> None:
    text = HEADER + CALLED + ONE + TWO
    check_versions(text, text.replace("bar", "").replace("ret;", "ret; /*", 1), text)


def test_body_that_is_not_closed_contains_the_next_function() -> None:
    text = HEADER + CALLED + ONE + TWO
    check_versions(text, text.replace("}\n.visible", ".visible", 1), text)


@pytest.mark.parametrize("further", ["ret;\n", "}\n", "// end", "*/\n", ";", "\n", "\x0c", '"'])
def test_text_after_the_last_function_belongs_to_it(further: str) -> None:
    text = HEADER + CALLED + ONE
    check_versions(text, text + further, text, text + further + TWO)


@pytest.mark.parametrize("further", ["", "ret", ".visible", "add.s32 %r1, %r2", '"', "/*", "//"])
def test_head_that_follows_an_open_statement(further: str) -> None:
    check_versions(HEADER + CALLED + ONE + TWO, HEADER + CALLED + ONE + further + "\n" + TWO)
    check_versions(HEADER + CALLED + further + "\n" + TWO, HEADER + CALLED + further + "\n" + ONE)


def test_the_same_function_twice() -> None:
    check_versions(HEADER + CALLED + ONE + ONE, HEADER + CALLED + ONE + TWO + ONE, HEADER + ONE)


def test_damaged_entries_count_as_missing() -> None:
    store = MemoryStore()
    cache = LintCache(store, b"")
    text = HEADER + CALLED + ONE
    check_versions(text, cache=cache)
    key = cache.key("functions", str(Path("a.ptx").absolute()), ALL_ON.identity)
    lines = cache.get(key)
    assert len(lines) == 4
    for number, line in enumerate(lines):
        for changed in ("", "[]", "1", line[:-1], line.replace("[", "[[", 1), line[::-1]):
            cache.put(key, [*lines[:number], changed, *lines[number + 1 :]])
            check_versions(text, cache=cache)


PIECES: Final = (
    *(CALLED, ONE, TWO, THREE, WRONG, HEADER),
    *("\n", "{", "}", ";", '"', "/*", "*/", "//", "\r", "\x0b", "é", "\udcff"),
    *(".entry", ".func", ".section .debug_info {\n", ".target sm_50\n", ".global .b32 x;\n"),
    *("ret", "call called;", ".reg .b32 %r<4>;\n", "// ptx-ls: ignore\n", "#line 1\n"),
)
TEXTS: Final = [
    HEADER + CALLED + ONE + TWO + WRONG.replace("one", "four"),
    *(
        path.read_text("utf-8")
        for path in sorted(CORPUS.rglob("*.ptx"))
        if 2_000 < path.stat().st_size < 12_000
    ),
]


@st.composite
def versions(draw: st.DrawFn) -> list[str]:
    """Draws versions of a text, each of which differs from the one before in some places."""
    text = draw(st.sampled_from(TEXTS)) + draw(st.sampled_from(("", CALLED + ONE, TWO)))
    found = [text]
    for _ in range(draw(st.integers(1, 4))):
        for _ in range(draw(st.integers(1, 2))):
            start = draw(st.integers(0, len(text)))
            stop = start + draw(st.sampled_from((0, 0, 1, 3, 40, 400)))
            text = text[:start] + draw(st.sampled_from(PIECES)) + text[stop:]
        found.append(text)
    return found


@given(versions())
@settings(max_examples=15)
def test_random_edits(texts: list[str]) -> None:
    check_versions(*texts)


@pytest.mark.slow
@given(versions())
@settings(max_examples=200)
def test_many_random_edits(texts: list[str]) -> None:
    check_versions(*texts)
