"""Tests of the rule register-limit; `tests/lint/pairs/register-limit` has whole kernels."""

from __future__ import annotations

from tests.support.lint import check_rule

RULE = "register-limit"
HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"


def kernel(directives: str, after: str, marks: str = "") -> str:
    """Returns a kernel with 28 values that are loaded before a barrier."""
    loads = "".join(f"    ld.global.u32 %r{n}, [%rd1+{4 * n}];\n" for n in range(28))
    reads = "".join(f"    {after.replace('?', str(n))}\n" for n in range(28))
    return (
        f"//\n{HEADER}.visible .entry k(.param .u64 p)\n{directives}\n{marks}"
        "{\n    .reg .b32 %r<29>;\n    .reg .b64 %rd<2>;\n    ld.param.u64 %rd1, [p];\n"
        f"    mov.u32 %r28, 0;\n{loads}    bar.sync 0;\n{reads}"
        "    st.global.u32 [%rd1], %r28;\n    ret;\n}\n"
    )


def test_values_that_are_stored_after_a_barrier() -> None:
    stored = "st.global.u32 [%rd1+?], %r?;"
    check_rule(RULE, kernel(".maxnreg 24", stored, f"^^^^^^^^ {RULE}: allows only 24 registers\n"))
    check_rule(RULE, kernel(".maxnreg 16", stored, f"^^^^^^^^ {RULE}: allows only 24 registers\n"))
    check_rule(RULE, kernel(".maxnreg 29", stored))


def test_blocks_that_share_a_multiprocessor() -> None:
    stored = "st.global.u32 [%rd1+?], %r?;"
    two = ".maxntid 1024\n.minnctapersm 2"
    check_rule(RULE, kernel(two, stored))
    check_rule(RULE, kernel(".maxntid 64", stored))


def test_sum_that_is_computed_before_the_barrier() -> None:
    check_rule(RULE, kernel(".maxnreg 24", "add.u32 %r28, %r28, %r?;"))


def test_broken_kernel() -> None:
    check_rule(RULE, kernel(".maxnreg 24", "st.global.u32 [%rd1+?, %r?;"))
