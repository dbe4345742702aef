from tests.support.lint import check_module

HEAD = """
.version 8.0
.target sm_90{option}
.address_size 64
.global .texref picture;
.visible .entry kernel()
{{
.reg .b32 %r<10>;
.reg .b64 %rd<10>;
"""
INDEPENDENT = HEAD.format(option=", texmode_independent")
UNIFIED = HEAD.format(option="")


def test_no_sampler() -> None:
    check_module(
        INDEPENDENT
        + """tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [picture, {%r5}];
//                                       ^^^^^^^ texture-sampler: `picture` is read without
tex.level.2d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}], %r7;
//                                             ^^^^ texture-sampler: `%rd1` is read without
}
"""
    )


def test_texture_for_a_sampler() -> None:
    check_module(
        INDEPENDENT
        + """tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [picture, picture, {%r5}];
//                                                ^^^^^^^ operand-kind: `picture`
//                                                ^^^^^^^ texture-sampler: `picture` is not a
tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [picture, %rd1, {%r5}];
tex.2dms.v4.u32.s32 {%r1, %r2, %r3, %r4}, [picture, {%r5, %r6, %r7, %r8}];
}
"""
    )


def test_one_for_both() -> None:
    check_module(
        UNIFIED
        + """tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [picture, {%r5}];
}
"""
    )


def test_questions_to_a_sampler() -> None:
    check_module(
        INDEPENDENT
        + """txq.filter_mode.b32 %r1, [%rd1];
txq.filter_mode.b32 %r1, [picture];
//                        ^^^^^^^ texture-sampler: `picture` is not a sampler
txq.width.b32 %r1, [picture];
}
"""
    )
