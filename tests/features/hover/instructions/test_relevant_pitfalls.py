"""A hover warns only of what may surprise in this variant, on this target."""

from __future__ import annotations

from typing import Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.statements import statement_at
from ptx_ls.features.hover.instructions.pseudo_code import operand_texts
from ptx_ls.features.hover.instructions.pseudo_code_conditions import variant_of
from ptx_ls.features.hover.instructions.relevant_pitfalls import relevant_pitfalls
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position

KERNEL: Final = """.version 8.8
.target TARGET
.address_size 64
.entry k() {
.reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
BODY
}
"""


def check_pitfalls(statement: str, *expected: str, target: str = "sm_90") -> None:
    """Asserts the beginnings of all pitfalls of a statement in a kernel for a target."""
    text = KERNEL.replace("TARGET", target).replace("BODY", statement)
    analysis = Analysis(Document.read(text))
    place = statement_at(analysis.document, Position(5, 0))
    judged = analysis.instruction(place) if place is not None else None
    assert judged is not None
    shown = relevant_pitfalls(judged, variant_of(analysis, judged, operand_texts(judged)))
    assert len(shown) == len(expected), shown
    for text, beginning in zip(shown, expected, strict=True):
        assert text.startswith(beginning)


@pytest.mark.parametrize(
    "statement",
    [
        "ld.global.b16 %h1, [%rd1];",
        "ld.global.b32 %r1, [%rd1];",
        "add.cc.s32 %r1, %r2, %r3;",
        "add.s32.cc %r1, %r2, %r3;",
        "fma.rn.relu.f16 %h1, %h2, %h3, %h4;",
        "max.f64 %rd1, %rd2, %rd3;",
        "slct.f32.s32 %f1, %f2, %f3, %r1;",
        "ex2.approx.ftz.f32 %f1, %f2;",
        "rcp.approx.ftz.f32 %f1, %f2;",
        "cvt.sat.f16.f16 %h1, %h2;",
        "redux.sync.add.s32 %r1, %r2, -1;",
        "shfl.sync.down.b32 %r1, %r2, 1, 31, -1;",
        "setp.ltu.f32 %p1, %f1, %f2;",
        "ret;",
    ],
)
def test_no_pitfall_of_another_variant(statement: str) -> None:
    check_pitfalls(statement)


def test_what_ptxas_rejects() -> None:
    check_pitfalls("add.cc.s16 %h1, %h2, %h3;", "`.cc` needs")
    check_pitfalls(
        "cvt.s32.f32 %r1, %f1;",
        "`cvt.s32.f32` is an error",
        "`cvt.f32.s32` is an error too",
        "`.satfinite` is required",
    )


def test_vector_access() -> None:
    misaligned = "A misaligned address is an error at run time"
    check_pitfalls("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", misaligned)
    check_pitfalls(
        "ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd5];",
        misaligned,
        "According to the manual, only 256-bit loads",
        target="sm_100",
    )


def test_old_target() -> None:
    check_pitfalls("shfl.sync.down.b32 %r1, %r2, 1, 31, -1;", "Up to `sm_6x`", target="sm_61")
    check_pitfalls(
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r5];", "Up to `sm_75`", target="sm_75"
    )
    check_pitfalls("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r5];", target="sm_80")


def test_one_source_of_a_pack() -> None:
    check_pitfalls("cvt.rn.bf16x2.f32 %r1, %f1, %f2;", "In a packed result, the first source")
    check_pitfalls("cvt.rn.f16x2.e4m3x2 %r1, %h1;")


def test_a_tensor_map_belongs_to_a_tensor() -> None:
    check_pitfalls(
        "cp.async.cg.shared.global [%r1], [%rd1], 16;",
        "Until the copy has completed, do not change the source, and",
        "Both addresses must be multiples of the number of bytes.",
    )


def test_nan_concerns_floats() -> None:
    ignored = "If one value is NaN"
    order = "The operation does not order"
    check_pitfalls("atom.global.min.s32 %r1, [%rd1], %r2;", "If the result is not needed", order)
    check_pitfalls(
        "atom.global.min.noftz.f16x2 %r1, [%rd1], %r2;",
        "If the result is not needed",
        order,
        ignored,
    )


def test_rounding_of_large_values() -> None:
    check_pitfalls("cvt.rn.f16.f32 %h1, %f1;", "Values too large for `.f16` become infinity")
    check_pitfalls("cvt.rz.f16.f32 %h1, %f1;", "Values too large for `.f16` become the largest")
