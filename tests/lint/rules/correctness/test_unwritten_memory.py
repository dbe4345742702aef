"""The rule unwritten-memory."""

from __future__ import annotations

from tests.support.lint import check_computation

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
"""


def check_memory(declared: str, statements: str, others: str = "") -> None:
    """Fails unless exactly the marked reads are reported in a kernel with a variable."""
    body = "".join(f"    {line.strip()}\n" for line in statements.strip().splitlines())
    check_computation(
        f"{HEAD}{others}.visible .entry kernel(.param .u64 .ptr .global .align 4 out)\n{{\n"
        f"    .reg .b32 %r<2>;\n    .reg .b64 %rd<2>;\n    {declared}\n"
        f"    ld.param.u64 %rd1, [out];\n{body}    st.global.u32 [%rd1], %r1;\n    ret;\n}}\n"
    )


def test_a_variable_that_is_only_read() -> None:
    check_memory(
        ".shared .align 4 .u32 total;",
        """
        ld.shared.u32 %r1, [total];
        //                  ^^^^^ unwritten-memory: `total`, but no instruction writes it
        """,
    )


def test_a_store_that_is_never_reached_counts() -> None:
    check_memory(
        ".shared .align 4 .u32 total;",
        """
        st.shared.u32 [total], 1;
        bar.sync 0;
        ld.shared.u32 %r1, [total];
        """,
    )


def test_memory_of_unknown_size() -> None:
    check_memory(
        "",
        "ld.shared.u32 %r1, [total];",
        ".extern .shared .align 4 .b8 total[];\n",
    )


def test_a_variable_that_a_called_function_may_write() -> None:
    check_memory(
        "",
        "call writer;\nbar.sync 0;\nld.shared.u32 %r1, [total];",
        ".shared .align 4 .u32 total;\n"
        ".func writer()\n{\n    st.shared.u32 [total], 1;\n    ret;\n}\n",
    )


def test_a_variable_that_another_kernel_writes() -> None:
    check_memory(
        "",
        """
        ld.shared.u32 %r1, [total];
        //                  ^^^^^ unwritten-memory: `total`, but no instruction writes it
        """,
        ".shared .align 4 .u32 total;\n"
        ".visible .entry writer()\n{\n    st.shared.u32 [total], 1;\n    ret;\n}\n",
    )


def test_an_atomic_exchange_writes() -> None:
    check_memory(
        ".shared .align 4 .u32 total;",
        "atom.shared.exch.b32 %r1, [total], 1;",
    )
