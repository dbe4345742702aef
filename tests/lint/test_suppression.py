"""Comments that keep rules quiet."""

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession, lint
from ptx_ls.lint.suppression import comment, extended
from ptx_ls.source import Position

MODULE = """\
.version 8.0
.target sm_80
.address_size 64
.entry kernel()
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
BODY
    ret;
}
"""
BAD = "    add.u32 %r1, %rd2, %x3;"


def check_rules(body: str, *expected: str) -> None:
    """Checks the rules that report something in the body of a kernel."""
    found = lint(Document.read(MODULE.replace("BODY", body)))
    assert [one.rule for one in found] == list(expected)


def test_nothing_is_ignored() -> None:
    check_rules(BAD, "operand-width", "undeclared-register")


@pytest.mark.parametrize(
    "note",
    [
        "// ptx-ls: ignore",
        "//ptx-ls:ignore",
        "// ptx-ls: ignore[operand-width, undeclared-register]",
        "// because of this  // ptx-ls: ignore [undeclared-register,operand-width]",
    ],
)
def test_on_the_line_and_above(note: str) -> None:
    check_rules(f"{BAD} {note}")
    check_rules(f"    {note}\n{BAD}")


def test_one_rule() -> None:
    check_rules(f"{BAD} {comment('operand-width')}", "undeclared-register")


@pytest.mark.parametrize(
    "body",
    [
        f"{BAD} // ptx-ls: ignore[missing-modifier]",
        f"{BAD} // ignore",
        f"// ptx-ls: ignore\n\n{BAD}",
        f"    mov.b32 %r1, 1; // ptx-ls: ignore\n{BAD}",
        f"{BAD}\n// ptx-ls: ignore",
        f"{BAD} // ptx-ls: ignored",
    ],
)
def test_what_ignores_something_else(body: str) -> None:
    check_rules(body, "operand-width", "undeclared-register")


def test_a_list_grows() -> None:
    line = f"x; {comment('a')}"
    start, end, text = extended(line, "b") or (0, 0, "")
    assert line[:start] + text + line[end:] == "x; // ptx-ls: ignore[a, b]"
    assert extended("x; // ptx-ls: ignore", "b") is None
    assert extended("x;", "b") is None


def test_what_is_missing_before_a_function_on_the_first_line() -> None:
    text = ".entry k() {{ ret; }}{}\n"
    messages = [one.message for one in lint(Document.read(text.format("")))]
    assert len(messages) == 2
    assert not lint(Document.read(text.format(" // ptx-ls: ignore[module-header]")))


def test_a_comment_on_the_first_line_comes_and_goes() -> None:
    document = Document.read(".entry k() { ret; }\n")
    session = LintSession(document)
    for text, n_expected in ((" // ptx-ls: ignore", 0), ("", 2)):
        end = Position(0, len(document.lines[0]) - 1)
        document = edited(document, Position(0, len(".entry k() { ret; }")), end, text)
        session.document = document
        while (work := session.pending()) is not None:
            work.run(lambda: False)
        assert len(session.diagnostics()) == n_expected
