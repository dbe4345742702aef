from tests.support.lint import check_declarations, check_lint


def test_declarations() -> None:
    check_declarations("""
    .global .u32 _;
    //           ^ reserved-name: `_` is not a name, so it cannot be declared
    .global .u32 other[WARP_SZ];
    .entry WARP_SZ() { ret; }
    //     ^^^^^^^ reserved-name: `WARP_SZ` is a constant of PTX, so it cannot be declared
    .entry k() {
    WARP_SZ:
    ^^^^^^^ reserved-name: `WARP_SZ` is a constant of PTX, so it cannot be declared
    p: .callprototype (.param .b32 _) _ (.param .b32 _);
    }
    """)


def test_words_of_loc_and_a_bare_dollar() -> None:
    check_lint("""
    .reg .b32 inlined_at, $;
    //        ^^^^^^^^^^ reserved-name: `inlined_at` is a keyword of `.loc`
    //                    ^ reserved-name: `$` is not a name
    .reg .b32 $1, inlined, _$;
    function_name:
    ^^^^^^^^^^^^^ reserved-name
    """)
