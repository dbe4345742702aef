"""The definitions that reach a register, and the reads of a definition."""

from __future__ import annotations

from textwrap import dedent
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.flow import dataflow
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position, Range
from tests.support.fixture import parse_fixture

HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n.entry k() {\n"
DECLARED = ".reg .b32 %r<10>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"


def check_reaching(body: str, name: str = "%r1", *, from_entry: bool = False) -> None:
    """Statements on lines that end with `// def` reach the cursor `<|>`, no others."""
    analysis, cursor, body_lines = _asked(body)
    found = dataflow.reaching_definitions(analysis, name, cursor)
    assert _lines(analysis, found.definitions) == [it for it in body_lines if it.endswith("// def")]
    assert found.from_entry == from_entry


def check_uses(body: str, name: str = "%r1") -> None:
    """Statements on lines that end with `// use` may read what is written at the cursor."""
    analysis, cursor, body_lines = _asked(body)
    found = dataflow.reached_uses(analysis, name, cursor)
    assert _lines(analysis, found) == [it for it in body_lines if it.endswith("// use")]


def check_live(body: str, name: str = "%r1") -> None:
    """The value at the cursor is live on lines that end with `// live`, first and last too."""
    analysis, cursor, body_lines = _asked(body)
    lines: set[int] = set()
    for place in dataflow.live_range(analysis, name, cursor):
        lines.update(range(place.start.line, place.end.line + (place.end.column > 0)))
    texts = [analysis.document.lines[line].strip() for line in sorted(lines)]
    assert texts == [it for it in body_lines if it.endswith("// live")]


def _asked(body: str) -> tuple[Analysis, Position, list[str]]:
    text = dedent(body.removeprefix("\n"))
    fixture = parse_fixture(HEAD + DECLARED + text + "}\n")
    lines = [line.replace("<|>", "").strip() for line in text.splitlines()]
    return Analysis(Document.read(fixture.text)), fixture.cursor, lines


def _lines(analysis: Analysis, places: tuple[Range, ...]) -> list[str]:
    return [analysis.document.lines[place.start.line].strip() for place in places]


def test_the_last_write_in_a_block() -> None:
    check_reaching("mov.u32 %r1, 1;\nmov.u32 %r1, 2; // def\nadd.u32 %r2, <|>%r1, 1;\n")


def test_a_statement_reads_before_it_writes() -> None:
    check_reaching("mov.u32 %r1, 1; // def\nadd.u32 %r1, <|>%r1, 1;\n")


def test_a_guarded_write_leaves_what_was_there() -> None:
    check_reaching("mov.u32 %r1, 1; // def\n@%p1 mov.u32 %r1, 2; // def\nst.u32 [%rd1], <|>%r1;\n")


def test_both_ways_to_a_label() -> None:
    check_reaching(
        """
        @%p1 bra ELSE;
        mov.u32 %r1, 1; // def
        bra DONE;
        ELSE: mov.u32 %r1, 2; // def
        mov.u32 %r2, %r1;
        DONE:
        add.u32 %r3, <|>%r1, 1;
        """
    )


def test_a_loop_brings_its_own_value_back() -> None:
    check_reaching(
        """
        mov.u32 %r1, 0; // def
        LOOP:
        setp.lt.u32 %p1, <|>%r1, 10;
        add.u32 %r1, %r1, 1; // def
        @%p1 bra LOOP;
        mov.u32 %r1, 7;
        """
    )


def test_nothing_was_written() -> None:
    check_reaching("add.u32 %r2, <|>%r1, 1;\nmov.u32 %r1, 1;\n", from_entry=True)
    check_reaching("@%p1 mov.u32 %r1, 1; // def\nadd.u32 %r2, <|>%r1, 1;\n", from_entry=True)


def test_a_component_of_a_vector_is_not_all_of_it() -> None:
    check_reaching(
        """
        .reg .v4 .f32 v;
        mov.f32 v.x, 0f00000000; // def
        mov.f32 v.y, 0f00000000; // def
        mov.f32 %r2, <|>v.x;
        """,
        "v",
        from_entry=True,
    )


def test_a_block_declares_another_register_of_that_name() -> None:
    check_reaching(
        """
        .reg .b32 t;
        mov.u32 t, 1; // def
        {
            .reg .b32 t;
            mov.u32 t, 2;
        }
        mov.u32 %r2, <|>t;
        """,
        "t",
    )


def test_statements_on_one_line() -> None:
    check_reaching(
        "{ .reg .pred q; setp.eq.u32 q, %r1, 0; selp.u32 %r1, 1, 2, q; } // def\n"
        "mov.u32 %r2, <|>%r1;\n"
    )


def test_names_within_other_names_and_comments() -> None:
    check_reaching("mov.u32 %r1, 1; // def\nmov.u32 %r10, 2; // %r1\nmov.u32 %r2, <|>%r1;\n")


def test_results_of_a_call() -> None:
    check_reaching("call (%r1), f, (%r2); // def\nmov.u32 %r2, <|>%r1;\n")


def test_no_register() -> None:
    for name in ("nothing", "k", "%tid"):
        check_reaching("mov.u32 %r1, <|>%r2;\n", name)


def test_uses_of_a_write() -> None:
    check_uses(
        """
        mov.u32 <|>%r1, 1;
        st.u32 [%rd1], %r1; // use
        @%p1 mov.u32 %r1, 2;
        @%p1 bra DONE;
        add.u32 %r1, %r1, 1; // use
        st.u32 [%rd1], %r1;
        DONE:
        st.u32 [%rd1], %r1; // use
        """
    )
    check_uses("mov.u32 %r2, <|>%r1;\nmov.u32 %r3, %r1;\n")


def test_live_from_the_write_to_the_last_read() -> None:
    check_live(
        """
        mov.u32 %r2, 1;
        mov.u32 <|>%r1, 1; // live
        mov.u32 %r3, 1; // live
        add.u32 %r4, %r1, 1; // live
        mov.u32 %r1, 2;
        st.u32 [%rd1], %r1;
        """
    )


def test_live_around_a_loop() -> None:
    check_live(
        """
        mov.u32 <|>%r1, 1; // live
        LOOP: // live
        add.u32 %r2, %r2, %r1; // live
        setp.lt.u32 %p1, %r2, 10; // live
        @%p1 bra LOOP; // live
        mov.u32 %r3, 1;
        """
    )


def test_not_live_before_a_guarded_write() -> None:
    check_live(
        """
        mov.u32 %r1, 1;
        @%p1 bra HERE;
        mov.u32 %r2, 1;
        HERE:
        mov.u32 %r3, 1;
        @%p2 mov.u32 <|>%r1, 2; // live
        st.u32 [%rd1], %r1; // live
        """
    )


def test_live_in_blocks_that_follow_each_other() -> None:
    check_live(
        """
        mov.u32 <|>%r1, 1; // live
        @%p1 bra ONE; // live
        mov.u32 %r2, 2; // live
        ONE: // live
        mov.u32 %r3, 3; // live
        TWO: // live
        @%p2 bra TWO; // live
        st.u32 [%rd1], %r1; // live
        mov.u32 %r4, 4;
        """
    )


def test_not_live_on_a_way_without_a_read() -> None:
    check_live(
        """
        mov.u32 %r1, 1; // live
        @%p1 bra ELSE; // live
        mov.u32 %r2, 2;
        mov.u32 %r2, 2;
        bra DONE;
        ELSE: // live
        mov.u32 %r2, <|>%r1; // live
        DONE:
        ret;
        """
    )


def test_nobody_reads_it() -> None:
    check_live("mov.u32 %r1, 1;\nmov.u32 <|>%r1, 2; // live\nret;\n")


def test_an_edit_is_seen() -> None:
    document = Document.read(HEAD + DECLARED + "mov.u32 %r1, 1;\nmov.u32 %r2, %r1;\n}\n")
    place = Position(6, 13)
    document = edited(document, Position(6, 0), Position(6, 0), "mov.u32 %r1, 2;\n")
    found = dataflow.reaching_definitions(Analysis(document), "%r1", Position(7, 13))
    assert [it.start.line for it in found.definitions] == [6]
    document = edited(document, Position(0, 0), Position(0, 0), "// above\n")
    found = dataflow.reaching_definitions(Analysis(document), "%r1", Position(8, 13))
    assert [it.start.line for it in found.definitions] == [7]
    assert place.line == 6


class Line(NamedTuple):
    """A line of a random program: the lines after it, and how it uses `%r1`."""

    text: str
    follows: tuple[int, ...]
    marks: str = ""  # r: reads, w: writes, k: nothing is left of what was there


@st.composite
def programs(draw: st.DrawFn) -> list[Line]:
    """Programs of one register; lines that are branched to have a label `L` and their number."""
    count = draw(st.integers(1, 12))
    lines = []
    for number in range(count):
        after, target = number + 1, draw(st.integers(0, count - 1))
        listed = f"T{number}: .branchtargets L{target}; @%p1 brx.idx %r2, T{number};"
        choices = [
            Line(f"bra L{target};", (target,)),
            Line(f"@%p1 bra L{target};", (after, target)),
            Line(listed, (after, target)),
            Line("ret;", ()),
            Line("@%p1 exit;", (after,)),
            Line("mov.u32 %r1, 1;", (after,), "wk"),
            Line("@%p1 mov.u32 %r1, 1;", (after,), "w"),
            Line("mov.u32 %r2, %r1;", (after,), "r"),
            Line("add.u32 %r1, %r1, 1;", (after,), "rwk"),
        ]
        lines.append(draw(st.sampled_from(choices)))
    targets = {target for line in lines for target in line.follows}
    return [
        line._replace(text=f"L{number}: {line.text}") if number in targets else line
        for number, line in enumerate(lines)
    ]


@given(programs(), st.sampled_from([" ", "\n"]))
def test_as_a_walk_over_single_statements_finds(lines: list[Line], joint: str) -> None:
    """By the definition: `d` reaches `n` if a path from `d` to `n` has no other definition."""
    text = HEAD + DECLARED + joint.join(line.text for line in lines) + "\n}\n"
    analysis = Analysis(Document.read(text))
    places = _places(text, lines)
    for number, line in enumerate(lines):
        found = dataflow.reaching_definitions(analysis, "%r1", places[number])
        starts = [place.start for place in found.definitions]
        defined = [
            n for n, it in enumerate(lines) if "w" in it.marks and number in _reach(lines, n)
        ]
        assert starts == [places[n] for n in defined]
        assert found.from_entry == (number in _from(lines, (0,)))
        if "w" in line.marks:
            reads = [n for n in sorted(_reach(lines, number)) if "r" in lines[n].marks]
            used = dataflow.reached_uses(analysis, "%r1", places[number])
            assert [place.start for place in used] == [places[n] for n in reads]


def test_usage_does_not_depend_on_what_was_asked_before() -> None:
    many = "mov.u32 %r2, %r1;\n" * 5100
    text = f"{HEAD}{DECLARED}mov.u32 %r1, 1;\n{many}}}\n"
    place = Position(600, 0)
    fresh = dataflow.usage(Analysis(Document.read(text)), "%r1", place)
    assert fresh.is_many
    analysis = Analysis(Document.read(text))
    found = dataflow.reaching_definitions(analysis, "%r1", place)
    assert [it.start.line for it in found.definitions] == [5]
    assert dataflow.usage(analysis, "%r1", place) == fresh


def _reach(lines: list[Line], definition: int) -> set[int]:
    return _from(lines, lines[definition].follows)


def _from(lines: list[Line], starts: tuple[int, ...]) -> set[int]:
    """The lines that a value reaches from before any of `starts`."""
    found: set[int] = set()
    waiting = list(starts)
    while waiting:
        number = waiting.pop()
        if number < len(lines) and number not in found:
            found.add(number)
            if "k" not in lines[number].marks:
                waiting += lines[number].follows
    return found


def _places(text: str, lines: list[Line]) -> list[Position]:
    """The place of the instruction on each line."""
    found, offset = [], len(HEAD + DECLARED)
    for line in lines:
        offset = text.index(line.text, offset)
        before = max(line.text.rfind(": "), line.text.rfind("; "))
        start = offset + (before + 2 if before >= 0 else 0)
        found.append(Position(text.count("\n", 0, start), start - text.rfind("\n", 0, start) - 1))
        offset += len(line.text)
    return found


@pytest.mark.parametrize("n_lines", [1, 99])
def test_a_use_after_the_body_is_of_no_register_of_a_block(
    monkeypatch: pytest.MonkeyPatch, n_lines: int
) -> None:
    for name in ("CHUNK_LINES", "MAX_CHUNK_LINES"):
        monkeypatch.setattr(f"ptx_ls.document.editing.{name}", n_lines)
    monkeypatch.setattr("ptx_ls.document.editing.MIN_CHUNK_LINES", 0)
    body = "mov.b32 x, 1;\n{\n.reg .b32 x;\nmov.b32 x, 2;\n}\n}\nmov.b32 x, 3;\nmov.b32 x, 4;\n"
    document = edited(Document.read(HEAD + body), Position(5, 0), Position(5, 0), " ")
    assert document.leaf(1).n_leaves == (1 if n_lines > 1 else 9)
    found = dataflow.usage(Analysis(document), "x", Position(6, 10))
    assert (found.n_writes, found.n_reads) == (1, 0)
