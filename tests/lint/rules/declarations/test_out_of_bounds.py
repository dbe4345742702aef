from tests.support.lint import check_fix, check_lint, check_module

NARROW = ".shared .b32 count;\n"


def test_load_and_store() -> None:
    check_lint("""
    .shared .b32 count;
    ld.shared.u64 %rd1, [count];
    //                   ^^^^^ out-of-bounds: `count` is .b32, accessed as .u64
    st.shared.v2.f64 [count+8], {%fd1, %fd2};
    //                ^^^^^^^ out-of-bounds: `count+8` is .b32, accessed as .f64
    ld.u64 %rd1, [count];
    //            ^^^^^ out-of-bounds
    """)


def test_parameters() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .entry kernel(.param .b8 flag, .param .b64 size) {
    .reg .b16 %rs<2>;
    .reg .b64 %rd<2>;
    ld.param.u16 %rs1, [flag];
                        ^^^^ out-of-bounds: `flag` is .b8, accessed as .u16
    ld.param.u8 %rs1, [flag];
    ld.param.u64 %rd1, [size];
    ld.param.u64 %rd1, [size+4];
    }
    """)


def test_ptxas_trusts_arrays_vectors_and_other_instructions() -> None:
    check_lint("""
    .shared .align 8 .b8 bytes[1];
    .shared .v2.b32 pair;
    .shared .b32 count;
    ld.shared.u64 %rd1, [bytes];
    ld.shared.u64 %rd1, [pair];
    ld.shared.v2.u32 {%r1, %r2}, [count];
    atom.shared.add.u64 %rd1, [count], 1;
    """)


def test_fix_accesses_what_there_is() -> None:
    check_fix(
        f"{NARROW}ld.shared.u64 %rd1, [count];\n",
        f"{NARROW}ld.shared.b32 %rd1, [count];\n",
    )
