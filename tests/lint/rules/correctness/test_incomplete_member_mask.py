from tests.support.computation import HEADER, check_quiet, check_rule, check_rule_in_module

RULE = "incomplete-member-mask"


def check_block(directive: str, statement: str) -> None:
    check_rule_in_module(
        RULE,
        f"{HEADER}.visible .entry kernel() {directive}\n{{\n{statement}\nret;\n}}\n",
    )


def test_lanes_that_a_condition_excludes() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r1, %laneid;
        setp.gt.u32 %p1, %r1, 23;
        @%p1 vote.sync.any.pred %p2, %p3, 0x00FFFFFF;
        //                                ^^^^^^^^^^ incomplete-member-mask: only lanes 24 to 31
        @!%p1 vote.sync.any.pred %p2, %p3, 0x00FFFFFF;
        setp.ne.u32 %p1, %r1, 3;
        @%p1 ret;
        bar.warp.sync 7;
        //            ^ incomplete-member-mask: only lane 3 executes this, but the mask `7` omits
        """,
    )


def test_all_lanes() -> None:
    check_block(
        ".reqntid 64",
        "bar.warp.sync 0xFFFF;\n//            ^^^^^^ incomplete-member-mask: omits lane 16",
    )
    check_block(".reqntid 64", "bar.warp.sync -1;")
    check_block(".reqntid 16", "bar.warp.sync 0xFFFF;")
    check_block(".maxntid 64", "bar.warp.sync 0xFFFF;")


def test_unknown_lanes() -> None:
    check_quiet(
        RULE,
        "bar.warp.sync 0xFFFF;",
        "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bar.warp.sync 0xFFFF0000;",
    )
