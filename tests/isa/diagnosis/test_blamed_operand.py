"""Which part of an instruction is to blame for a broken rule."""

from tests.support.lint import check_lint


def test_number_that_a_rule_excludes() -> None:
    check_lint("""
    bar.arrive 1, 0;
    //            ^ immediate-range: at least one warp must arrive
    createpolicy.range.global.L2::evict_last.b64 %rd1, [%rd2], 200, 100;
    //                                                         ^^^ immediate-range: `primary-size`
    cp.async.ca.shared.global [%rd1], [%rd2], 4, 8;
    //                                           ^ immediate-range: the number of bytes to read
    """)


def test_operand_that_a_premise_excludes() -> None:
    check_lint("""
    mbarrier.arrive.shared::cluster.b64 %rd1, [%rd2];
    //                                  ^^^^ operand-kind: `%rd1`: an arrival at a
    """)


def test_the_negated_one_of_several_operands() -> None:
    check_lint("""
    vmad.u32.s32.u32.po.shr15 %r1, %r2, -%r3, %r4;
    //                                  ^^^^ operand-kind: `-%r3`: `.po` does not allow a negated
    """)


def test_illegal_and_discouraged_at_once() -> None:
    check_lint("""
    tex.cube.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%f5, %f6}];
    //                                               ^^^^^^^^^^ operand-kind: `{%f5, %f6}`: the
    """)


def test_modifier_that_a_conclusion_is_about() -> None:
    check_lint("""
    min.relu.u16x2 %r1, %r2, %r3;
    // ^^^^^ illegal-modifier: `.relu` is not allowed in `min.relu.u16x2`
    """)
