from tests.support.computation import check_quiet, check_rule

RULE = "absent-lane"


def test_mistake() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r1, %laneid;
        setp.lt.u32 %p1, %r1, 16;
        @!%p1 bra NEXT;
        shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ absent-lane
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
@%p1 shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xffff;
        """,
        """
mov.u32 %r1, %laneid;
setp.lt.u32 %p1, %r1, 16;
@%p1 exit;
shfl.sync.idx.b32 %r2, %r1, 20, 31, -1;
        """,
        """
mov.u32 %r1, %laneid;
setp.lt.u32 %p1, %r1, 16;
@%p1 bar.warp.sync -1;
@!%p1 bar.warp.sync -1;
        """,
    )
