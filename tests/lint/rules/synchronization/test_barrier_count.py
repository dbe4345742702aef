from tests.support.computation import check_quiet, check_rule

RULE = "barrier-count"


def test_mistake() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r1, 100;
        bar.sync 1, %r1;
    //  ^^^^^^^^^^^^^^^^ barrier-count
        mov.u32 %r2, 2048;
        barrier.sync 2, %r2;
    //  ^^^^^^^^^^^^^^^^^^^^ barrier-count
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        """
bar.sync 1, %r9;
        """,
        """
mov.u32 %r1, 96;
bar.sync 1, %r1;
        """,
        """
bar.sync 0;
        """,
    )
