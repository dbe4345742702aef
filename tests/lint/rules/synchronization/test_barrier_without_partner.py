from tests.support.computation import check_quiet, check_rule

RULE = "barrier-without-partner"


def test_mistake() -> None:
    check_rule(
        RULE,
        """
        bar.arrive 1, 64;
    //  ^^^^^^^^^^^^^^^^^ barrier-without-partner
        bar.arrive 2, 64;
    //  ^^^^^^^^^^^^^^^^^ barrier-without-partner
        bar.sync 2, 96;
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        """
bar.arrive 1, 64;
bar.sync 1, 64;
        """,
        """
bar.arrive 1, 64;
bar.sync %r9, 64;
        """,
        """
bar.arrive 1, 64;
bar.sync 1;
        """,
    )
