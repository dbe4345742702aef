from tests.support.lint import check_fix, check_lint, check_module


def test_names_of_several_words() -> None:
    check_lint("""
    mul .lo.u32 %r0, %r1, %r2;
    //  ^^^ split-opcode: `mul.lo` is one word
    @%p0 mad /* low */ .lo.u32 %r0, %r1, %r2, %r3;
    //                 ^^^ split-opcode
    cvta.to.global .u64 %rd0, %rd1;
    cvta
      .to.global.u64 %rd0, %rd1;
    //^^^ split-opcode
    bar.cta .red .popc.u32 %r0, 0, %p0;
    //      ^^^^ split-opcode: `bar.cta.red` is one word
    bar
        .cta
    //  ^^^^ split-opcode
        .red.popc.u32 %r0, 0, %p0;
    //  ^^^^ split-opcode
    pmevent .mask 1;
    //      ^^^^^ split-opcode
    """)


def test_modifiers_stand_apart() -> None:
    check_lint("""
    bar .sync 0;
    mul .f32 %f0, %f1, %f2;
    setp .lt /* signed */ .s32 %p0, %r0, %r1;
    mbarrier.init
        .shared::cta // of this block
        .b64 [%r0], 1;
    membar .gl;
    """)


def test_an_unknown_version_may_have_other_names() -> None:
    check_module("""
    .version 77.0
    //       ^^^^ unknown-version
    .target sm_90
    .visible .entry kernel()
    {
        .reg .b32 %r<3>;
        mul .lo.u32 %r0, %r1, %r2;
        ret;
    }
    """)


def test_fixes() -> None:
    check_fix("mul .lo.u32 %r0, %r1, %r2;\n", "mul.lo.u32 %r0, %r1, %r2;\n")
    check_fix("mul\n    .lo.u32 %r0, %r1, %r2;\n", "mul.lo.u32 %r0, %r1, %r2;\n")
    check_fix(
        "cp.async\t.commit_group;\nmul  .lo.u32 %r0, 1, 2;\n",
        "cp.async.commit_group;\nmul  .lo.u32 %r0, 1, 2;\n",
    )
