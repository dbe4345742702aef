"""Tests of the rule redundant-branch."""

from __future__ import annotations

from tests.support.lint import check_rule, check_rule_fix

RULE = "redundant-branch"


def test_a_branch_to_the_next_statement() -> None:
    check_rule(
        RULE,
        """
        bra.uni next;
    //  ^^^^^^^^^^^^^ redundant-branch: this branch has no effect: its target `next` is the next
    next:
        @!%p1 bra done;
    //  ^^^^^^^^^^^^^^^ redundant-branch
    other:
    done:
        ret;
    """,
    )


def test_quiet() -> None:
    check_rule(RULE, "next: @%p1 bra next; ret;")
    check_rule(RULE, "bra done; mov.b32 %r1, 0; done: ret;")
    check_rule(RULE, "bra missing; done: ret;")
    check_rule(RULE, "ret; bra done; done: ret;")


def test_fix() -> None:
    check_rule_fix(RULE, "@%p1 bra done;\ndone:\nret;\n", "done:\nret;\n")
    check_rule_fix(
        RULE, "mov.b32 %r1, 0; bra done;\ndone:\nret;\n", "mov.b32 %r1, 0;\ndone:\nret;\n"
    )
    check_rule_fix(RULE, "bra done; // on\ndone:\nret;\n", "// on\ndone:\nret;\n")
