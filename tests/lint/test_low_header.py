"""A version or target that is too old is told once for all instructions that lack the same."""

from ptx_ls.source import separate
from tests.support.lint import check_module, diagnostics

KERNEL = """\
.version 7.0
.target sm_70
.address_size 64
.entry kernel() {
    .reg .b32 %r<3>;
    redux.sync.add.s32 %r1, %r2, -1;
    redux.sync.min.s32 %r1, %r2, -1;
    redux.sync.max.s32 %r1, %r2, -1;
    elect.sync %r1|_, -1;
    ret;
}
"""


def test_target() -> None:
    first, second = diagnostics(KERNEL)
    assert "sm_80 or newer, but `.target` is sm_70 (2 more like this)" in first.message
    assert [related.range.start.line for related in first.related] == [6, 7]
    assert "needs PTX ISA 8.0 and sm_90 or newer" in second.message


def test_version() -> None:
    (only,) = diagnostics(KERNEL.replace("elect", "//").replace("7.0", "6.5").replace("70", "75"))
    assert "needs PTX ISA 7.0 and sm_80 or newer" in only.message


def test_two_are_told_apart() -> None:
    check_module("""
    .version 7.0
    .target sm_70
    .address_size 64
    .entry kernel() {
        .reg .b32 %r<3>;
        redux.sync.add.s32 %r1, %r2, -1;
    //  ^^^^^^^^^^^^^^^^^^ unsupported-target
        redux.sync.min.s32 %r1, %r2, -1;
    //  ^^^^^^^^^^^^^^^^^^ unsupported-target
        ret;
    }
    """)


def test_head_that_lost_a_parenthesis() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel
        .param .u64 a,
    //  ^^^^^^ misplaced-directive: missing `{` or `;`
        .param .u64 b
    )
    {
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [a];
        ld.param.u64 %rd2, [b];
        ret;
    }
    """)


def test_head_that_is_missing() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
      {
    //^ misplaced-instruction
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [a];
        ld.param.u64 %rd2, [b];
        ret;
    }
    """)
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
      (.param .u64 a,
    //^ syntax-error
        .param .u64 b)
    {
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [a];
        ld.param.u64 %rd2, [b];
        ret;
    }
    """)


def test_a_comment_keeps_one_of_several_quiet() -> None:
    text = KERNEL.replace("add.s32 %r1, %r2, -1;", "add.s32 %r1, %r2, -1; // ptx-ls: ignore")
    found = [each for each in diagnostics(text) if "sm_80" in each.message]
    assert [each.range.start.line for each in found] == [6, 7]


def test_every_place_is_known_with_its_own_message() -> None:
    first, _ = diagnostics(KERNEL)
    assert [(each.range.start.line, each.message.partition(" ")[0]) for each in first.singles] == [
        (5, "`redux.sync.add.s32`"),
        (6, "`redux.sync.min.s32`"),
        (7, "`redux.sync.max.s32`"),
    ]
    alone = separate([first])
    assert [each.message for each in alone] == [single.message for single in first.singles]
    assert not any("more like this" in each.message for each in alone)
