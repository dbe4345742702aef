from tests.support.computation import check_quiet, check_rule

RULE = "unread-carry"


def test_carries_without_a_reader() -> None:
    check_rule(
        RULE,
        """
        add.cc.u32 %r1, %r2, %r3;
        // ^^^ unread-carry: the carry of `add.cc` is lost
        sub.cc.u32 %r1, %r2, %r3;
        subc.cc.u32 %r4, %r2, %r3;
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "add.cc.u32 %r1, %r2, %r3;\naddc.cc.u32 %r4, %r5, 0;",
        "@%p1 bra L;\nadd.cc.u32 %r1, %r2, %r3;\nbra M;\nL: add.cc.u32 %r1, %r2, 1;\n"
        "M: addc.u32 %r4, %r5, 0;",
    )
