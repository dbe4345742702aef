from tests.support.lint import check_lint, check_module


def test_element_of_what_is_no_array() -> None:
    check_lint("""
    .shared .b32 alone;
    mov.u32 %r1, alone[1];
    //           ^^^^^ array-index: `alone` is not an array, so it has no elements
    ld.param.u64 %rd1, parameter[0];
    //                 ^^^^^^^^^ array-index: `parameter` is not an array, so it has no elements
    """)


def test_element_within_brackets() -> None:
    check_lint("""
    .shared .b32 table[4];
    ld.shared.u32 %r1, [table[2]];
    //                  ^^^^^^^^ array-index: `table[2]`: an array element must not be
    """)


def test_index_that_is_no_integer() -> None:
    check_lint("""
    .shared .b32 table[4];
    mov.u32 %r1, table[%f1];
    //                 ^^^ array-index: `%f1` has type `.f32`, expected an integer index
    mov.u32 %r1, table[%p1];
    //                 ^^^ array-index: `%p1` has type `.pred`, expected an integer index
    mov.u32 %r1, table[1.5];
    //                 ^^^ array-index: `1.5` is not an integer, expected an integer index
    mov.u32 %r1, table[%tid];
    //                 ^^^^ array-index: `%tid`
    mov.u32 %r1, table[kernel];
    //                 ^^^^^^ array-index: `kernel` is not an integer
    """)


def test_arithmetic_in_an_index() -> None:
    check_lint("""
    .shared .b32 table[4];
    mov.u32 %r1, table[4+%r2];
    //                 ^^^^^ array-index: `4+%r2`: an index must be a register, a constant
    mov.u32 %r1, table[-%r2];
    //                 ^^^^ array-index: `-%r2`: an index must be a register, a constant
    mov.u32 %r1, table[%r2-4];
    //                 ^^^^^ array-index: `%r2-4`: an index must be a register, a constant
    """)


def test_elements_that_there_are() -> None:
    check_lint("""
    .shared .b32 table[4];
    mov.u32 %r1, table[%r2+4];
    mov.u32 %r1, table[1 ? 2 : 3];
    ld.shared.u32 %r1, table[%rs2];
    st.shared.u32 table[%laneid], %r1;
    {
        .reg .b32 table0; mov.u32 table0, table[0];
    }
    """)


def test_array_of_the_module() -> None:
    check_module("""
    .version 8.0
    .target sm_90
    .address_size 64
    .extern .shared .b8 open[];
    .global .b32 single;
    .visible .entry kernel()
    {
        .reg .b64 %rd1;
        mov.u64 %rd1, open[2];
        mov.u64 %rd1, single[2];
    //                ^^^^^^ array-index: `single` is not an array, so it has no elements
        ret;
    }
    """)


def test_element_where_an_address_is_wanted() -> None:
    check_lint("""
    .shared .b32 table[4];
    atom.shared.add.u32 %r1, table[0], 1;
    //                       ^^^^^^^^ operand-kind: `table[0]` is an element, expected a `.shared`
    """)
