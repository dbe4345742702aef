"""Comments that suppress findings: on a line, in a statement, a function, a range and a file."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession, lint
from ptx_ls.lint.rule_settings import RuleSettings
from ptx_ls.lint.suppression.surroundings import OF_COMMENTS
from ptx_ls.source import Position, Severity

pytestmark = pytest.mark.excerpts

HEADER = """\
.version 8.0
.target sm_80
.address_size 64
"""
KERNEL = """\
.entry NAME()
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
BODY
    ret;
}
"""
BAD = "    add.u32 %r1, %rd2, %x3;"
GOOD = "    add.u32 %r1, %r2, %r3;"
BOTH = ("operand-width", "undeclared-register")


def check_rules(body: str, *expected: str) -> None:
    """Checks the rules that report something in the body of a kernel, except about comments."""
    check_module(HEADER + kernel(body), *expected)


def check_module(text: str, *expected: str) -> None:
    """Checks the rules that report something in a module, except about comments."""
    found = [one.rule for one in lint(Document.read(text)) if one.rule not in OF_COMMENTS]
    assert found == list(expected)


def kernel(body: str, name: str = "kernel") -> str:
    """Returns a kernel."""
    return KERNEL.replace("BODY", body).replace("NAME", name)


def test_nothing_is_ignored() -> None:
    check_rules(BAD, *BOTH)


@pytest.mark.parametrize(
    "note",
    [
        "// ptx-ls: ignore",
        "//ptx-ls:ignore",
        "// ptx-ls: ignore: a reason",
        "// ptx-ls: ignore[operand-width, undeclared-register]",
        "// ptx-ls: ignore[operand-width] and // ptx-ls: ignore[undeclared-register] two reasons",
        "// because of this  // ptx-ls: ignore [undeclared-register,operand-width]",
        "/* ptx-ls: ignore[operand-width, undeclared-register] */",
        "/* ptx-ls: ignore[operand-width] */ /* ptx-ls: ignore[undeclared-register] */",
    ],
)
def test_on_the_line_and_above(note: str) -> None:
    check_rules(f"{BAD} {note}")
    check_rules(f"    {note}\n{BAD}")
    check_rules(f"    {note}\r\n{BAD}\r\n")


def test_one_rule() -> None:
    check_rules(f"{BAD} // ptx-ls: ignore[operand-width]", "undeclared-register")


@pytest.mark.parametrize(
    "body",
    [
        f"{BAD} // ptx-ls: ignore[missing-modifier]",
        f"{BAD} // ignore",
        f"// ptx-ls: ignore\n\n{BAD}",
        f"    mov.b32 %r1, 1; // ptx-ls: ignore\n{BAD}",
        f"{BAD}\n// ptx-ls: ignore",
        f"{BAD} // ptx-ls: ignored",
        f"{BAD} // ptx-ls: ignore[operand-width, undeclared-register",
        f"{BAD} // ptx-ls: ignore[]",
        f"{BAD} /* // ptx-ls: ignore */",
        f"{BAD} /* one\n // ptx-ls: ignore */",
        f"{BAD} // ptx-ls: ignore-everything",
    ],
)
def test_what_ignores_something_else(body: str) -> None:
    check_rules(body, *BOTH)


def test_a_statement_over_several_lines() -> None:
    statement = "add.u32\n  %r1,\n  %rd2,\n  %x3;"
    check_rules(f"// ptx-ls: ignore\n{statement}")
    check_rules(f"// ptx-ls: ignore\n{statement}\nbad.x;", "unknown-opcode")
    check_rules(f"// ptx-ls: ignore\n{GOOD} {statement}")
    check_rules("add.u32\n  %r1,\n  // ptx-ls: ignore\n  %rd2,\n  %x3;", "undeclared-register")
    check_rules("add.u32\n  %r1,\n  %rd2, // ptx-ls: ignore\n  %x3;", "undeclared-register")


def test_comments_above_each_other() -> None:
    above = (
        "// ptx-ls: ignore[operand-width]\n/* a */ // note\n// ptx-ls: ignore[undeclared-register]"
    )
    check_rules(f"{above}\n{BAD}")
    check_rules(f"{above}\n\n{BAD}", *BOTH)


def test_a_comment_that_a_lone_carriage_return_does_not_end() -> None:
    check_rules(f"// ptx-ls: ignore\r{BAD}")
    check_rules(f"{BAD} /* ptx-ls: ignore */\r{GOOD}\r")


@pytest.mark.parametrize(
    ("before", "inside", "after"),
    [
        ("// ptx-ls: ignore-function\n", "", ""),
        ("// ptx-ls: ignore-function[operand-width, undeclared-register] why\n\n", "", ""),
        (".global .u32 g; // ptx-ls: ignore-function\n", "", ""),
        ("", "// ptx-ls: ignore-function", ""),
        ("", "", "ret; // ptx-ls: ignore-function"),
        ("/* ptx-ls: ignore-function */\n", "", ""),
    ],
)
def test_a_function(before: str, inside: str, after: str) -> None:
    bad = kernel(f"{inside}\n{BAD}\n{after}", "b")
    check_module(HEADER + kernel(GOOD, "a") + before + bad + kernel(GOOD, "c"))
    check_module(HEADER + before + bad)
    check_module(HEADER + kernel(BAD, "a") + before + bad + kernel(BAD, "c"), *BOTH, *BOTH)


def test_a_comment_between_functions_is_about_the_next_statement() -> None:
    bad = ".visible .entry b() .maxnreg 32 .maxntid 0\n{ ret; }\n"
    check_module(HEADER + kernel("", "a") + bad, "misplaced-directive")
    check_module(HEADER + kernel("", "a") + "// ptx-ls: ignore[misplaced-directive]\n" + bad)
    check_module(HEADER + "// ptx-ls: ignore[misplaced-directive]\n" + bad)
    check_module(
        HEADER + "// ptx-ls: ignore[misplaced-directive]\n" + kernel("", "a") + bad,
        "misplaced-directive",
    )


def test_functions_on_one_line() -> None:
    bad = "{ .reg .b32 %r<9>; .reg .b64 %rd<9>; add.u32 %r1, %rd2, %r3; ret; } "
    line = f".entry a() {bad} .entry b() {bad} .entry c() {bad}"
    check_module(f"{HEADER}{line}", *["operand-width"] * 3)
    check_module(f"{HEADER}{line} // ptx-ls: ignore[operand-width]")
    check_module(f"{HEADER}{line} // ptx-ls: ignore[operand-width]\n")
    check_module(f"{HEADER}// ptx-ls: ignore[operand-width]\n{line}\n", *["operand-width"] * 2)


@pytest.mark.parametrize("start", ["ignore-start", "ignore-start[operand-width]"])
def test_a_range(start: str) -> None:
    wide = "add.u32 %r1, %rd2, %r3;"
    begin, end = f"// ptx-ls: {start}", "// ptx-ls: ignore-end"
    check_rules(f"{begin}\n{wide}\n{end}")
    check_rules(f"{wide} {begin}\nmov.u32 %r1, 1;\n{wide} {end}")
    check_rules(f"{begin}\n{end}\n{wide}", "operand-width")
    check_rules(f"{wide}\n{begin}\n", "operand-width")
    check_rules(f"{begin}\n{wide}\n// ptx-ls: ignore-end[operand-kind]\n{wide}")
    check_rules(f"{begin}\n{wide}\n// ptx-ls: ignore-end[operand-width]\n{wide}", "operand-width")


def test_a_range_over_functions() -> None:
    text = kernel(BAD, "a") + "START" + kernel(BAD, "b") + kernel(BAD, "c") + "END" + kernel(BAD)
    for start, end, expected in (
        ("", "", BOTH * 4),
        ("// ptx-ls: ignore-start\n", "// ptx-ls: ignore-end\n", BOTH * 2),
        ("// ptx-ls: ignore-start\n", "", BOTH),
        ("// ptx-ls: ignore-start\n", "// ptx-ls: ignore-end[operand-width]\n", (*BOTH, BOTH[0])),
        ("// ptx-ls: ignore-start[operand-width]\n", "", (*BOTH, *[BOTH[1]] * 3)),
    ):
        check_module(HEADER + text.replace("START", start).replace("END", end), *expected)


@pytest.mark.parametrize("note", ["ignore-file", "ignore-file[undeclared-register, operand-width]"])
def test_a_file(note: str) -> None:
    comment = f"// ptx-ls: {note} reason\n"
    a, b = kernel(BAD, "a"), kernel(BAD, "b")
    for text in (
        comment + HEADER + a + b,
        HEADER + comment + a + b,
        HEADER + a + comment + b,
        HEADER + a + b + comment,
        HEADER + a + kernel(comment + BAD, "b"),
    ):
        check_module(text)


def test_rules_about_comments_are_suppressed_by_name_only() -> None:
    text = HEADER + kernel("mov.u32 %r1, 1; // ptx-ls: ignore[operand-kind] // ptx-ls: ignore")
    assert {one.rule for one in lint(Document.read(text))} == {"unused-suppression"}
    named = "// ptx-ls: ignore-file[unused-suppression]\n"
    assert not lint(Document.read(named + text))
    misspelt = "// ptx-ls: ignore[invalid-suppression] // ptx-ls: ignore[operand-wide]\n"
    assert not lint(Document.read(misspelt + HEADER))


def test_what_is_missing_before_a_function_on_the_first_line() -> None:
    text = ".entry k() {{ ret; }}{}\n"
    messages = [one.message for one in lint(Document.read(text.format("")))]
    assert len(messages) == 2
    assert not lint(Document.read(text.format(" // ptx-ls: ignore[module-header]")))


@pytest.mark.parametrize("between", ["", "\n", "// another\n"])
@pytest.mark.parametrize(
    "kernel",
    [
        ".entry k() { ret; } // NOTE\n",
        ".entry k() // NOTE\n{ ret; }\n",
        "// NOTE\n.entry k() { ret; }\n",
        "// NOTE\n// more\n.entry\nk() { ret; }\n",
    ],
)
def test_what_is_missing_before_a_function(kernel: str, between: str) -> None:
    """It is reported at the start of the function, after the end of what is before that."""
    text = f".version 8.0\n{between}{kernel}"
    assert [one.rule for one in lint(Document.read(text))] == ["module-header"]
    text = text.replace("NOTE", "ptx-ls: ignore[module-header]")
    assert not lint(Document.read(text))
    whole = text.replace("8.0", "8.0\n.target sm_80")
    assert [one.rule for one in lint(Document.read(whole))] == ["unused-suppression"]


@pytest.mark.parametrize("severity", Severity)
@pytest.mark.parametrize("rule", ["operand-width", "syntax-error"])
@pytest.mark.parametrize("note", ["ignore", "ignore-function", "ignore-file"])
def test_severities_do_not_change_which_comments_are_unused(
    severity: Severity, rule: str, note: str
) -> None:
    wrong = "    add.u32 %r1, %rd2, %r3;\n    add.u32 %r1 %r2;"
    text = HEADER + kernel(f"    // ptx-ls: {note}[unknown-opcode]\n{wrong}")
    settings = RuleSettings(severities=((rule, severity),))
    found = [one.rule for one in lint(Document.read(text), settings)]
    assert found == [one.rule for one in lint(Document.read(text))]


def check_edits(before: str, *after: str, row: int = 0) -> None:
    """Fails unless the diagnostics after edits are those of a fresh check.

    A line of `before` is replaced with each text in turn.
    """
    document = Document.read(f"{before}")
    session = LintSession(document)
    length = len(before.split("\n")[row])
    for text in ("", *after, ""):
        document = edited(document, Position(row, 0), Position(row, length), text)
        length = len(text)
        session.document = document
        while (work := session.pending()) is not None:
            work.run(lambda: False)
        fresh = LintSession(Document.read(document.text))
        while (work := fresh.pending()) is not None:
            work.run(lambda: False)
        assert session.diagnostics() == fresh.diagnostics()
        assert session.suppressed() == fresh.suppressed()
        for line in range(document.n_lines):
            assert session.within(line, line) == fresh.within(line, line)


def test_a_comment_on_the_first_line_comes_and_goes() -> None:
    check_edits("\n.entry k() { ret; }\n", "// ptx-ls: ignore", "// ptx-ls: ignore-file")
    check_edits(
        "\n" + HEADER + kernel(BAD, "a") + kernel(BAD, "b"),
        "// ptx-ls: ignore-file[operand-width]",
        "// ptx-ls: ignore-file[unknown-opcode]",
        "// ptx-ls: ignore-start",
        "// ptx-ls: ignore-start[operand-width]",
        "// ptx-ls: ignore-function",
        "// ptx-ls: ignore-end",
    )


def test_a_comment_on_the_first_line_of_a_function_comes_and_goes() -> None:
    versions = (
        ".entry k() { ret; }",
        ".entry k() { ret; } // ptx-ls: ignore",
        ".entry k() { ret; } // ptx-ls: ignore[module-header]",
        "// ptx-ls: ignore[module-header]",
    )
    text = ".version 8.0\n\n.entry j() { ret; }\n"
    check_edits(text, *versions, row=1)


def test_an_edit_of_a_comment_checks_no_other_function() -> None:
    text = "\n" + HEADER + "".join(kernel(BAD, f"k{number}") for number in range(40))
    document = Document.read(text)
    session = LintSession(document)
    while (work := session.pending()) is not None:
        work.run(lambda: False)
    place = Position(0, 0)
    session.document = edited(document, place, place, "// ptx-ls: ignore-file")
    work = session.pending()
    assert work is not None
    assert len(list(work.due(None))) > 1  # no module has this signature, so all functions are due
    while (work := session.pending((0, 0))) is not None:
        work.run(lambda: False)
    assert session.pending() is None
    assert not session.diagnostics()
