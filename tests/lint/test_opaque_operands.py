"""Textures and surfaces in the places of ordinary variables, and modifiers that trade places."""

from tests.support.lint import check_lint, check_module

HEAD = """
.version 8.0
.target sm_90
.address_size 64
.global .texref picture;
.visible .entry kernel()
{
.reg .b32 %r<10>;
.reg .b64 %rd<10>;
"""


def test_memory_of_a_texture() -> None:
    check_module(
        HEAD
        + """ld.global.u32 %r1, [picture];
//                                       ^^^^^^^^^ operand-type: `[picture]` has type `.texref`
st.global.u32 [picture+4], %r1;
//            ^^^^^^^^^^^ operand-type: `[picture+4]` has type `.texref`
}
""".replace("//                                       ^", "//                 ^")
    )


def test_address_of_a_texture() -> None:
    check_module(
        HEAD
        + """mov.u64 %rd1, picture;
mov.u32 %r1, picture;
//           ^^^^^^^ operand-kind: `picture`: the address of a texture, sampler or surface needs
mov.b64 %rd1, picture;
//            ^^^^^^^ operand-kind: `picture`: the address of a texture, sampler or surface needs
mov.u32 %r1, picture+4;
}
"""
    )


def test_priorities_in_the_wrong_order() -> None:
    check_lint("""
    createpolicy.fractional.L2::evict_first.L2::evict_last.b64 %rd1;
    //                                     ^^^^^^^^^^^^^^^ modifier-order: `.L2::evict_last`
    """)
