from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity
from tests.support.lint import check_declarations, check_lint, module

DECLARATIONS = """\
.global .u32 table[8];
.shared .u32 value;
.const .f32 single;
.func (.param .b32 result) pair(.param .b32 a, .param .b32 b) { ret; }
.func nothing() { ret; }
"""


def check_statement(statement: str, rejected: str | None) -> None:
    """Fails unless the only error is at the text `rejected`; None: there is none."""
    body = f".param .b32 p0;\n.param .b32 p1;\nDone:\n{statement}\n"
    text = module(body).replace(".visible .entry", f"{DECLARATIONS}.visible .entry", 1)
    errors = [it for it in lint(Document.read(text)) if it.severity is Severity.ERROR]
    lines = text.split("\n")
    places = [
        lines[it.range.start.line][it.range.start.column : it.range.end.column] for it in errors
    ]
    assert places == ([] if rejected is None else [rejected])


@pytest.mark.parametrize(
    "statement",
    [
        "add.u32 %r1, %r2+4, 1;",
        "add.u32 %r1, %r2+-4, +1;",
        "add.f32 %f1, %f2+1, %f3;",
        "mov.u64 %rd1, table+4;",
        "mov.u32 %r1, +WARP_SZ;",
        "st.global.v2.u32 [%rd1], {+1, -2};",
        "st.global.u32 [%rd1], %r1+4;",
        "shfl.sync.idx.b32 %r1|%p1, %r2+1, %r3, 1, -1;",
        "call nothing, ();",
    ],
)
def test_a_constant_may_be_added_to_a_name(statement: str) -> None:
    check_statement(statement, None)


@pytest.mark.parametrize(
    ("statement", "rejected"),
    [
        ("add.u32 +%r1, %r2, 1;", "+%r1"),
        ("add.u32 %r1, +%r2, 1;", "+%r2"),
        ("add.u32 %r1, %r2+4.5, 1;", "%r2+4.5"),
        ("add.u32 %r1+4, %r2, 1;", "%r1+4"),
        ("setp.eq.u32 %p1|-%p2, %r1, %r2;", "%p1|-%p2"),
        ("ld.global.v2.u32 {%r1+4, %r2}, [%rd1];", "%r1+4"),
        ("st.global.v2.u32 [%rd1], {-%r1, 1};", "-%r1"),
        ("ld.global.u32 %r1, [-%rd1+4];", "-%rd1+4"),
        ("bra Done+4;", "Done+4"),
        ("call (p0), pair+4, (p0, p1);", "pair+4"),
        ("call (p0), pair, (p0, p1+4);", "p1+4"),
        ("call , nothing;", ","),
        ("mov.u32 %r1, WARP_SZ.x;", "WARP_SZ.x"),
        ("ld.global.u32 %r1, +[%rd1];", "+[%rd1]"),
        ("st.global.u32 [4+4], %r1;", "[4+4]"),
        ("mov.b64 %rd1, {%r1, %r2.x};", "%r2.x"),
        ("call (p0), pair.x, (p0, p1);", "pair.x"),
        ("mov.b64 %rd1, {, %r1};", ","),
    ],
)
def test_signs_and_sums_that_no_operand_has(statement: str, rejected: str) -> None:
    check_statement(statement, rejected)


@pytest.mark.parametrize(
    "statement",
    [
        "add.u64 %rd1, nothing, 1;",
        "st.global.u32 [%rd1], nothing;",
        "and.pred %p1, nothing, %p2;",
        "mov.f32 %f1, nothing;",
        "add.u32 %r1, table+4, 1;",
        "shl.b32 %r1, %r1, table+4;",
        "ld.global.v2.u32 {value, %r1}, [%rd1];",
        "mov.b64 %rd1, {value, %r1};",
        "tex.1d.v4.u32.s32 {%r1, %r2, %r3, value}, [%rd1, {value}];",
    ],
)
def test_what_ptxas_takes_for_a_value_is_no_error(statement: str) -> None:
    check_statement(statement, None)


@pytest.mark.parametrize(
    ("statement", "rejected"),
    [
        ("add.u64 %rd1, table, 1;", "table"),
        ("shl.b32 %r1, %r1, nothing;", "nothing"),
        ("add.f32 %f1, table+4, %f2;", "table+4"),
        ("add.u64 nothing, %rd1, 1;", "nothing"),
        ("ld.global.v2.u32 {table, %r1}, [%rd1];", "table"),
        ("ld.global.u32 value, [%rd1];", "value"),
        ("add.u32 %r1, single, 1;", "single"),
    ],
)
def test_other_names_are_no_values(statement: str, rejected: str) -> None:
    check_statement(statement, rejected)


def test_a_float_without_digits_is_an_error_of_syntax() -> None:
    check_statement("add.f32 %f1, %f2, 0F + 2;", "0F")


def test_nothing_but_constants_and_names_in_groups() -> None:
    check_lint("""
    mov.b64 %rd0, {%r0, %r1|%r2};
    //                  ^^^^^^^ operand-kind: `|` cannot follow an element
    st.global.v2.b32 [%rd0], {%r0, %r1|_};
    //                             ^^^^^ operand-kind
    ld.global.b32 %r0, [%rd0 + {8}];
    //                  ^^^^^^^^^^ operand-kind: only a constant can be added to an address
    ld.global.b32 %r0, [%rd0 + ()];
    //                  ^^^^^^^^^ operand-kind
    ld.global.b32 %r0, [%rd0 + (8)];
    """)


def test_dots_in_names_of_functions() -> None:
    check_declarations("""
    .func helper.x() { ret; }
    //    ^^^^^^^^ invalid-declaration: `helper.x` contains a dot, which is not allowed in a name
    """)
