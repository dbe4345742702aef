"""Folding ranges: each from the line that ends in `«kind` to the one with `kind»`."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.structure.folding import Fold, FoldKind, folds
from ptx_ls.source import Position

CORPUS = Path(__file__).parents[2] / "corpus"
TEXTS = [
    path.read_bytes().decode("utf-8", "replace")
    for path in sorted([*CORPUS.glob("handwritten/*.ptx"), *CORPUS.glob("rejected/*.ptx")])
]
MARK = re.compile(r"«(\w+)|(\w+)»")


def check_folds(marked: str) -> list[Fold]:
    """Checks the ranges of a text, and returns them."""
    expected: list[tuple[int, int, str]] = []
    opened: list[tuple[str, int]] = []
    lines = dedent(marked.removeprefix("\n")).splitlines(keepends=True)
    for number, line in enumerate(lines):
        for first, last in MARK.findall(line):
            if first:
                opened.append((first, number))
            else:
                index = max(i for i, (kind, _) in enumerate(opened) if kind == last)
                expected.append((opened.pop(index)[1], number, last))
    document = Document.read(MARK.sub("", "".join(lines)))
    found = folds(document)
    shown = [(fold.first, fold.last, fold.kind.name.lower()) for fold in found]
    assert sorted(shown) == sorted(expected)
    return found


def test_what_is_folded_is_told_in_one_line() -> None:
    found = check_folds("""
        .func  (.param .b32 r) f «parameters
        (
            .param .b32 x
        ) parameters»
        { «body
            ret;
        } body»
        \t.section\t.debug_str
        { «section
            .b8 0
        } section»
    """)
    texts = [".func (.param .b32 r) f(...)", "{...}", ".section .debug_str...}"]
    assert [fold.text for fold in found] == texts


def test_bodies_and_scopes() -> None:
    found = check_folds("""
        .version 8.0
        .entry k() { «body
            ret;
            { «scope
                exit;
            } scope»
            { exit; }
        } body»
        .func f()
        { «body
        } body»
    """)
    assert [fold.keeps_last for fold in found] == [True] * 3


def test_parameters() -> None:
    found = check_folds("""
        .entry k( «parameters
            .param .u32 a,
            .param .u32 b
        ) parameters»
        .maxntid 32
        { «body
        } body»
        .extern .func f( «parameters
            .param .u32 a
        ); parameters»
    """)
    assert found[0].text == ".entry k(...)"


def test_inline_assembly() -> None:
    found = check_folds("""
        .entry k() { «body
            // begin inline asm «assembly
            { «scope
                add.u32 %r1, %r1, 1;
            } scope»
            // end inline asm assembly»
            // begin inline asm «assembly
            cp.async.commit_group;
            // end inline asm assembly»
            // end inline asm
            // one «comment
            // two comment»
            // begin inline asm
            ret;
        } body»
    """)
    assert found[1].text == "// begin inline asm ... (3 lines)"


def test_runs_of_locations() -> None:
    found = check_folds("""
        .entry k() { «body
            .loc 1 2 3 «locations
            .loc 1 2 4
            .loc 1 2 5 locations»
            ret;
            .loc 1 3 1
            ret;
        } body»
    """)
    assert found[1].text == ".loc 1 2 3 ... (3 lines)"


def test_loops() -> None:
    found = check_folds("""
        .entry k() { «body
        .reg .pred %p<2>;
        outer: «loop
            ret;
        inner: «loop
            @%p1 bra inner; loop»
            @%p1 bra.uni done;
            @%p1 bra outer;
            bra outer; loop»
        done:
            ret;
        } body»
    """)
    assert found[1].text == "outer: ..."


def test_loops_of_scopes_with_the_same_labels() -> None:
    check_folds("""
        .entry k() { «body
        outer: «loop
            { «scope
            wait: «loop
                @%p1 bra done;
                bra wait; loop»
            done:
            } scope»
            { wait: @%p1 bra done; bra wait; done: }
            { «scope
            wait: «loop
                @%p1 bra done;
                bra wait; loop»
            done:
                @%p2 bra outer; loop»
            } scope»
        } body»
    """)


def test_comments_and_declarations() -> None:
    check_folds("""
        // one «comment
        // two
        // three comment»
        /* four «comment
           five */ comment»
        .target sm_80
        // six «comment
        // seven comment»
        .entry k() { «body
            // alone
            .reg .pred %p<2>; «declarations
            .reg .b32 %r<2>;

            .reg .b64 %rd<2>; declarations»
            .shared .b32 tile;
            .reg .b32 single;
            ret; /* six «comment
            seven */ comment»
        } body»
    """)


def test_initialisers_and_sections() -> None:
    check_folds("""
        .global .u32 table[4] = { «initialiser
            1, 2,
            3, 4
        }; initialiser»
        .section .debug_str { «section
        L:
        .b8 0
        .b8 1
        } section»
    """)


def test_functions_that_share_a_line() -> None:
    check_folds("""
        .func f() { «body
            ret;
        } .func g() { body» «body
            ret;
        } body»
    """)


def test_a_brace_is_missing() -> None:
    check_folds("""
        .func f() { «body
            ret; body»

        // of g
        .func g() { «body
            { «scope
            } scope»
        } body»
    """)


def test_the_last_body_is_not_closed() -> None:
    check_folds("""
        .func f() { «body
            ret;
            call (a, b body»

    """)


@settings(max_examples=60)
@given(
    st.sampled_from(TEXTS),
    st.integers(0, 10**6),
    st.integers(0, 60),
    st.sampled_from([*"{}();:", "/*", "*/", "\n", "L:\n", ".func f() {\n"]),
)
def test_any_edit(text: str, start: int, line: int, typed: str) -> None:
    start %= len(text)
    document = Document.read(text[:200] + text[start : start + 2000])
    folds(document)
    document = edited(document, Position(line, 3), Position(line, 4), typed)
    found = folds(document)
    assert found == folds(Document.read(document.text))
    for fold in found:
        assert 0 <= fold.first < fold.last < len(document.lines)
        assert isinstance(fold.kind, FoldKind)
