from tests.support.lint import check_declarations, check_fix, check_lint, check_module


def test_address() -> None:
    check_lint("""
    add.s32 %r1, %r2, [%rd1];
    //                ^^^^^^ operand-kind: `[%rd1]` is an address, expected an `.s32` register or a
    """)


def test_special_register() -> None:
    check_lint("""
    add.u32 %r1, %r2, %tid.x;
    //                ^^^^^^ operand-kind: `%tid.x` is a special register, expected a `.u32`
    mov.u32 %tid.x, %r1;
    //      ^^^^^^ operand-kind: `%tid.x` is a special register, expected a `.u32` register
    """)


def test_number_as_destination() -> None:
    check_lint("""
    mov.b32 5, %r1;
    //      ^ operand-kind: `5` is a number, expected a `.b32` register
    """)


def test_register_as_address() -> None:
    check_lint("""
    ld.global.u32 %r1, %rd1;
    //                 ^^^^ operand-kind: `%rd1` is a register, expected a `.global` address
    """)


def test_negation() -> None:
    check_lint("""
    add.s32 %r1, -%r2, 1;
    //           ^^^^ operand-kind: `-%r2`: operand `a` cannot be negated
    """)


def test_arithmetic_with_names() -> None:
    check_lint("""
    ld.global.u32 %r1, [%rd1-4];
    //                  ^^^^^^ operand-kind: `%rd1-4`: only `+` and a constant can follow
    ld.global.u32 %r1, [%rd1 + %rd2];
    //                  ^^^^^^^^^^^ operand-kind: `%rd1 + %rd2`: only a constant can be added to
    ld.global.u32 %r1, [4 + %rd2];
    //                  ^^^^^^^^ operand-kind: `4 + %rd2`: a name must come first, as in
    ld.global.u32 %r1, [%rd1 + WARP_SZ * 2];
    """)


def test_fractions_in_addresses() -> None:
    check_lint("""
    ld.global.u32 %r1, [%rd1+1.5];
    //                  ^^^^^^^^ operand-kind: `%rd1+1.5`: only integers are allowed in an address
    """)


def test_elements_of_a_scalar() -> None:
    check_lint("""
    mov.b32 %r1, %r2.x;
    //           ^^^^^ operand-kind: `%r2.x`: only a vector has elements
    """)


def test_elements_within_vectors() -> None:
    check_lint("""
    ld.global.v2.u32 {%r1.x, %r2}, [%rd1];
    //                ^^^^^ operand-kind: `%r1.x`: only a vector has elements
    ld.global.v2.u32 {%r1.add, %r2}, [%rd1];
    //                ^^^^^^^ operand-kind: `%r1.add`: `.add` is not an element
    ld.global.v2.u32 {%r1.b0, %r2.b}, [%rd1];
    tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1.x}];
    //                                             ^^^^^^^ operand-kind: `{%f1.x}`: only a vector
    """)


def test_second_result() -> None:
    check_lint("""
    setp.lt.s32 %p1|LABEL, %r1, %r2;
    //              ^^^^^ operand-kind: expected a `.pred` register
    shfl.sync.up.b32 %r1|%p1.x, %r2, 1, 0, -1;
    //               ^^^^^^^^^ operand-kind: `%r1|%p1.x`: the second result has no elements
    LABEL:
    """)


def test_fixes() -> None:
    check_fix("ld.global.u32 [%rd1], %r1;\n", "ld.global.u32 %r1, [%rd1];\n")
    check_fix("add.s32 %r1, -%r2, %r3;\n", "add.s32 %r1, %r2, %r3;\n")


def test_arguments_of_numbers() -> None:
    check_lint("""
    mov.b32 %r1, 5(3);
    //           ^^^^ operand-kind: `5(3)`: an argument list cannot follow a number
    mov.b32 %r1, 5();
    //             ^ syntax-error: expected an operand, found `)`
    """)


def test_elements_in_calls() -> None:
    check_declarations("""
    .func (.reg .b32 %a) f(.reg .b32 %b) { ret; }
    .entry k() {
    .reg .v2 .b32 %v;
    .reg .b32 %r;
    call (%v.x), f, (%r);
    //    ^^^^ operand-kind: an argument of a call must be a whole register or variable
    call (%r), f, (%r.x);
    //             ^^^^ operand-kind: an argument of a call must be a whole register or variable
    ret;
    }
    """)


