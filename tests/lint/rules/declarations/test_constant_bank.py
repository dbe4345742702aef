from tests.support.lint import check_module


def test_banks_for_external_arrays() -> None:
    check_module("""
    .version 2.1
    .target sm_20
    .extern .const[1] .b32 a[], b[];
    .extern .const[10] .align 8 .v2 .b32 c[0];
    .extern .const[2] .b32 d;
    //                     ^ constant-bank: bank 2 holds only external arrays without a size
    .const[1] .b32 e[2] = {1, 2};
    //             ^ constant-bank
    .const[0] .b32 f;
    .visible .const[0] .b32 g[2] = {1, 2};
    .extern .const .b32 h[];
    //                  ^ constant-bank: an external array without a size needs `.const[1]` or a
    //                  ^ unresolved-symbol
    .extern .const[0] .b32 i[];
    //                     ^ constant-bank
    .extern .const[11] .b32 j[];
    //      ^^^^^^^^^^ constant-bank: constant bank 11 does not exist, expected 0 to 10
    """)


def test_loads() -> None:
    check_module("""
    .version 2.1
    .target sm_20
    .extern .const[1] .b32 a[];
    .entry kernel
    {
        .reg .b32 %r<4>;
        ld.const[1].b32 %r0, [a + 4];
        ld.const[10].v2.b32 {%r0, %r1}, [a];
        ld.const[2] .b32 %r0, [%r1]; ld.const[11].b32 %r0, [a];
        //                             ^^^^^^^^^^ constant-bank
        ld.const[3].b32 %r9, [a];
        //              ^^^ undeclared-register
        st.const[1].b32 [a], %r0;
        //^^^^^^^^^ unknown-modifier
        exit;
    }
    """)


def test_versions() -> None:
    check_module("""
    .version 1.4
    .target sm_10
    .const[0] .b32 a;
    .extern .const[1] .b32 b[];
    //      ^^^^^^^^^ unsupported-version: `.const[1]` needs PTX ISA 1.5, but `.version` is 1.4
    .entry kernel
    {
        .reg .b32 %r<4>;
        ld.const[0].b32 %r0, [a];
        ld.const[1].b32 %r0, [b];
        //^^^^^^^^^ unsupported-version
        exit;
    }
    """)
    check_module("""
    .version 2.2
    .target sm_20
    .extern .const[1] .b32 a[];
    //      ^^^^^^^^^ removed-feature: `.const[1]` was removed
    .const .b32 b;
    .entry kernel(.param .u32 .ptr .const[1] .align 4 c)
    {
        .reg .b32 %r<4>;
        ld.const[0].b32 %r0, [b];
        //^^^^^^^^^ removed-feature
        ld.const.b32 %r0, [b];
        exit;
    }
    """)
