"""No text makes a comparison raise, and a text is always the same as itself."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.comparison.canonical import canonical_text
from ptx_ls.comparison.comparison import compare
from ptx_ls.document.document import Document

CORPUS = Path(__file__).parents[1] / "corpus"
PATHS = sorted([*CORPUS.glob("*/*.ptx")])
TEXTS = [
    path.read_bytes().decode("utf-8", "replace")
    for path in PATHS
    if path.parent.name in ("handwritten", "rejected")
]
TOKENS = [
    *".version 8.5|.target sm_90|.entry k(|.func|.reg .b32 %r<5>;|.param|.shared .b8 x[4];".split(
        "|"
    ),
    *'{ } ( ) [ ] < > , ; : @ ! | . + - % " // /* */ = _ 1 0f3F800000 0x'.split(),
    *"%r1 %r<5> %tid.x %p k L L: ret; add.u32 ld.param.u64 bra call mov. setp.eq é 😀".split(),
    *("\n", "\r", "\r\n", "\t", "\0", ".entry k() {", "add.s32 %r1, %r1, 1;", "bra L;", "\n}\n"),
]
texts = st.one_of(
    st.lists(st.sampled_from(TOKENS), max_size=40).map(" ".join),
    st.lists(st.sampled_from(TOKENS), max_size=40).map("".join),
)


def check_texts(old: str, new: str) -> None:
    """Compares two texts with each other and with themselves."""
    one, two = Document.read(old), Document.read(new)
    assert compare(one, Document.read(old)).is_same
    found, back = compare(one, two), compare(two, one)
    assert found.is_same == back.is_same
    if found.is_same:
        assert sorted(canonical_text(one).split()) == sorted(canonical_text(two).split())


@given(texts, texts)
def test_any_tokens(old: str, new: str) -> None:
    check_texts(old, new)


@settings(max_examples=30)
@given(st.sampled_from(TEXTS), st.integers(0, 10_000), st.sampled_from(TOKENS))
def test_any_insertion(text: str, at: int, token: str) -> None:
    place = at % (len(text) + 1)
    check_texts(text, text[:place] + token + text[place:])


@pytest.mark.slow
def test_any_two_files() -> None:
    for old, new in pairwise(TEXTS):
        check_texts(old, new)


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_canonical_text_is_its_own_and_means_the_same(path: Path) -> None:
    document = Document.read(path.read_bytes().decode("utf-8", "replace"))
    canonical = Document.read(canonical_text(document))
    assert canonical_text(canonical) == canonical.text
    found = compare(document, canonical)
    assert [*found.facts, *found.differing] == []
