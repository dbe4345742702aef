"""The functions of edited lines, checked before all else, against the check of the whole module."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.accuracy.bases import bases
from benchmarks.accuracy.run import CORPUS
from benchmarks.accuracy.sample import read
from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession
from ptx_ls.source import Diagnostic, Position
from tests.lint.test_session import N_LINES, SNIPPETS, TEXT, finish

HEADER = ".version 8.0\n.target sm_90a\n.address_size 64\n.global .u32 g;\n"
BODY = """\
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<9>;
	.reg .f32 %f<9>;
	mov.u32 %r1, %tid.x;
LOOP:
	.pragma "nounroll";
	add.s32 %r2, %r1, 1;
	{
		.reg .b32 t;
		mov.b32 t, %r2;
	}
	add.s32 %r3,
		%r2, 4;
	// ptx-ls: ignore[unknown-opcode]
	ad.s32 %r3, %r2, 4;
	wgmma.fence.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	bra LOOP;
}
"""


def check_at_once(
    text: str, change: tuple[Position, Position, str], first: int, last: int
) -> list[Diagnostic]:
    """Expects on lines right after an edit what the check of all says; returns that."""
    document = Document.read(text)
    session = LintSession(document)
    finish(session)
    document = edited(document, *change)
    session.document = document
    work = session.pending((first, last))
    assert work is None or work.run(lambda: False)
    found = session.within(first, last)
    assert session.pending((first, last)) is None
    finish(session)
    expected = session.within(first, last)
    assert found == expected
    return expected


def check_replaced(old: str, new: str, *rules: str) -> None:
    """Replaces text of the module, and expects the rules on its lines."""
    text = HEADER + BODY
    (match,) = re.finditer(re.escape(old), text)
    start, end = (_position(text, offset) for offset in match.span())
    last = start.line + new.count("\n")
    found = check_at_once(text, (start, end, new), start.line, last)
    assert tuple(one.rule for one in found) == rules


def _position(text: str, offset: int) -> Position:
    return Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ("add.s32 %r2, %r1", "ad.s32 %r2, %r1", ["unknown-opcode"]),
        ("add.s32 %r2, %r1", "add.s3 %r2, %r1", ["unknown-modifier"]),
        ("%r2, %r1, 1;", "%r2, %r19, 1;", ["undeclared-register"]),
        ("%r2, %r1, 1;", "%r2, %f1, 1;", ["operand-type"]),
        ("%r2, %r1, 1;", "%r2, %r1, 1", ["syntax-error"]),
        ("%r2, %r1, 1;", "%r2, %r1, 2;", []),
        ("mov.b32 t, %r2;", "mov.b32 u, %r2;", ["undeclared-symbol"]),
        ("\t\t%r2, 4;", "\t\t%f2, 4;", ["operand-type"]),
        ("ad.s32 %r3, %r2, 4;", "ad.s32 %r3, %r2, 5;", []),  # as the comment before says
        ("wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned.x;", ["unknown-modifier"]),
        ("bra LOOP;", "bra LOP;", ["undeclared-label"]),
        ('.pragma "nounroll";', '.pragma "nounroll"1;', ["syntax-error"]),
        ("\tadd.s32 %r2, %r1", "\n\n\tad.s32 %r2, %r1", ["unknown-opcode"]),
        (".reg .b32 t;", ".reg .b3 t;", ["syntax-error"]),
    ],
)
def test_a_mistake_is_found_at_once(old: str, new: str, rules: list[str]) -> None:
    check_replaced(old, new, *rules)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (".version 8.0", ".version 7.0"),
        (".visible .entry k", ".visible .entry h"),
        (".global .u32 g;", ".global .u32 h;"),
        (".param .u64 p", ".param .u32 p"),
        ("bra LOOP;\n}", "bra LOOP;\n}\n.func f() { ret; }"),
    ],
)
def test_what_changes_the_module(old: str, new: str) -> None:
    text = HEADER + BODY
    start = text.index(old)
    change = _position(text, start), _position(text, start + len(old)), new
    check_at_once(text, change, 8, 8)


def test_only_the_functions_of_the_lines_are_checked() -> None:
    document = Document.read(HEADER + BODY + ".func f() { ad; }\n.func g() { ad; }\n")
    session = LintSession(document)
    work = session.pending((document.n_lines - 2, document.n_lines - 2))
    assert work is not None
    assert work.run(lambda: False)
    assert {one.range.start.line for one in session.diagnostics()} == {document.n_lines - 2}


def test_what_other_lines_say_is_not_taken_as_missing() -> None:
    """`wgmma.wait_group` is far from the instruction that it waits for."""
    zeros = ", ".join(["%f1"] * 4)
    product = (
        f"\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{{zeros}}}, d, d, 1, 1, 1, 0, 0;"
    )
    body = BODY.replace(
        "LOOP:", f".reg .b64 d;\n{product}\n" + "\tmov.b32 %r5, 1;\n" * 30 + "LOOP:"
    )
    line = (HEADER + body).partition("wgmma.mma")[0].count("\n")
    column = len(product)
    change = Position(line, column), Position(line, column), " "
    assert check_at_once(HEADER + body, change, line, line) == []


PLACES = st.tuples(st.integers(0, N_LINES), st.integers(0, 25))


@given(PLACES, st.lists(st.sampled_from(SNIPPETS), max_size=3).map("".join), st.integers(0, 4))
def test_any_edit(place: tuple[int, int], new: str, n_lines: int) -> None:
    start = Position(*place)
    check_at_once(TEXT, (start, start, new), place[0], place[0] + n_lines)


@cache
def _sources() -> dict[str, str]:
    paths = [path for path in CORPUS.glob("*/*.ptx") if path.parent.name != "rejected"]
    return {it.name: it.text for it in bases(sorted(paths))}


@pytest.mark.slow
def test_mutants_of_real_modules_are_found_at_once() -> None:
    for it in list(read(CORPUS / "mutants.tsv"))[::4]:
        text = _sources()[it.base]
        start, end = (_position(text, it.offset + more) for more in (0, len(it.before)))
        last = start.line + it.after.count("\n")
        check_at_once(text, (start, end, it.after), start.line, last)
