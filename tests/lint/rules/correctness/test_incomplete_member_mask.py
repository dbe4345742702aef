import pytest

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
        //            ^ incomplete-member-mask: this instruction, but the mask `7` omits
        """,
    )


def test_all_lanes() -> None:
    check_block(
        ".reqntid 64",
        "bar.warp.sync 0xFFFF;\n//            ^^^^^^ incomplete-member-mask: omits lane 16",
    )
    check_block(".reqntid 64", "bar.warp.sync -1;")
    check_block(".reqntid 16", "bar.warp.sync 0xFFFF;")
    check_block(
        ".maxntid 64",
        "bar.warp.sync 0xFFFF;\n"
        "//            ^^^^^^ incomplete-member-mask: in a block of the largest size",
    )
    check_block(".maxntid 16", "bar.warp.sync 0xFFFF;")


def test_unknown_lanes() -> None:
    check_quiet(
        RULE,
        "bar.warp.sync 0xFFFF;",
        "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 16;\n@%p1 bar.warp.sync 0xFFFF;",
    )


def test_first_thread_of_any_block() -> None:
    check_rule(
        RULE,
        """
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 16;
        @%p1 bar.warp.sync 0xFFFF0000;
        //                 ^^^^^^^^^^ incomplete-member-mask: omits all of them
        """,
    )


def test_mask_of_each_lane() -> None:
    check_block(
        ".reqntid 64",
        """
        .reg .b32 %r<6>;
        mov.u32 %r1, %laneid;
        and.b32 %r2, %r1, 16;
        shl.b32 %r3, 0xFFFF, %r2;
        redux.sync.add.s32 %r4, %r1, %r3;
        not.b32 %r3, %r3;
        redux.sync.add.s32 %r4, %r1, %r3;
        //                           ^^^ incomplete-member-mask: all lanes execute this
        """,
    )


def test_lanes_that_may_have_ended() -> None:
    for condition, is_known in (("setp.ge.u32 %p1, %r1, 16;", True), (CONDITION, False)):
        after = "//            ^^^^ incomplete-member-mask: omits lane 8\n" * is_known
        check_block(
            ".reqntid 32",
            f"""
            .reg .b32 %r<6>;
            .reg .pred %p<3>;
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, %nctaid.x;
            {condition}
            @%p1 exit;
bar.warp.sync 0xFF;
{after}
            """,
        )


CONDITION = "setp.ge.u32 %p1, %r1, %r2;"


@pytest.mark.parametrize(
    ("index", "row", "mask", "is_reported"),
    [
        ("y", 1, "0xFF00", False),  # right in blocks of 8 by 4 threads
        ("y", 1, "0xFFFF0000", False),  # 16 by 2
        ("y", 1, "0x2", False),  # 1 by 32
        ("y", 0, "0xFF00", True),
        ("z", 1, "0xF0", False),  # 4 by 1 by 8
    ],
)
def test_rows_of_narrow_blocks(index: str, row: int, mask: str, *, is_reported: bool) -> None:
    check_block(
        "",
        f"""
        .reg .b32 %r<3>;
        .reg .pred %p<2>;
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, %tid.{index};
        setp.ne.u32 %p1, %r2, {row};
        @%p1 exit;
bar.warp.sync {mask};
{f"//            {'^' * len(mask)} incomplete-member-mask" * is_reported}
        """,
    )
