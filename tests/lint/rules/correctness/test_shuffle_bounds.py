from tests.support.computation import check_quiet, check_rule

RULE = "shuffle-bounds"


def test_no_lane_is_read() -> None:
    check_rule(
        RULE,
        """
        shfl.sync.up.b32 %r1, %r2, %r3, 31, -1;
        //                              ^^ shuffle-bounds: each lane receives its own value: with
        shfl.sync.down.b32 %r1, %r2, 4, 0x1800, -1;
        //                              ^^^^^^ shuffle-bounds: no other lane is in range
        shfl.sync.bfly.b32 %r1, %r2, 16, 0x1f1f, -1;
        //                               ^^^^^^ shuffle-bounds: only some lanes exchange their
        shfl.sync.up.b32 %r1, %r2, 0, %r3, -1;
        //                         ^ shuffle-bounds: `.up` by 0 does not read another lane
        """,
    )


def test_some_lanes_are_read() -> None:
    check_rule(
        RULE,
        """
        shfl.sync.bfly.b32 %r1, %r2, 1, 16, -1;
        //                              ^^ shuffle-bounds: only some lanes exchange their values
        shfl.sync.down.b32 %r1, %r2, 1, 16, -1;
        //                              ^^ shuffle-bounds: no lane can read the last lanes
        shfl.sync.idx.b32 %r1, %r2, %r3, 0x8, -1;
        //                               ^^^ shuffle-bounds: no lane can read the last lanes
        """,
    )


def test_segments() -> None:
    check_rule(
        RULE,
        """
        shfl.sync.idx.b32 %r1, %r2, %r3, 0x41f, -1;
        //                               ^^^^^ shuffle-bounds: the segment mask in `0x41f` does not
        """,
    )


def test_correct_statements() -> None:
    check_quiet(
        RULE,
        "shfl.sync.up.b32 %r1, %r2, 1, 0, -1;",
        "shfl.sync.up.b32 %r1, %r2, 1, 0x1800, -1;",
        "shfl.sync.down.b32 %r1, %r2, %r3, 31, -1;",
        "shfl.sync.idx.b32 %r1, %r2, 0, 0, -1;",
        "shfl.sync.idx.b32 %r1, %r2, %r3, %r4, -1;",
        "shfl.sync.idx.b32 %r1, %r2, 3, 0x1c03, -1;",
        "shfl.sync.bfly.b32 %r1, %r2, %r3, 0x181f, -1;",
    )
