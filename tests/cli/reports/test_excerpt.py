import re
import textwrap

from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.cli.linting.read_file import ReadFile
from ptx_ls.cli.reports.choice import OutputFormat, report_of
from ptx_ls.cli.reports.report import Findings, Look
from ptx_ls.document.document import Document
from ptx_ls.source import Applicability, Diagnostic, Fix, Position, Range, RelatedRange, Severity


def check_full(text: str, diagnostic: Diagnostic, expected: str, width: int = 200) -> None:
    written = full(text, diagnostic, Look(width=width))
    assert written == textwrap.dedent(expected).lstrip("\n") + "\n"


def full(text: str, diagnostic: Diagnostic, look: Look) -> str:
    findings = Findings("a.ptx", ReadFile(Document.read(text)), [diagnostic])
    return "".join(report_of(OutputFormat.FULL).elements(findings, look))


def error(span: Range, message: str = "wrong") -> Diagnostic:
    return Diagnostic(span, "some-rule", Severity.ERROR, message)


def spanning(start: tuple[int, int], end: tuple[int, int]) -> Range:
    return Range(Position(*start), Position(*end))


def test_line_with_carets() -> None:
    check_full(
        ".version 8.0\n    addd.s32 %r1, %r2, %r3;\nret;\n",
        error(Range.on_line(1, 4, 8), "no opcode `addd`"),
        """
        error[some-rule]: no opcode `addd`
         --> a.ptx:2:5
          |
        2 |     addd.s32 %r1, %r2, %r3;
          |     ^^^^
        """,
    )


def test_related_places_and_fixes() -> None:
    check_full(
        "a\n" * 8 + "L1:\nL1:\n",
        Diagnostic(
            Range.on_line(9, 0, 2),
            "duplicate-label",
            Severity.WARNING,
            "`L1` again",
            ready=(Fix("Call it `L2`", (), Applicability.GUESS),),
            related=(RelatedRange(Range.on_line(8, 0, 2), "first here"),),
        ),
        """
        warning[duplicate-label]: `L1` again
          --> a.ptx:10:1
           |
        10 | L1:
           | ^^
        note: first here
          --> a.ptx:9:1
           |
         9 | L1:
           | --
           = help: Call it `L2`
        """,
    )


def test_range_over_two_lines() -> None:
    check_full(
        "x; call foo,\n  (a);\n",
        error(spanning((0, 3), (1, 5))),
        """
        error[some-rule]: wrong
         --> a.ptx:1:4
          |
        1 | x; call foo,
          |    ^^^^^^^^^
        2 |   (a);
          |   ^^^
        """,
    )


def test_range_over_many_lines() -> None:
    check_full(
        "call foo,\n  (\n  a\n  );\n",
        error(spanning((0, 0), (3, 3))),
        """
        error[some-rule]: wrong
         --> a.ptx:1:1
          |
        1 | call foo,
          | ^^^^^^^^^
        ...
        4 |   );
          |   ^
        """,
    )


def test_range_up_to_the_line_end() -> None:
    check_full(
        "bra L\r\nret;\n",
        error(spanning((0, 4), (1, 0))),
        """
        error[some-rule]: wrong
         --> a.ptx:1:5
          |
        1 | bra L
          |     ^
        """,
    )


def test_empty_range_behind_a_line() -> None:
    check_full(
        "bra L\r\nret;\n",
        error(Range.on_line(0, 5, 5), "`;` is missing"),
        """
        error[some-rule]: `;` is missing
         --> a.ptx:1:6
          |
        1 | bra L
          |      ^
        """,
    )


def test_end_of_the_file() -> None:
    check_full(
        "{\n",
        error(Range.on_line(1, 0, 0), "`}` is missing"),
        """
        error[some-rule]: `}` is missing
         --> a.ptx:2:1
          |
        2 |
          | ^
        """,
    )


