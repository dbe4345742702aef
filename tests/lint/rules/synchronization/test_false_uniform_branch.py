from tests.support.computation import check_quiet, check_rule

RULE = "false-uniform-branch"


def test_mistake() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r1, %laneid;
        setp.lt.u32 %p1, %r1, 16;
        @%p1 bra.uni NEXT;
    //  ^^^^^^^^^^^^^^^^^^ false-uniform-branch
        add.u32 %r2, %r1, 1;
    NEXT:
        add.u32 %r2, %r1, 1;
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        """
mov.u32 %r1, %tid.x;
setp.lt.u32 %p1, %r1, 64;
@%p1 bra.uni NEXT;
add.u32 %r2, %r1, 1;
NEXT:
add.u32 %r2, %r1, 1;
        """,
        """
setp.lt.u32 %p1, %r9, 64;
@%p1 bra.uni NEXT;
add.u32 %r2, %r1, 1;
NEXT:
add.u32 %r2, %r1, 1;
        """,
    )
