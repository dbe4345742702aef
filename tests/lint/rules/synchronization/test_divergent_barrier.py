from tests.support.computation import check_quiet, check_rule

RULE = "divergent-barrier"


def test_mistake() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r1, %laneid;
        setp.lt.u32 %p1, %r1, 16;
        @%p1 bar.sync 0;
    //  ^^^^^^^^^^^^^^^^ divergent-barrier
        @!%p1 bra NEXT;
        bar.arrive 1, 64;
    //  ^^^^^^^^^^^^^^^^^ divergent-barrier
    NEXT:
        add.u32 %r2, %r1, 1;
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        """
mov.u32 %r1, %laneid;
setp.lt.u32 %p1, %r1, 16;
@%p1 exit;
bar.sync 0;
        """,
        """
mov.u32 %r1, %laneid;
setp.lt.u32 %p1, %r1, 16;
@%p1 barrier.sync 1, 64;
        """,
        """
mov.u32 %r1, %r9;
setp.lt.u32 %p1, %r1, 16;
@%p1 bar.sync 0;
        """,
    )
