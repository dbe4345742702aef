"""Tests of the rule subnormal-handling."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from tests.support.lint import check_rule, check_rule_fix, module

RULE = "subnormal-handling"


def test_hints() -> None:
    check_rule(
        RULE,
        """
        ex2.approx.f32 %f1, %f2;
    //  ^^^^^^^^^^^^^^ subnormal-handling: 3 more instructions than with `.ftz`, to handle
        @%p1 rcp.approx.f32 %f1, %f2;
    //       ^^^^^^^^^^^^^^ subnormal-handling: compiles to 7 more
    """,
    )


def test_severities() -> None:
    assert severity("div.approx.f32 %f1, %f2, %f3;") is Severity.HINT
    assert severity("add.ftz.f32 %f3, %f3, %f2;\ndiv.approx.f32 %f1, %f2, %f3;") is (
        Severity.INFORMATION
    )


def severity(statements: str) -> Severity:
    """Returns the severity of what the rule reports in some statements."""
    found = lint(Document.read(module(statements)))
    return next(one.severity for one in found if one.rule == RULE)


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        ex2.approx.ftz.f32 %f1, %f2;
        sin.approx.f32 %f1, %f2;
        tanh.approx.f32 %f1, %f2;
        ex2.approx.f16 %rs1, %rs2;
        rsqrt.approx.f64 %fd1, %fd2;
        sqrt.rn.f32 %f1, %f2;
        div.full.f32 %f1, %f2, %f3;
    """,
    )


def test_fix() -> None:
    check_rule_fix(RULE, "@%p1 lg2.approx.f32 %f1, %f2;", "@%p1 lg2.approx.ftz.f32 %f1, %f2;")
