import pytest

from ptx_ls.source import Diagnostic, Position, Range, Severity
from tests.support.fixture import (
    Expectation,
    Fixture,
    assert_diagnostics,
    marked_text,
    parse_fixture,
)


def check_fixture(marked: str, text: str, *expected: tuple[int, int, int, str, str]) -> Fixture:
    """Checks the text and the expectations (line, start, end, rule, message)."""
    fixture = parse_fixture(marked)
    assert fixture.text == text
    assert [
        (it.range.start.line, it.range.start.column, it.range.end.column, it.rule, it.message)
        for it in fixture.expectations
    ] == list(expected)
    return fixture


def check_refused(marked: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_fixture(marked)


def warning(span: Range, rule: str, message: str) -> Diagnostic:
    return Diagnostic(span, rule, Severity.WARNING, message)


def test_text_without_marks() -> None:
    fixture = check_fixture("  ret;\r\n", "  ret;\r\n")
    assert fixture.selection is None


def test_block_loses_its_indentation() -> None:
    check_fixture(
        """
        {
            ret;
        }
        """,
        "{\n    ret;\n}\n",
    )


def test_cursor() -> None:
    fixture = check_fixture("ret;\nbra <|>L;", "ret;\nbra L;")
    assert fixture.cursor == Position(1, 4)


def test_selection() -> None:
    fixture = check_fixture("a <|>b\nc<|> d", "a b\nc d")
    assert fixture.selection == Range(Position(0, 2), Position(1, 1))
    with pytest.raises(ValueError, match="exactly one cursor"):
        _ = fixture.cursor


def test_selection_within_a_line() -> None:
    fixture = check_fixture("a <|>b<|> c", "a b c")
    assert fixture.selection == Range.on_line(0, 2, 3)


def test_no_cursor() -> None:
    with pytest.raises(ValueError, match="exactly one cursor"):
        _ = parse_fixture("ret;").cursor


def test_carets_name_what_is_above() -> None:
    check_fixture(
        """
        @%p1 shfl.down.b32 %r1, %r0, 16, 31;
        //   ^^^^ unsynchronized-shuffle
        //                 ^^^ undeclared-register: `%r1`: not declared
        ret;
        """,
        "@%p1 shfl.down.b32 %r1, %r0, 16, 31;\nret;\n",
        (0, 5, 9, "unsynchronized-shuffle", ""),
        (0, 19, 22, "undeclared-register", "`%r1`: not declared"),
    )


def test_carets_below_the_first_columns() -> None:
    check_fixture("rets;\n^^^^ unknown-opcode", "rets;", (0, 0, 4, "unknown-opcode", ""))


def test_text_ends_as_it_is_written() -> None:
    check_fixture(
        "a;\r\n//^ r\r\nb\r\n^ r\r\n", "a;\r\nb\r\n", (0, 2, 3, "r", ""), (1, 0, 1, "r", "")
    )
    check_fixture("a\r\n^ r", "a", (0, 0, 1, "r", ""))


def test_empty_range() -> None:
    check_fixture("ret\n// | missing-semicolon", "ret", (0, 3, 3, "missing-semicolon", ""))


def test_marks_do_not_move_the_carets() -> None:
    fixture = check_fixture(
        "a <|>b c\n//   ^ r\n//     ^ r", "a b c", (0, 2, 3, "r", ""), (0, 4, 5, "r", "")
    )
    assert fixture.cursor == Position(0, 2)


def test_carets_need_a_rule_and_a_line() -> None:
    check_refused("a\n// ^^^", "without the name of a rule")
    check_refused("a\n// ^^^ No Rule", "without the name of a rule")
    check_refused("// ^^^ rule", "no line above")


def test_too_many_marks() -> None:
    check_refused("<|>a<|>b<|>", "3 marks")


def test_other_comments_stay() -> None:
    check_fixture("// a ^ b\n// | b\n", "// a ^ b\n", (0, 3, 3, "b", ""))


def test_reported_as_expected() -> None:
    fixture = parse_fixture("a b\n^ one: part\n//^ two")
    assert_diagnostics(
        fixture,
        [
            warning(Range.on_line(0, 2, 3), "two", "whatever"),
            warning(Range.on_line(0, 0, 1), "one", "a part of it"),
        ],
    )


def test_range_over_lines() -> None:
    fixture = parse_fixture("a bc\n//^^... one\nd")
    assert_diagnostics(fixture, [warning(Range(Position(0, 2), Position(1, 1)), "one", "")])
    with pytest.raises(AssertionError):
        assert_diagnostics(fixture, [warning(Range.on_line(0, 2, 4), "one", "")])


@pytest.mark.parametrize(
    "reported",
    [
        [],
        [warning(Range.on_line(0, 0, 1), "one", "something else")],
        [warning(Range.on_line(0, 0, 1), "two", "part")],
        [warning(Range.on_line(0, 0, 2), "one", "part")],
        [warning(Range.on_line(0, 0, 1), "one", "part")] * 2,
    ],
)
def test_not_as_expected(reported: list[Diagnostic]) -> None:
    with pytest.raises(AssertionError):
        assert_diagnostics(parse_fixture("a b\n^ one: part"), reported)


def test_marked_text_is_read_back() -> None:
    expectations = [
        Expectation(Range.on_line(0, 0, 3), False, "first-rule", "a: b"),
        Expectation(Range.on_line(0, 1, 1), False, "second-rule", ""),
        Expectation(Range.on_line(1, 4, 6), True, "third-rule", ""),
    ]
    fixture = parse_fixture(marked_text(["abc\n", "defghi"], expectations))
    assert fixture == Fixture("abc\ndefghi", None, tuple(expectations))