def test_tabs_before_and_in_the_range() -> None:
    check_full(
        "\tadd\t%r1;",
        error(Range.on_line(0, 1, 8)),
        """
        error[some-rule]: wrong
         --> a.ptx:1:2
          |
        1 |     add %r1;
          |     ^^^^^^^
        """,
    )


def test_wide_and_combining_characters() -> None:
    check_full(
        "/* 中文 e\u0301 */ addd",
        error(Range.on_line(0, 12, 16)),
        """
        error[some-rule]: wrong
         --> a.ptx:1:13
          |
        1 | /* 中文 e\u0301 */ addd
          |              ^^^^
        """,
    )


def test_control_characters_are_escaped() -> None:
    check_full(
        "/*\x1b[31m\u202e*/ addd",
        error(Range.on_line(0, 11, 15), "a\x07b"),
        """
        error[some-rule]: a\\x07b
         --> a.ptx:1:12
          |
        1 | /*\\x1b[31m\\u202e*/ addd
          |                    ^^^^
        """,
    )


def test_long_line_is_cut_around_the_range() -> None:
    check_full(
        "0123456789" * 5 + "addd" + "0123456789" * 5,
        error(Range.on_line(0, 50, 54)),
        """
        error[some-rule]: wrong
         --> a.ptx:1:51
          |
        1 | ...23456789addd01234567...
          |            ^^^^
        """,
        width=30,
    )


def test_long_line_is_cut_behind() -> None:
    check_full(
        "addd" + "0123456789" * 5,
        error(Range.on_line(0, 0, 4)),
        """
        error[some-rule]: wrong
         --> a.ptx:1:1
          |
        1 | addd0123456789012345...
          | ^^^^
        """,
        width=30,
    )


def test_long_line_is_cut_before() -> None:
    check_full(
        "0123456789" * 5 + "addd",
        error(Range.on_line(0, 50, 54)),
        """
        error[some-rule]: wrong
         --> a.ptx:1:51
          |
        1 | ...4567890123456789addd
          |                    ^^^^
        """,
        width=30,
    )


def test_range_longer_than_the_screen() -> None:
    check_full(
        "x" * 10 + "0123456789" * 20 + "y" * 10,
        error(Range.on_line(0, 10, 210)),
        """
        error[some-rule]: wrong
         --> a.ptx:1:11
          |
        1 | ...01234567890123456789...
          |    ^^^^^^^^^^^^^^^^^^^^
        """,
        width=30,
    )


def test_colours_change_nothing_but_colours() -> None:
    text = "\tadd\t%r1;"
    diagnostic = error(Range.on_line(0, 1, 8))
    coloured = full(text, diagnostic, Look(has_colour=True))
    assert coloured.startswith("\x1b[1;31merror[some-rule]\x1b[0m")
    plain = full(text, diagnostic, Look())
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


places = st.builds(Position, st.integers(0, 5), st.integers(0, 150))


@given(
    st.text(st.sampled_from("ab \t\n\r中e\u0301\x1b"), max_size=400),
    st.tuples(places, places).map(sorted),
    st.integers(40, 80),
)
def test_any_range_is_shown_within_the_width(text: str, span: list[Position], width: int) -> None:
    written = full(text, error(Range(*span)), Look(width=width))
    assert "^" in written
    ascii_lines = [line for line in written.splitlines() if line.isascii() and "\\" not in line]
    assert all(len(line) <= 4 * width for line in ascii_lines)


def test_links_to_the_page_of_a_rule() -> None:
    found = Diagnostic(Range.on_line(0, 0, 1), "syntax-error", Severity.ERROR, "wrong")
    linked = full("x;\n", found, Look(has_links=True))
    link = (
        "\x1b]8;;https://ptx-ls.readthedocs.io/rules/syntax-error\x1b\\syntax-error\x1b]8;;\x1b\\"
    )
    assert linked.startswith(f"error[{link}]: wrong\n")
    assert linked.replace(link, "syntax-error") == full("x;\n", found, Look())
