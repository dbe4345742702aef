"""Tests of the rule unused-label."""

from __future__ import annotations

from tests.support.lint import check_rule, check_rule_fix

RULE = "unused-label"


def test_unused() -> None:
    check_rule(
        RULE,
        """
    next:
//  ^^^^ unused-label: label `next` is never used
        // bra next;
        ret;
        { inner: ret; }
    //    ^^^^^ unused-label
    """,
    )


def test_lists_and_prototypes() -> None:
    check_rule(
        RULE,
        """
        targets: .branchtargets a, b;
    //  ^^^^^^^ unused-label: branch target list `targets` is never used
        type: .callprototype _ ();
    //  ^^^^ unused-label: call prototype `type` is never used
    a:
    b:
        ret;
    """,
    )


def test_quiet() -> None:
    check_rule(
        RULE,
        """
    next:
        @%p1 bra next;
        targets: .branchtargets next, other<2>;
        brx.idx %r1, targets;
    other0:
    other1:
        type: .callprototype _ ();
        call %rd1, type;
        ret;
    """,
    )
    check_rule(RULE, "next: jump next;")
    check_rule(RULE, "a: { a: bra a; }")


def test_debug_data_may_name_labels() -> None:
    check_rule(
        RULE,
        """
    .visible .entry kernel() { begin: ret; }
    .section .debug_line { .b64 begin }
    """,
    )


def test_fix() -> None:
    check_rule_fix(RULE, "next:\nret;\n", "ret;\n")
    check_rule_fix(RULE, "next: ret;\n", "ret;\n")
