"""The rule unset-register."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_settings import RuleSettings
from ptx_ls.source import Diagnostic, Severity
from tests.support.computation import BODY, HEADER, check_quiet, check_rule, check_rule_in_module

RULE = "unset-register"


def check_severity(statements: str, severity: Severity) -> Diagnostic:
    """Fails unless exactly one read is reported in a kernel, with a severity; returns it."""
    only = RuleSettings(frozenset(rules()) - {RULE})
    (found,) = lint(Document.read(f"{HEADER}{BODY}{statements}ret;\n}}\n"), only)
    assert found.severity is severity
    assert not found.fixes
    return found


def test_registers_that_nothing_writes() -> None:
    check_rule(
        RULE,
        """
          ld.param.u64 %rd1, [parameter];
          st.global.u32 [%rd1], %r1;
        //                      ^^^ unset-register: register `%r1` has no value: nothing in this
          @!%p1 st.global.u32 [%rd2], 1;
        //  ^^^ unset-register: guard `%p1` has no value: nothing in this function writes it
        //                     ^^^^ unset-register: register `%rd2` has no value
        """,
    )


def test_only_the_first_read_is_reported() -> None:
    check_rule(
        RULE,
        """
        st.shared.u32 [%r1], 1;
        //             ^^^ unset-register
        st.shared.u32 [%r1+4], 1;
        """,
    )


def test_a_register_that_is_written_later() -> None:
    statements = (
        "mov.u32 %r30, 64;\nnext:\nadd.u32 %r1, %r1, 1;\nst.shared.u32 [%r30], %r1;\n"
        "setp.lt.u32 %p1, %r1, 9;\n@%p1 bra next;\n"
    )
    found = check_severity(statements, Severity.WARNING)
    assert found.message == "register `%r1` is read here before anything writes it"
    assert [each.message for each in found.related] == ["`%r1` is written only here"]


def test_a_path_that_does_not_write_the_register() -> None:
    statements = (
        "mov.u32 %r30, 64;\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra done;\n"
        "mov.u32 %r2, 5;\ndone:\nst.shared.u32 [%r30], %r2;\n"
    )
    found = check_severity(statements, Severity.INFORMATION)
    assert found.message.startswith(
        "register `%r2` may have no value here: at least one path from the start"
    )


def test_results_of_functions() -> None:
    check_rule_in_module(
        RULE,
        f"""
{HEADER}.visible .func (.reg .u32 result) f(.reg .u32 given)
//                        ^^^^^^ unset-register: result `result` has no value
{{
st.shared.u32 [given], 1;
ret;
}}
""",
    )


def test_guards_that_exclude_the_read() -> None:
    check_quiet(
        RULE,
        "mov.u32 %r30, 64;\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mov.u32 %r2, 5;\n"
        "@%p1 st.shared.u32 [%r30], %r2;",
        "mov.u32 %r30, 64;\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mov.u32 %r2, 5;\n"
        "@!%p1 mov.u32 %r2, 6;\nst.shared.u32 [%r30], %r2;",
    )


def test_instructions_that_do_not_need_the_value() -> None:
    check_quiet(
        RULE,
        "mov.u32 %r30, 64;\nxor.b32 %r1, %r1, %r1;\nst.shared.u32 [%r30], %r1;",
        "mov.u32 %r30, 64;\nsub.u32 %r1, %r1, %r1;\nst.shared.u32 [%r30], %r1;",
    )


def test_statements_that_cannot_be_read() -> None:
    check_quiet(RULE, "frob %r1;\nst.shared.u32 [%r2], %r1;")


def test_registers_of_a_block_on_one_line() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r30, 64;
        mov.u32 %r1, %tid.x;
        { .reg .b32 x; add.u32 %r2, x, %r1; }
        //                          ^ unset-register: register `x` has no value
        { .reg .b32 y; mov.b32 y, %r1; add.u32 %r3, y, %r1; }
        { .reg .b32 %r0; mov.b32 %r0, %r1; add.u32 %r4, %r0, %r1; st.shared.u32 [%r30], %r4; }
        st.shared.v2.u32 [%r30], {%r2, %r3};
        st.shared.u32 [%r30+8], %r4;
        """,
    )
