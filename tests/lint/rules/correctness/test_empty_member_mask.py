from tests.support.computation import check_quiet, check_rule

RULE = "empty-member-mask"


def test_all_instructions_with_a_mask() -> None:
    check_rule(
        RULE,
        """
        shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, 0x0;
        //                                     ^^^ empty-member-mask: mask of `shfl.sync.idx.b32`
        vote.sync.uni.pred %p1, %p2, 0;
        //                           ^ empty-member-mask
        match.all.sync.b64 %r1|%p1, %rd1, 0;
        //                                ^ empty-member-mask
        redux.sync.min.s32 %r1, %r2, 0;
        //                           ^ empty-member-mask
        elect.sync %r1|%p1, 0;
        //                  ^ empty-member-mask
        bar.warp.sync 0;
        //            ^ empty-member-mask
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "shfl.sync.idx.b32 %r1, %r2, 0, 31, 1;",
        "vote.sync.any.pred %p1, %p2, -1;",
        "bar.warp.sync %r1;",
        "bar.sync 0;",
    )
