from tests.support.lint import check_declarations


def test_declarations() -> None:
    check_declarations("""
    .global .u32 _;
    //           ^ reserved-name: `_` is no name, so nothing can be declared so
    .global .u32 other[WARP_SZ];
    .entry WARP_SZ() { ret; }
    //     ^^^^^^^ reserved-name: `WARP_SZ` is a constant of PTX, so nothing can be declared so
    .entry k() {
    WARP_SZ:
    ^^^^^^^ reserved-name: `WARP_SZ` is a constant of PTX, so nothing can be declared so
    p: .callprototype (.param .b32 _) _ (.param .b32 _);
    }
    """)
