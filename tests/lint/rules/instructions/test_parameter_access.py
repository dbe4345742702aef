from tests.support.lint import check_declarations, check_lint, check_module


def test_store() -> None:
    check_lint("""
    st.param.u64 [parameter+0], %rd1;
    //            ^^^^^^^^^ parameter-access: cannot store to `parameter`, which is a parameter
    ld.param.u64 %rd1, [parameter];
    {
        .param .b64 argument;
        st.param.b64 [argument], %rd1;
    }
    """)


def test_results() -> None:
    check_declarations("""
    .func (.param .b32 result) f(.param .b32 input)
    {
        .reg .b32 %r<2>;
        ld.param.b32 %r1, [input];
        st.param.b32 [result], %r1;
        ld.param.b32 %r1, [result];
    //                     ^^^^^^ parameter-access: cannot load from `result`, which is the result
        st.param.b32 [input], %r1;
    //                ^^^^^ parameter-access: cannot store to `input`, which is a parameter
        ret;
    }
    """)


def test_address() -> None:
    check_declarations("""
    .func f(.param .u32 own) {
    .param .u32 a;
    .reg .u64 %rd<3>;
    mov.u64 %rd1, own;
    mov.u64 %rd1, a+4;
    mov.u64 %rd1, %rd2;
    mov.u64 %rd1, a;
    //            ^ parameter-access: `a` is passed to a call, so it has no address
    cvta.param.u64 %rd1, a;
    //                   ^ parameter-access: `a` is passed to a call, so it has no address
    }
    """)


def test_guard() -> None:
    check_declarations("""
    .func (.param .b32 result) f(.param .b32 input) {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .u64 %rd<2>;
        .param .align 8 .b8 argument[16];
        @%p1 ld.param.b32 %r1, [input];
        @!%p1 st.param.b32 [result], %r1;
        st.param.b32 [argument], %r1;
        @%p1 st.param.b32 [argument+4], %r1;
    //                     ^^^^^^^^ parameter-access: `argument` is passed to a call, so an access
        @!%p1 ld.param.v2.b32 {%r1, %r2}, [argument];
    //                                     ^^^^^^^^ parameter-access: `argument` is passed to a call
        @%p1 ld.param.b32 %r1, [%rd1];
        ret;
    }
    """)


def test_guard_on_a_kernel_parameter() -> None:
    check_lint("@%p1 ld.param.u64 %rd1, [parameter];")


def test_argument_that_hides_a_parameter() -> None:
    check_declarations("""
    .func (.param .b32 result) f(.param .b32 input) {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        {
        .param .b32 result;
        .param .b32 input;
        @%p1 st.param.b32 [result], %r1;
        @%p1 ld.param.b32 %r1, [input];
        st.param.b32 [input], %r1;
    //                ^^^^^ parameter-access: cannot store to `input`, which is a parameter
        ld.param.b32 %r1, [result];
    //                     ^^^^^^ parameter-access: cannot load from `result`, which is the result
        }
        ret;
    }
    """)


def test_the_state_space_says_whose_parameter_it_is() -> None:
    check_module("""
    .version 8.8
    .target sm_90
    .address_size 64
    .entry k(.param .b32 input) {
        .reg .b32 %r;
        .reg .b64 %d;
        .param .b32 passed;
        ld.param::entry.b32 %r, [input];
        ld.param::func.b32 %r, [input+0];
    //                          ^^^^^ parameter-access: `input` is a kernel parameter, expected
        ld.param::func.b32 %r, [passed];
        ld.param::entry.b32 %r, [passed];
    //                           ^^^^^^ parameter-access: `passed` is passed to a call, expected
        cvta.param::entry.u64 %d, passed;
    //                            ^^^^^^ parameter-access: `passed` is passed to a call, so it has
        ret;
    }
    .func f(.param .b32 input) {
        .reg .b32 %r;
        .reg .b64 %d;
        .param .b32 passed;
        ld.param::func.b32 %r, [input];
        ld.param::entry.b32 %r, [input];
        ld.param::func.b32 %r, [%d];
        st.param::func.b32 [%d], %r;
        ld.param::entry.b32 %r, [passed];
    //                           ^^^^^^ parameter-access: `passed` is passed to a call, expected
        ret;
    }
    """)


def test_a_kernel_has_no_address_of_a_call_parameter() -> None:
    check_module("""
    .version 8.8
    .target sm_90
    .address_size 64
    .entry k() {
        .reg .b32 %r;
        .reg .b64 %d;
        ld.param::func.b32 %r, [%d];
    //                          ^^ parameter-access: `.param::func` in a kernel requires a variable
        st.param::func.b32 [%d+8], %r;
    //                      ^^ parameter-access: `.param::func` in a kernel requires a variable
        ret;
    }
    """)


def test_an_instruction_without_operands_has_no_source() -> None:
    check_declarations("""
    .func f(.param .u32 own) {
        mov.u32;
    //  ^^^^^^^ operand-count: `mov.u32` takes 2 operands, found 0
        ret;
    }
    """)
