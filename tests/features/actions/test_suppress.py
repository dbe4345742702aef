"""Comments that suppress a rule: here, in the function, and in the file."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.actions.suppress import SuppressionScope, suppression, title
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import RuleSettings
from ptx_ls.lint.suppression.surroundings import OF_COMMENTS
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Severity
from tests.support.actions import changed
from tests.support.lint import HEADER, module

LONG = "add.u32 %r1, %r2, " + "%x" + "x" * 80 + ";"
NOTE = "// ptx-ls: ignore[{}]"
UNDECLARED = "undeclared-register"


def check_suppressed(
    text: str, expected: str, scope: SuppressionScope = SuppressionScope.LINE
) -> None:
    """Only the first diagnostic is left out."""
    document = Document.read(text)
    found = [one for one in lint(document) if one.rule not in OF_COMMENTS]
    edit = suppression(Analysis(document), found[0], scope)
    assert edit is not None
    after = changed(text, [edit])
    assert after == expected
    left = [one.message for one in lint(Document.read(after)) if one.rule not in OF_COMMENTS]
    assert left == [it.message for it in found[1:]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "  add.u32 %r1, %r2, %q;\n",
            f"  add.u32 %r1, %r2, %q; {NOTE.format(UNDECLARED)}\n",
        ),
        (
            "  add.u32 %r1, %r2, %q; // x\r\n",
            f"  add.u32 %r1, %r2, %q; // x {NOTE.format(UNDECLARED)}\r\n",
        ),
        (f"  {LONG}\r\n", f"  {NOTE.format(UNDECLARED)}\r\n  {LONG}\r\n"),
        (
            f"{NOTE.format('x')}\nadd.u32 %r1, %r2, %q;\n",
            f"{NOTE.format(f'x, {UNDECLARED}')}\nadd.u32 %r1, %r2, %q;\n",
        ),
        (
            f"add.u32 %r1, %r2, %q; {NOTE.format('x')} why\n",
            f"add.u32 %r1, %r2, %q; {NOTE.format(f'x, {UNDECLARED}')} why\n",
        ),
        (
            f"{NOTE.format('x')}\n// note\nadd.u32 %r1,\n  %r2,\n  %q;\n",
            f"{NOTE.format(f'x, {UNDECLARED}')}\n// note\nadd.u32 %r1,\n  %r2,\n  %q;\n",
        ),
        (
            "add.u32 %r1, %r2, %q; /* x\n*/ ret;\n",
            f"{NOTE.format(UNDECLARED)}\nadd.u32 %r1, %r2, %q; /* x\n*/ ret;\n",
        ),
        (
            "/* x\n*/ add.u32 %r1, %r2, %q; /* x\n*/ ret;\n",
            f"/* x\n*/ add.u32 %r1, %r2, /* ptx-ls: ignore[{UNDECLARED}] */ %q; /* x\n*/ ret;\n",
        ),
        (
            "add.u32 %r1, %r2, %q;\rret;\n",
            f"add.u32 %r1, %r2, %q; /* ptx-ls: ignore[{UNDECLARED}] */\rret;\n",
        ),
        (
            "// ptx-ls: ignore-function[x]\nadd.u32 %r1, %r2, %q; // ptx-ls: ignore[\n",
            (
                "// ptx-ls: ignore-function[x]\n"
                f"add.u32 %r1, %r2, %q; // ptx-ls: ignore[ {NOTE.format(UNDECLARED)}\n"
            ),
        ),
    ],
)
def test_one_rule(before: str, after: str) -> None:
    check_suppressed(module(before), module(after))


A = ".entry a()\n{\n  .reg .b32 %r<3>;\n  mov.u32 %r1, %q;\n  ret;\n}\n"
B = A.replace("a()", "b()")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (HEADER + A + B, f"{HEADER}// ptx-ls: ignore-function[{UNDECLARED}]\n{A}{B}"),
        (
            f"{HEADER}// ptx-ls: ignore-function[x]\n\n  {A}",
            f"{HEADER}// ptx-ls: ignore-function[x, {UNDECLARED}]\n\n  {A}",
        ),
        (
            HEADER + A.replace("ret", "// ptx-ls: ignore-function[x] why\nret"),
            HEADER + A.replace("ret", f"// ptx-ls: ignore-function[x, {UNDECLARED}] why\nret"),
        ),
    ],
)
def test_in_a_function(before: str, after: str) -> None:
    check_suppressed(before, after, SuppressionScope.FUNCTION)


def test_what_no_comment_can_be_about() -> None:
    for text in (f"{HEADER}.entry b()\n{{\n{A}", f"{HEADER}.global .u32 x = y;\n"):
        document = Document.read(text)
        last = lint(document)[-1]
        assert suppression(Analysis(document), last, SuppressionScope.FUNCTION) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (HEADER + A, f"// ptx-ls: ignore-file[{UNDECLARED}]\n{HEADER}{A}"),
        (
            f"{HEADER}{A}// ptx-ls: ignore-file[x] why",
            f"{HEADER}{A}// ptx-ls: ignore-file[x, {UNDECLARED}] why",
        ),
        (
            (HEADER + A).replace("\n", "\r"),
            f"/* ptx-ls: ignore-file[{UNDECLARED}] */\n{HEADER}{A}".replace("\n", "\r"),
        ),
    ],
)
def test_in_a_file(before: str, after: str) -> None:
    check_suppressed(before, after, SuppressionScope.FILE)


def test_titles() -> None:
    found = lint(Document.read(module("add.u32 %r1, %r2, %q; // ptx-ls: ignore[unknown-opcod]")))
    titles = {one.rule: title(one, SuppressionScope.FILE) for one in found}
    assert titles["invalid-suppression"] == "Ignore `invalid-suppression` in this file"
    warning = "(ptxas still rejects the file)"
    assert titles[UNDECLARED] == f"Ignore `{UNDECLARED}` in this file {warning}"


@pytest.mark.parametrize("severity", Severity)
def test_the_title_says_what_ptxas_rejects_whatever_the_severity(severity: Severity) -> None:
    body = "  add.u32 %r1, %r2, %x;\n  ld.ca.global.u32 %r1, [%rd1];\n"
    rules = "undeclared-register", "modifier-order"
    settings = RuleSettings(severities=tuple((rule, severity) for rule in rules))
    found = {one.rule: one for one in lint(Document.read(module(body)), settings)}
    titles = [title(found[rule], SuppressionScope.LINE) for rule in rules]
    assert titles == [
        "Ignore `undeclared-register` here (ptxas still rejects the file)",
        "Ignore `modifier-order` here",
    ]
