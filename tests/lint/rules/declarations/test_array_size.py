from tests.support.lint import check_declarations


def test_sizes() -> None:
    check_declarations("""
    .global .u32 a[2][WARP_SZ];
    .extern .shared .u32 b[][2];
    .global .u32 c[2][];
    //           ^ array-size: only the first size of `c` may be omitted, expected a positive number
    .global .u32 d[4][0];
    //           ^ array-size: only the first size of `d` may be omitted, expected a positive number
    .global .u32 e[size];
    //           ^ array-size: array size `size` of `e` is not an integer
    """)
