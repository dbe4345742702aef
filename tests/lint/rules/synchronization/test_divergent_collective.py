from tests.support.computation import check_quiet, check_rule

RULE = "divergent-collective"


def test_mistake() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r1, %laneid;
        setp.lt.u32 %p1, %r1, 16;
        @%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ divergent-collective
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        """
mov.u32 %r1, %laneid;
setp.lt.u32 %p1, %r1, 32;
@%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;
        """,
        """
mov.u32 %r1, %tid.x;
setp.lt.u32 %p1, %r1, 64;
@%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;
        """,
    )
