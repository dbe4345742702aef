from tests.support.lint import check_declarations, check_lint


def test_store() -> None:
    check_lint("""
    st.param.u64 [parameter+0], %rd1;
    //            ^^^^^^^^^ parameter-access: `parameter` is a parameter, which cannot be stored to
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
    //                     ^^^^^^ parameter-access: `result` is the function's result, which cannot
        st.param.b32 [input], %r1;
    //                ^^^^^ parameter-access: `input` is a parameter, which cannot be stored to
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
    //            ^ parameter-access: `a` is handed to a call, so it has no address
    cvta.param.u64 %rd1, a;
    //                   ^ parameter-access: `a` is handed to a call, so it has no address
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
    //                     ^^^^^^^^ parameter-access: `argument` is handed to a call, so no guard
        @!%p1 ld.param.v2.b32 {%r1, %r2}, [argument];
    //                                     ^^^^^^^^ parameter-access: `argument` is handed to a call
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
    //                ^^^^^ parameter-access: `input` is a parameter, which cannot be stored to
        ld.param.b32 %r1, [result];
    //                     ^^^^^^ parameter-access: `result` is the function's result, which cannot
        }
        ret;
    }
    """)
