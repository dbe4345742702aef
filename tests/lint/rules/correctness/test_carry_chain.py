from tests.support.computation import check_quiet, check_rule

RULE = "carry-chain"


def test_readers_without_a_writer() -> None:
    check_rule(
        RULE,
        """
        addc.cc.u32 %r1, %r2, %r3;
        ^^^^ carry-chain: but no instruction with `.cc` sets it
        """,
    )


def test_a_borrow_is_not_a_carry() -> None:
    check_rule(
        RULE,
        """
        sub.cc.u32 %r1, %r2, %r3;
        madc.lo.u32 %r4, %r2, %r3, %r1;
        ^^^^ carry-chain: `madc` adds a carry, but the carry flag holds the borrow of `sub.cc.u32`
        """,
    )


def test_a_loop_that_begins_without_a_carry() -> None:
    check_rule(
        RULE,
        """
        next:
        addc.cc.u32 %r1, %r1, %r2;
        ^^^^ carry-chain: on some paths, `addc` reads the carry flag
        @%p1 bra next;
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "add.cc.u32 %r1, %r2, %r3;\naddc.u32 %r4, %r5, 0;",
        "@%p1 add.cc.u32 %r1, %r2, %r3;\n@%p1 addc.u32 %r4, %r5, 0;",
        "bra L;\nM: addc.u32 %r4, %r5, 0;\nbra N;\nL: add.cc.u32 %r1, %r2, %r3;\nbra M;\nN:",
        "mad.lo.cc.u32 %r1, %r2, %r3, %r4;\nmadc.hi.u32 %r5, %r2, %r3, 0;",
    )


def test_a_flag_that_is_only_shifted_in() -> None:
    check_quiet(
        RULE,
        "sub.cc.u32 %r1, %r2, %r3;\naddc.u32 %r4, %r5, %r5;",
        "sub.cc.u32 %r1, %r2, %r3;\naddc.u32 %r4, 0, 0;",
        "add.cc.u32 %r1, %r2, %r3;\nsubc.u32 %r4, %r4, %r4;",
    )


def test_nothing_is_shifted_in_without_a_flag() -> None:
    check_rule(
        RULE,
        """
        addc.u32 %r1, %r2, %r2;
        ^^^^ carry-chain: but no instruction with `.cc` sets it
        """,
    )


def test_unreachable_code_is_not_reported() -> None:
    check_quiet(RULE, "bra L;\naddc.u32 %r4, %r5, 0;\nL:")
