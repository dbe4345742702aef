from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from tests.support.lint import HEADER

OPEN = "`{` 4:12"
"""The brace of `.entry k() {` on the first line after the header."""


def check_braces(text: str, *expected: str) -> None:
    """Compares what is reported, as `line:column message`, each followed by its related places."""
    document = Document.read(HEADER + text)
    found = []
    for it in lint(document):
        found.append(f"{it.range.start.line + 1}:{it.range.start.column + 1} {it.message}")
        for other in it.related:
            line, column = other.range.start.line, other.range.start.column
            brace = document.lines[line][column : other.range.end.column]
            found.append(f"`{brace}` {line + 1}:{column + 1}")
    assert found == list(expected)


def test_never_closed_is_missed_at_the_end_of_the_file() -> None:
    check_braces(".entry k() {\nret;\n", "6:1 missing `}` before the end of the file", OPEN)
    check_braces(".entry k() {\nret; //", "5:8 missing `}` before the end of the file", OPEN)


def test_never_closed_is_missed_before_the_next_function() -> None:
    check_braces(
        ".entry k() {\nret;\n// next\n  .entry l() { ret; }\n",
        "7:1 missing `}` before the next function",
        OPEN,
    )


def test_functions_that_share_a_line() -> None:
    check_braces(
        ".entry k() { ret; .entry l() { ret; }\n",
        "4:18 missing `}` before the next function",
        OPEN,
    )


def test_several_are_missed_once() -> None:
    check_braces(
        ".entry k() { {\nret;\n.entry l() { ret; }\n",
        "6:1 missing `}` before the next function",
        OPEN,
        "`{` 4:14",
    )


def test_closes_nothing() -> None:
    check_braces(".entry k() { ret; }\n}\n", "5:1 `}` without a matching `{`")


def test_only_the_innermost_is_closed() -> None:
    check_braces(
        ".entry k() { {\nret; }\n.entry l() { ret; }\n",
        "6:1 missing `}` before the next function",
        OPEN,
    )
