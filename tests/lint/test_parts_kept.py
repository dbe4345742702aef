"""A long function is checked in parts, with the same result as one that has a single part."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession, lint
from ptx_ls.source import Position
from tests.support.chunks import cut_small

HEAD = """\
.version 8.5
.target sm_90
.address_size 64
.global .u32 counter;
.entry k(.param .u64 p)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	.reg .pred %p<3>;
"""
LINES = (
    "\tadd.s32 %r1, %r2, %r3;",
    "\tadd.s32 %r1, %r2, %r12;",
    "\tadd.s32 %r1, %x, 1;",
    "\tadd.u64 %rd1, x, 1;",
    "\tadd.s32 %r1, x, y;",
    "\t.reg .b32 x;",
    "\t.reg .b64 x, y;",
    "\t.reg .b32 %x;",
    "\t.reg .b32 %r<20>;",
    "L:",
    "M:",
    "x:",
    "\tbra L;",
    "\t@%p1 bra M;",
    "\tld.global.u32 %r1, [counter];",
    "\tld.param.u64 %rd1, [p];",
    "\t.loc 1 2 3",
    '\t.pragma "nounroll";',
    "\t{",
    "\t}",
    "\t{ .reg .b32 x; mov.b32 x, %r1; }",
    "\taddd.s32 %r1, %r2, %r3;",
    "\t.branchtargets L, M;",
    "\tbrx.idx %r1, L;",
    "\tcall (%r1), f, (%r2), L;",
    "\t.callprototype (.reg .b32 _) _ (.reg .b32 _);",
    "\tmov.u32 %r1, L;",
    "",
    "// comment",
    "\tadd.s32 %r1, %r2",
    "}",
    ".func f(.reg .b32 x) {",
    ".target sm_50",
    "\tbra.uni",
    "/*",
    "*/",
)
NAMES = (
    "\tadd.s32 %r1, %r2, %r3;",
    "\tadd.s32 %r1, x, 1;",
    "\tadd.s32 x1, %r2, x2;",
    "\t.reg .b32 x;",
    "\t.reg .b64 x;",
    "\t.reg .b32 x<5>;",
    "\t.reg .f32 %r;",
    "L:",
    "M:",
    "x:",
    "\tbra L;",
    "\t@%p1 bra M;",
    "\tmov.u64 %rd1, x;",
    "\t{ .reg .b32 x; mov.b32 x, %r1; }",
    "\t{",
    "\t}",
    "\t.branchtargets L, M;",
    "\tbrx.idx %r1, L;",
    "\tmov.b32 %r1, p;",
    "",
)
"""Lines that declare and use a few names, mostly without other mistakes."""


def bodies_of(lines: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Bodies with these lines."""
    return st.lists(st.sampled_from(lines), max_size=30)


def changes_of(lines: tuple[str, ...]) -> st.SearchStrategy[list[tuple[int, int, list[str]]]]:
    """Edits: the first line, the number of lines, and the lines that replace them."""
    new = st.lists(st.sampled_from(lines), max_size=2)
    return st.lists(st.tuples(st.integers(4, 40), st.integers(0, 2), new), max_size=6)


bodies, changes = bodies_of(LINES), changes_of(LINES)


def finish(session: LintSession) -> None:
    """Does all work that is due."""
    while (work := session.pending()) is not None:
        work.run(lambda: False)


def check_session(text: str, edits: list[tuple[int, int, list[str]]]) -> None:
    """Replaces lines; compares the diagnostics after each edit with those of whole functions."""
    versions = [text]
    found = []
    with pytest.MonkeyPatch.context() as patch:
        cut_small(patch)
        document = Document.read(text)
        document = edited(document, Position(8, 0), Position(9, 0), document.lines[8])  # cuts it
        session = LintSession(document)
        finish(session)
        found.append(session.diagnostics())
        for line, n_lines, new in edits:
            added = "".join(f"{each}\n" for each in new)
            document = edited(document, Position(line, 0), Position(line + n_lines, 0), added)
            session.document = document
            finish(session)
            versions.append(document.text)
            found.append(session.diagnostics())
    for one, diagnostics in zip(versions, found, strict=True):
        assert diagnostics == lint(Document.read(one)), one


@settings(max_examples=150, deadline=None)
@given(bodies, changes)
@example(["L:", "\t.branchtargets M;", "M:", "\tbrx.idx %r1, L;"], [(10, 0, ["\tret;"])])
@example(["\tbra L;", "L:", "L:"], [(11, 1, [])])
@example(["\tadd.s32 %r1, x, 1;", "\t.reg .b32 x;"], [(9, 0, ["\t.reg .b32 x;"])])
def test_parts_of_a_function_are_checked_like_all_of_it(
    body: list[str], edits: list[tuple[int, int, list[str]]]
) -> None:
    check_session(HEAD + "".join(f"{line}\n" for line in body) + "}\n", edits)


@settings(max_examples=150, deadline=None)
@given(bodies_of(NAMES), changes_of(NAMES))
@example(["\tbra L;", "\tret;", "L:"], [(11, 1, [])])
@example(["\tbra L;", "\tret;", "\tret;", "L:"], [(12, 1, ["M:"]), (12, 1, ["L:"])])
@example(["\t.reg .b32 x;", "\tret;", "\tadd.s32 x, x, 1;"], [(9, 1, ["\t.reg .b64 x;"])])
@example(["\t.reg .b32 x<5>;", "\tret;", "\tmov.b32 x1, 1;"], [(9, 1, ["\t.reg .b64 x<5>;"])])
@example(["L:", "", "\t.branchtargets L;", "\tret;", "\tbra L;"], [(11, 1, [])])
@example(["L:", "", "\t.branchtargets L;", "\tret;", "\tbrx.idx %r1, L;"], [(10, 0, ["\tret;"])])
@example(["\t{", "L:", "\t}", "\tret;", "\tret;", "\tbra L;"], [(11, 1, []), (9, 1, [])])
@example(["L:"], [(11, 0, ["\t.branchtargets L, M;"])])  # after the body
def test_a_name_that_means_something_else(
    body: list[str], edits: list[tuple[int, int, list[str]]]
) -> None:
    check_session(HEAD + "".join(f"{line}\n" for line in body) + "}\n", edits)


def check_list(use: str, directive: str, between: str, changed: str) -> None:
    """Changes a line between a label and a directive, which are in other parts than that line."""
    body = ["L:", *[""] * 4, between, *[""] * 3, directive, *["\tret;"] * 6, use]
    check_session(HEAD + "".join(f"{line}\n" for line in body) + "}\n", [(14, 1, [changed])])


def test_a_label_becomes_the_name_of_a_list() -> None:
    check_list("\tbra L;", "\t.branchtargets L;", "\tret;", "// nothing")


def test_the_name_of_a_list_becomes_a_label() -> None:
    prototype = "\t.callprototype (.reg .b32 _) _ (.reg .b32 _);"
    check_list("\tcall (%r1), %rd1, (%r2), L;", prototype, "// nothing", "\tret;")


@settings(max_examples=60, deadline=None)
@given(bodies, changes)
def test_lines_outside_of_a_body(body: list[str], edits: list[tuple[int, int, list[str]]]) -> None:
    text = HEAD.replace("{\n", "", 1) + "".join(f"{line}\n" for line in body) + "}\n"
    check_session(text, edits)
