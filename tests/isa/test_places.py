"""The operands of data movement; every verdict is one of ptxas 13.5."""

from __future__ import annotations

import pytest

from certify.judging import first_error, judge
from certify.oracle import Configuration
from certify.reader import read_statement
from ptx_ls import isa

_WHERE = Configuration("9.5", "sm_107a")


def check_statement(text: str, *, accepted: bool) -> None:
    """Judges one statement; the names of its registers are their types."""
    statement = read_statement(text)
    instruction = isa.database().instruction(statement.opcode)
    assert instruction is not None
    violation = first_error(judge(instruction, statement, _WHERE), gates=True)
    assert (violation is None) == accepted, violation


@pytest.mark.parametrize(
    "text",
    [
        "ld.global.u32 b32_1, [b16_1];",
        "prefetch.tensormap [b32_1];",
        "multimem.red.global.add.u32 [b64_1], b32_1;",
        "ld.u32 b32_1, [global_variable];",
        "atom.add.u32 b32_1, [b64_1].unified, b32_2;",
        "multimem.cp.async.bulk.global.shared::cta.bulk_group [b64_1], [b64_2].unified, 16;",
        "st.global.v4.u64 [b64_1], {b64_2, _, b64_3, _};",
        "atom.and.b32 b32_1, [b64_1], b32_2, b32_3;",
        "st.async.mbarrier::complete_tx::bytes.b64 [b64_1], {b32_1, b32_2}, [b64_2];",
        "createpolicy.fractional.L2::evict_last.b64 b64_1, 0f3F800000;",
        "createpolicy.range.L2::evict_first.b64 b64_1, [b64_2], 4294967296, 7;",
        "ld.volatile.L2::evict_last.v4.u64 {b64_1, b64_2, b64_3, b64_4}, [b64_5];",
        "cvt.rn.satfinite.e2m1x2.bf16x2 b8_1, {b32_1, b32_2};",
        "multimem.st.global.e4m3x4 [b64_1], u32_1;",
    ],
)
def test_legal_places(text: str) -> None:
    check_statement(text, accepted=True)


@pytest.mark.parametrize(
    "text",
    [
        "ld.global.u32 b32_1, [f32_1];",
        "prefetch.tensormap [b16_1];",
        "multimem.red.global.add.u32 [b32_2], b32_1;",
        "ld.u32 b32_1, [const_variable];",
        "ld.u32 b32_1, [device_function];",
        "red.add.u32 [b64_1].unified, b32_2;",
        "ld.shared.u32 b32_1, [b64_1].unified;",
        "st.v2.u32 [b64_1], {b32_1, _};",
        "atom.and.b32 b32_1, [b64_1], b32_2, b64_3;",
        "st.async.mbarrier::complete_tx::bytes.f64 [b64_1], {b32_1, b32_2}, [b64_2];",
        "createpolicy.fractional.L2::evict_last.b64 b64_1, 1.5;",
        "createpolicy.range.L2::evict_first.b64 b64_1, [b64_2], -5, 7;",
        "ld.volatile.L2::evict_last.u64 b64_1, [b64_5];",
        "cvt.rn.satfinite.e4m3x2.bf16x2 b16_1, f16x2_1;",
        "multimem.st.global.f32 [b64_1], u32_1;",
    ],
)
def test_illegal_places(text: str) -> None:
    check_statement(text, accepted=False)
