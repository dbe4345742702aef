"""Severities, fixes and places as the engine hands them out."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession, lint
from ptx_ls.lint.rule_settings import RuleSettings
from ptx_ls.source import Position, Severity
from tests.support.lint import HEADER, diagnostics, module

pytestmark = pytest.mark.excerpts

CALL = (
    ".func f(.param .b32 a) { ret; }\n"
    ".entry k() {\n.param .b32 p;\ncall f, (p);\nret;\n}\n"
)  # fmt: skip


def check_severity(statement: str, rule: str, severity: Severity) -> None:
    (found,) = diagnostics(module(statement))
    assert (found.rule, found.severity) == (rule, severity)


def check_session(session: LintSession) -> list[str]:
    """Does all work that is due, and returns the rules that report something."""
    while (work := session.pending()) is not None:
        work.run(lambda: False)
    return [found.rule for found in session.diagnostics()]


@pytest.mark.parametrize(
    ("statement", "rule", "severity"),
    [
        ("add.s32 %r1, %r2, %f1;", "operand-type", Severity.ERROR),
        ("bar.sync.sync 0;", "duplicate-modifier", Severity.WARNING),
        ("add.s32.s32 %r1, %r2, %r3;", "duplicate-modifier", Severity.ERROR),
        ("ld.u32.global %r1, [%rd1];", "modifier-order", Severity.HINT),
    ],
)
def test_what_ptxas_accepts_is_no_error(statement: str, rule: str, severity: Severity) -> None:
    check_severity(statement, rule, severity)


def test_diagnostics_are_sorted_by_place() -> None:
    text = module("bra GONE;\nadd.s32 %r1, %f1, %fd2;\nadd.s32 %r10,,;\n") + "}\n"
    places = [found.range for found in diagnostics(text)]
    assert len(places) == 5
    assert places == sorted(places)


def test_ignored_rules_are_left_out() -> None:
    document = Document.read(module("bra GONE;\nadd.s32 %r1, %f1, %r2;\n"))
    settings = RuleSettings(frozenset({"undeclared-label"}))
    assert [found.rule for found in lint(document, settings)] == ["operand-type"]


def test_several_statements_of_a_line() -> None:
    (found,) = diagnostics(module("ret; { add.s32 %r1, %r2; } ret;\n"))
    line = module("").count("\n") - 1
    assert (found.range.start, found.range.end) == (Position(line, 7), Position(line, 14))


def test_callers_are_checked_again_when_a_function_changes() -> None:
    document = Document.read(HEADER + CALL)
    session = LintSession(document)
    assert check_session(session) == []
    column = document.lines[3].index(".b32")
    document = edited(document, Position(3, column), Position(3, column + 4), ".b64")
    session.document = document
    assert check_session(session) == ["call-arguments"]
    document = edited(document, Position(3, column), Position(3, column + 4), ".b32")
    session.document = document
    assert check_session(session) == []


def test_related_places_are_the_documents() -> None:
    (found,) = diagnostics(HEADER + "\n\n" + ".entry k() {\n.reg .b32 x;\n.reg .b32 x;\n}\n")
    (related,) = found.related
    assert related.range.start == Position(6, 10)
    assert found.range.start == Position(7, 10)
