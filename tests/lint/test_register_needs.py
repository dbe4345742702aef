"""Special registers that need a directive on the kernel."""

from textwrap import dedent

from tests.support.lint import check_module


def check_kernel(directives: str, marks: str) -> None:
    """A kernel with these directives that reads both registers twice, and the report about it."""
    check_module(
        dedent("""\
        .version 9.5
        .target sm_107a
        .address_size 64
        """)
        + f".visible .entry kernel() {directives}\n"
        + "{\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n"
        + "mov.u64 %rd0, %perctamemoryoffset;\n"
        + marks
        + "mov.u64 %rd1, %perctamemoryoffset;\nret;\n}\n"
    )


MISSING = "//            ^^^^^^^^^^^^^^^^^^^ misplaced-directive: needs `.minperctamemory`\n"


def test_kernels_without_the_directive() -> None:
    check_kernel("", MISSING)
    check_kernel(".maxntid 128", MISSING)


def test_zero_is_no_memory() -> None:
    check_kernel(".minperctamemory 0", MISSING)
    check_kernel(".minperctamemory 0x10 .minperctamemory 0x0", MISSING)
    check_kernel(".minperctamemory 0 .minperctamemory 4", "")
    check_kernel(".minperctamemory WARP_SZ", "")


def test_device_functions_may_read_them() -> None:
    check_module("""
    .version 9.5
    .target sm_107a
    .address_size 64
    .func helper()
    {
        .reg .b64 %rd<2>;
        mov.u64 %rd0, %perctamemoryoffset;
        ret;
    }
    """)


def test_a_declared_register_needs_nothing() -> None:
    check_module("""
    .version 9.5
    .target sm_107a
    .address_size 64
    .entry first() .minperctamemory 1024
    {
        .reg .b32 %r<2>;
        mov.u32 %r0, %perctamemorysize;
        ret;
    }
    .entry second()
    {
        .reg .b32 %r<2>;
        .reg .b32 %perctamemorysize;
        mov.u32 %r0, %perctamemorysize;
        ret;
    }
    """)
