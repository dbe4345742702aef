"""The rule float-domain."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 .ptr .global .align 4 values)
{
    .reg .pred %p<2>;
    .reg .f32 %f<4>;
    .reg .f64 %fd<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [values];
    ld.global.f32 %f1, [%rd1];
"""


def check_domain(statements: str, expected: str) -> None:
    """Fails unless the rule says this of some statements; "" for nothing."""
    found = lint(Document.read(f"{HEAD}{statements}\nret;\n}}\n"), DEFAULT_RULES)
    assert "; ".join(each.message for each in found if each.rule == "float-domain") == expected


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("sqrt.rn.f32 %f2, 0fBF800000;", "`sqrt` of -1 is NaN"),
        ("mov.f32 %f2, 0fC0000000;\nrsqrt.approx.f32 %f3, %f2;", "`rsqrt` of -2 is NaN"),
        ("mov.f64 %fd1, 0dC000000000000000;\nsqrt.rn.f64 %fd2, %fd1;", "`sqrt` of -2 is NaN"),
        ("rcp.rn.f32 %f2, 0f00000000;", "division by 0 results in infinity or NaN"),
        ("setp.gt.f32 %p1, %f1, 0f7FFFFFFF;", "the comparison with NaN is always false"),
        ("setp.neu.f32 %p1, %f1, 0fFFC00000;", "the comparison with NaN is always true"),
    ],
)
def test_constants_without_a_useful_result(statements: str, expected: str) -> None:
    check_domain(statements, expected)


@pytest.mark.parametrize(
    "statements",
    [
        "sqrt.rn.f32 %f2, 0f80000000;",
        "sqrt.rn.f32 %f2, %f1;",
        "setp.eq.f32 %p1, %f1, 0f7F800000;",
        "setp.nan.f32 %p1, %f1, 0f7FC00000;",
        "div.rn.f32 %f2, 0f00000000, %f1;",
        "neg.f32 %f2, %f1;\nlg2.approx.f32 %f3, %f2;",
    ],
)
def test_useful_instructions(statements: str) -> None:
    check_domain(statements, "")
