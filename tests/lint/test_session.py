"""Linting again and again while a document is edited equals linting it at once."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.document.fact_checking import check_facts
from ptx_ls.lint import LintSession, lint
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.instructions.fast_path import FastPath
from ptx_ls.semantics.symbols.module_facts import interface
from ptx_ls.source import Position
from tests.support.chunks import cut_small

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 g;\n"
FUNCTION = """.entry k{0}(.param .u64 p{0})
{{
\t.reg .b32 %r<9>;
\tmov.u32 %r1, %tid.x;
L{0}:
\tadd.s32 %r2, %r1, g;
\tadd.s32 %r2, %r1, 1; add.s32 %r2, %r1, 2;
\t{{ .reg .b32 t; mov.b32 t, %r1; }}
\tbra L{0};
}}
"""
TEXT = HEADER + "".join(FUNCTION.format(n) for n in range(3))
N_LINES = TEXT.count("\n")
SNIPPETS = (
    "\n", ";", "%", "x", " ", "{", "}", "L1:", "\n\n", "ret;", ".reg .b32 t;", "/*", "*/", "//",
    ".global .u32 h;", "\tadd.s32 %r2, %r77, 1;\n", ".entry k7() {", "bra L1;", "",
)  # fmt: skip
EDITS = st.lists(
    st.tuples(
        st.integers(0, N_LINES),
        st.integers(0, 25),
        st.integers(0, 2),
        st.integers(0, 25),
        st.lists(st.sampled_from(SNIPPETS), max_size=3).map("".join),
        st.integers(0, 3),
    ),
    max_size=8,
)


def finish(session: LintSession) -> None:
    while (work := session.pending()) is not None:
        work.run(lambda: False)


def names(document: Document) -> list[object]:
    """The meaning of every name of a document, as the editor sees it."""
    analysis = Analysis(document)
    found: list[object] = []
    for line, text in enumerate(document.lines):
        for name in ("%r1", "%r2", "g", "h", "t", "L1", "k1", "p1"):
            if name in text:
                declared = analysis.lookup(name, Position(line, text.index(name)))
                found.append((line, name, declared and declared.range))
    return found


def check_session(text: str, edits: list[tuple[int, int, int, int, str, int]]) -> None:
    """Checks a session after edits, some of which come while it works."""
    document = Document.read(text)
    session = LintSession(document)
    finish(session)
    for line, column, n_lines, last, new, n_steps in edits:
        work = session.pending()
        document = edited(document, Position(line, column), Position(line + n_lines, last), new)
        session.document = document
        if work is not None and n_steps:
            answers = iter([False] * n_steps * 2)
            work.run(lambda answers=answers: next(answers, True))  # type: ignore[misc]
        assert names(document) == names(Document.read(document.text))
    finish(session)
    assert session.diagnostics() == lint(Document.read(document.text))


@pytest.mark.slow
@settings(phases=(Phase.generate,), max_examples=300)
@given(EDITS)
def test_a_session_finds_what_linting_at_once_finds(
    edits: list[tuple[int, int, int, int, str, int]],
) -> None:
    check_session(TEXT, edits)


@pytest.mark.slow
@settings(
    phases=(Phase.generate,),
    max_examples=100,
    suppress_health_check=(HealthCheck.function_scoped_fixture,),
)
@given(EDITS)
def test_in_cut_small(
    monkeypatch: pytest.MonkeyPatch, edits: list[tuple[int, int, int, int, str, int]]
) -> None:
    cut_small(monkeypatch)
    check_facts(is_on=True)
    try:
        check_session(TEXT, edits)
    finally:
        check_facts(is_on=False)


def check_chunks(text: str, line: int, column: int, new: str, n_checked: int) -> None:
    """Checks an edit of a line after one that cuts the function into small chunks.

    `n_checked`: how many instructions of the function are checked again.
    """
    document = Document.read(text)
    session = LintSession(document)
    for place, typed in (((line, column), new), ((line, column + len(new)), new)):
        finish(session)
        looked: list[object] = []
        document = edited(document, Position(*place), Position(*place), typed)
        session.document = document
    with pytest.MonkeyPatch.context() as patch:
        look = FastPath._is_correct  # noqa: SLF001  the work

        def counted(fast: FastPath, *given: object) -> bool:
            looked.append(given)
            return look(fast, *given)  # type: ignore[arg-type]

        patch.setattr(FastPath, "_is_correct", counted)
        finish(session)
    assert session.diagnostics() == lint(Document.read(document.text))
    assert len(looked) == n_checked


def test_only_the_edited_chunk_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)
    loads = "\tld.param.u64 %rd1, [p];\n\tadd.s32 %r2, %r1, %q;\n" * 9
    text = f"{HEADER}.entry k(.param .u64 p)\n{{\n.reg .b64 %rd<2>;\n.reg .b32 %r<9>;\n{loads}}}\n"
    check_chunks(text, 12, 0, " ", 1)


def test_work_that_is_stopped_is_not_lost() -> None:
    document = Document.read(TEXT)
    session = LintSession(document)
    stops = iter([False, False, True])
    work = session.pending()
    assert work is not None
    work.run(lambda: next(stops))
    known = [interface.known(function) is not None for function in document.leaves()]
    assert known == [True, True, False, False]


def test_the_severest_are_kept_where_not_all_can_be_shown() -> None:
    hints = "\tatom.cta.global.add.u32 %r1, [g], 1;\n" * 5
    document = Document.read(TEXT.replace("\tbra L0;", hints + "\trat;\n\tbra L0;"))
    session = LintSession(document)
    finish(session)
    assert session.known.n_diagnostics > len(session.diagnostics(2))
    assert "unknown-opcode" in [found.rule for found in session.diagnostics(2)]


def test_functions_that_share_a_line_are_found_with_it() -> None:
    text = (
        ".version 8.0\n.target sm_80\n.func a() { rat; }\n"
        ".func b() { rbt; } .func c() { rct; } .func d() {\nrdt; }\n"
    )
    session = LintSession(Document.read(text))
    finish(session)
    for line, expected in ((2, ["rat"]), (3, ["rbt", "rct"]), (4, ["rdt"])):
        told = " ".join(found.message for found in session.within(line, line))
        assert re.findall("r[a-d]t", told) == expected


def test_a_call_that_may_return_is_told_in_other_functions() -> None:
    header = ".version 8.0\n.target sm_80\n.address_size 64\n\n"
    text = ".func f() .noreturn;\n.entry k() { call f; }\n.func f() .noreturn { trap; }\n"
    document = Document.read(header + text)
    session = LintSession(document)
    finish(session)
    assert session.known.n_diagnostics == 0
    document = edited(document, Position(4, 9), Position(4, 19), "")
    session.document = document
    finish(session)
    (found,) = session.diagnostics()
    assert found.rule == "inconsistent-declaration"
    assert session.diagnostics() == lint(Document.read(document.text))
