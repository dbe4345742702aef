from tests.support.lint import check_declarations


def test_conversions() -> None:
    check_declarations("""
    .const .u32 limit;
    .func helper() {
        .reg .b64 %rd<2>;
        cvta.to.const.u64 %rd1, %rd1;
    //  ^^^^^^^^^^^^^ constant-pointer: ptxas cannot compile `cvta.to.const`, because a kernel
        cvta.global.u64 %rd1, %rd1;
        ret;
    }
    .visible .entry kernel(.param .u64 .ptr .const .align 4 table) {
        .reg .b64 %rd<2>;
        cvta.const.u64 %rd1, limit;
    //  ^^^^^^^^^^ constant-pointer: ptxas cannot compile `cvta.const`, because a kernel
        mov.b64 %rd1, limit;
        ret;
    }
    """)


def test_other_pointers() -> None:
    check_declarations("""
    .const .u32 limit;
    .visible .entry kernel(.param .u64 .ptr .global .align 4 table, .param .u64 other) {
        .reg .b64 %rd<2>;
        cvta.const.u64 %rd1, limit;
        ret;
    }
    """)
