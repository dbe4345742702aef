"""Linting again and again while a document is edited equals linting it at once."""

from __future__ import annotations

import re

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ptx_ls.lint import LintSession, lint
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.semantics.symbols.module import SEMANTICS
from ptx_ls.source import Position
from ptx_ls.syntax.document import Document

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
        session.accept(work.run(lambda: False))


def names(document: Document) -> list[object]:
    """What every name of a document means, as the editor is told."""
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
    document = Document(text)
    session = LintSession(document)
    finish(session)
    for line, column, n_lines, last, new, n_steps in edits:
        work = session.pending()
        document.edit(Position(line, column), Position(line + n_lines, last), new)
        if work is not None and n_steps:
            answers = iter([False] * n_steps * 2)
            session.accept(work.run(lambda answers=answers: next(answers, True)))  # type: ignore[misc]
        assert names(document) == names(Document(document.text))
    finish(session)
    assert session.diagnostics() == lint(Document(document.text))


@pytest.mark.slow
@settings(phases=(Phase.generate,), max_examples=300)
@given(EDITS)
def test_a_session_finds_what_linting_at_once_finds(
    edits: list[tuple[int, int, int, int, str, int]],
) -> None:
    check_session(TEXT, edits)


def test_little_is_handed_out_at_once_when_all_of_a_module_is_due(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ptx_ls.lint.session._AT_ONCE", 5)
    check_session(TEXT, [(0, 10, 0, 11, "1", 0), (3, 13, 0, 16, "f32", 1), (3, 0, 1, 0, "", 2)])
    document = Document(TEXT)
    session = LintSession(document)
    finish(session)
    document.edit(Position(3, 13), Position(3, 16), "f32")
    n_works = 0
    while (work := session.pending()) is not None:
        session.accept(work.run(lambda: False))
        n_works += 1
    assert n_works == 4  # the header, and each function


def test_work_that_is_stopped_is_not_lost() -> None:
    document = Document(TEXT)
    session = LintSession(document)
    stops = iter([False, False, True])
    work = session.pending()
    assert work is not None
    session.accept(work.run(lambda: next(stops)))
    known = [SEMANTICS in region.facts for region in document.outline.regions]
    assert known == [True, True, False, False]


def test_the_severest_are_kept_where_not_all_can_be_shown() -> None:
    hints = "\tatom.cta.global.add.u32 %r1, [g], 1;\n" * 5
    document = Document(TEXT.replace("\tbra L0;", hints + "\trat;\n\tbra L0;"))
    session = LintSession(document)
    finish(session)
    assert session.known.n_diagnostics > len(session.diagnostics(2))
    assert "unknown-opcode" in [found.rule for found in session.diagnostics(2)]


def test_functions_that_share_a_line_are_found_with_it() -> None:
    text = (
        ".version 8.0\n.target sm_80\n.func a() { rat; }\n"
        ".func b() { rbt; } .func c() { rct; } .func d() {\nrdt; }\n"
    )
    session = LintSession(Document(text))
    finish(session)
    for line, expected in ((2, ["rat"]), (3, ["rbt", "rct"]), (4, ["rdt"])):
        told = " ".join(found.message for found in session.within(line, line))
        assert re.findall("r[a-d]t", told) == expected


def test_a_call_that_may_return_is_told_in_other_functions() -> None:
    text = ".func f() .noreturn;\n.entry k() { ret; }\n.func f() .noreturn { trap; }\n"
    document = Document(HEADER + text)
    session = LintSession(document)
    finish(session)
    assert session.known.n_diagnostics == 0
    document.edit(Position(4, 9), Position(4, 19), "")
    finish(session)
    (found,) = session.diagnostics()
    assert found.rule == "inconsistent-declaration"
    assert session.diagnostics() == lint(Document(document.text))