def test_vectors_that_are_written_in_braces() -> None:
    check_module("""
    .version 9.5
    .target sm_107a
    .address_size 64
    .entry k()
    {
    .reg .b64 %rd<3>;
    .reg .b32 %r<4>;
    .reg .b16 %rs<4>;
    .reg .v2 .b32 v;
    cp.async.bulk.prefetch.tensor.2d.L2.global.override::global_address [%rd0, %rd1, v];
    cp.async.bulk.prefetch.tensor.2d.L2.global.override::global_address.override::global_dim_stride
        [%rd0, %rd1, {%rs0, %rs1}, {%r0}, %rs2, {%r2, %r3}];
    cp.async.bulk.prefetch.tensor.2d.L2.global.override::global_address.override::global_dim_stride
        [%rd0, %rd1, {%rs0, %rs1}, {%r0}, %rs2, v];
    //                                          ^ operand-kind: vectors must be in
    }
    """)


def test_128_bits_from_a_constant() -> None:
    check_module("""
    .version 8.3
    .target sm_90
    .address_size 64
    .entry k() {
        .reg .b128 %rq1;
        mov.b128 %rq1, 41;
        mov.b128 %rq1, 0xffffffffffffffff;
        mov.b128 %rq1, 1.5;
    //                 ^^^ operand-type: `1.5` is a floating-point constant, expected a `.b128`
        ret;
    }
    """)


def test_selectors_are_named_by_a_range() -> None:
    check_lint("""
    vadd2.u32.u32.u32 %r1, %r2.b23, %r3, %r4;
    //                     ^^^^^^^ operand-kind: expected a selector from `.h00` to `.h33`
    """)


def test_something_added_after_a_selector() -> None:
    check_lint("""
    ld.global.u32 %r1, [%rd1.u64+4];
    //                  ^^^^^^^^^^ operand-kind: `%rd1.u64+4`: `.u64` is not a component
    ld.global.u32 %r1, [%rd1.x+4];
    //                  ^^^^^^^^ operand-kind: `%rd1.x+4`: nothing can be added to a component
    """)


def test_number_of_fragments() -> None:
    check_lint("""
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2}, [%r3];
    //                                       ^^^^^^^^^^ operand-kind: `.x4` takes 4 registers
    ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3];
    """)


def test_a_vector_of_unlike_elements() -> None:
    check_lint("""
    mov.b64 {%r1, %rs2}, %rd1;
    //      ^^^^^^^^^^^ operand-kind: `{%r1, %rs2}` mixes elements of type `.b32` and `.b16`, expected elements of one type
    """)  # noqa: E501


def test_address_of_code() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .func called() { ret; }
    .entry k()
    {
        .reg .b64 %rd<2>;
        st.u64 [called], %rd1;
        //     ^^^^^^^^ operand-kind: `[called]` contains a function, which is not in memory
        ret;
    }
    """)


def test_a_vector_with_a_number() -> None:
    check_lint("""
    mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r1, %r2}, {1.5, %r2}, {%r3}, {%r1, %r2};
    //                                                           ^^^^^^^^^^ operand-kind: an element
    """)


def test_what_an_indirect_call_takes() -> None:
    check_lint("""
    call %rd1, (%r1), %r2;
    //                ^^^ operand-kind: expected a label of `.callprototype`, a label of
    """)


def test_scale_factors_in_braces() -> None:
    """CUTLASS writes scale factors, and metadata with them, as vectors of one register."""
    check_module("""
    .version 8.8
    .target sm_120a
    .address_size 64
    .visible .entry scale(.param .b32 word)
    {
        .reg .b32 %r1, %r2, %r3, %r4;
        .reg .f32 %f1, %f2, %f3, %f4;
        ld.param.b32 %r1, [word];
        mov.b32 %r2, %r1;
        mov.b32 %f1, %r1;
        mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0 {%f1, %f2, %f3, %f4}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1}, {%r1}, {0, 0}, {%r1}, {0, 0};
        mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {%f1, %f2, %f3, %f4}, {%r1, %r1, %r1, %r1}, {%r1, %r1, %r1, %r1}, {%f1, %f1, %f1, %f1}, {%r1}, 0, {%r1}, {0, 0}, {%r1}, {0, 0};
        mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0 {%f1, %f2, %f3, %f4}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1}, {%r1, %r2}, {0, 0}, %r1, {0, 0};
        //                                                                                                                                                                 ^^^^^^^^^^ operand-kind: `{%r1, %r2}` is a vector, expected a `.b32` register or a vector of 1 `.b32` element
        ret;
    }
    """)  # noqa: E501
