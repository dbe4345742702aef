"""Tests of the rule emulated-instruction."""

from __future__ import annotations

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from tests.support.lint import check_no_fix, check_rule, check_rule_fix, module

RULE = "emulated-instruction"


def test_reported() -> None:
    check_rule(
        RULE,
        """
        mul24.lo.u32 %r1, %r2, %r3;
    //  ^^^^^^^^^^^^ emulated-instruction: sm_90 does not support this `mul24` in hardware
        mad24.hi.s32 %r1, %r2, %r3, %r4;
    //  ^^^^^^^^^^^^ emulated-instruction: use `mad.hi` with shifted operands
        vmin2.s32.s32.s32 %r1, %r2, %r3, %r4;
    //  ^^^^^^^^^^^^^^^^^ emulated-instruction: use `min.s16x2`
        wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ emulated-instruction: 8-bit integers
    """,
    )


def test_matrix_products_by_target() -> None:
    half = "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
    half += "{%r7, %r8}, {%r1, %r2, %r3, %r4};"
    bits = "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%r1, %r2}, {%r3}, {%r4}, "
    bits += "{%r1, %r2};"
    assert targets_that_emulate(half) == ["80", "90", "100"]
    assert targets_that_emulate(bits) == ["100"]
    assert targets_that_emulate(bits.replace(".and", ".xor")) == ["90", "100"]
    small = bits.replace(".m8n8k128", ".m8n8k32").replace("b1", "s4").replace(".and.popc", "")
    assert targets_that_emulate(small) == ["90", "100"]


def targets_that_emulate(statement: str) -> list[str]:
    """Returns the targets for which a statement is reported."""
    text = module(statement)
    return [
        number
        for number in ("75", "80", "90", "100")
        if RULE in {one.rule for one in lint(Document.read(text.replace("sm_90", f"sm_{number}")))}
    ]


def test_quiet() -> None:
    check_rule(
        RULE,
        """
        mul.lo.u32 %r1, %r2, %r3;
        mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2}, {%fd3}, {%fd4}, {%fd1, %fd2};
        mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc
            {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%r5, %r6}, {%r1, %r2, %r3, %r4};
        wmma.load.a.sync.aligned.m8n8k32.row.u4 {%r1}, [%rd1];
        vabsdiff4.u32.u32.u32 %r1, %r2, %r3, %r4;
    """,
    )


def test_fix() -> None:
    before = "mov.b32 %r1, %tid.x;\n{}.lo.s32 %r2, %r1, 7, %r3;"
    check_rule_fix(RULE, before.format("mad24"), before.format("mad"))


def test_no_fix_of_large_numbers() -> None:
    check_no_fix(RULE, "and.b32 %r1, %r2, 0xFFFFFF;\nmul24.lo.s32 %r3, %r1, %r1;")
    check_no_fix(RULE, "mul24.lo.u32 %r1, %r2, 3;")
