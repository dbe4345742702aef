"""The first sentence of a hover says what the statement does, not what its opcode is for."""

from __future__ import annotations

import re
from typing import Final

import pytest

from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.document.statements import statement_at
from ptx_ls.features.hover.instructions.headline import headline
from ptx_ls.features.hover.instructions.pseudo_code import operand_texts
from ptx_ls.features.hover.instructions.pseudo_code_conditions import variant_of
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.source import Position

KERNEL: Final = """.version 9.0
.target sm_100a
.address_size 64
.global .b32 table[4];
.entry k() {
.reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
BODY
}
"""
_PLACEHOLDERS: Final = re.compile(r"\{(?:\w+ )?([\w:-]+)\}")


def check_headline(statement: str, expected: str) -> None:
    """Asserts the headline of a statement in the body of a kernel."""
    document = Document.read(KERNEL.replace("BODY", statement))
    analysis = Analysis(document)
    found = statement_at(document, Position(6, 0))
    assert found is not None
    judged = analysis.instruction(found)
    assert judged is not None
    assert judged.instruction is not None
    operands = operand_texts(judged)
    variant = variant_of(analysis, judged, operands)
    assert headline(judged.instruction, variant, operands).text == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("mov.u64 %rd1, table;", "Takes the address of `table`."),
        ("mov.u32 %r1, %tid.x;", "Reads `%tid.x`."),
        ("mov.b32 %r1, 0;", "Sets a register to a constant."),
        ("mov.pred %p1, %is_explicit_cluster;", "Reads `%is_explicit_cluster`."),
        ("neg.u32 %r1, %r2;", "Negates a value. Integers, including packed bytes."),
        (
            "shfl.sync.bfly.b32 %r1, %r2, 16, 31, -1;",
            "Reads the value of the lane whose number is this lane's number XOR 16.",
        ),
        (
            "atom.global.v2.max.noftz.f16x2 {%r1, %r2}, [%rd1], {%r3, %r4};",
            (
                "Atomically replaces each of two `.f16x2` values in `.global` memory with the"
                " maximum of its old value and its counterpart in `{%r3, %r4}`, and returns the old"
                " values."
            ),
        ),
        ("mov.f32 %f1, %f2;", "Copies one `.f32` value."),
        ("mov.b64 {%r1, %r2}, %rd1;", "Splits a value into parts; the first gets the lowest bits."),
        (
            "mov.b64 %rd1, {%r1, %r2};",
            "Joins parts into one `.b64` value; the first is the lowest.",
        ),
        (
            "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];",
            "Loads four `.f32` values from `.global` memory.",
        ),
        ("ld.u8 %h1, [%rd1];", "Loads one `.u8` value from a generic address."),
        (
            "ld.global.nc.f32 %f1, [%rd1];",
            (
                "Loads one `.f32` value from `.global` memory through the non-coherent cache:"
                " the data must be read-only."
            ),
        ),
        (
            "ld.acquire.gpu.global.u32 %r1, [%rd1];",
            "Loads one `.u32` value from `.global` memory with acquire order at `.gpu` scope.",
        ),
        (
            "red.global.add.f32 [%rd1], %f1;",
            "Atomically adds to one `.f32` value in `.global` memory.",
        ),
        ("setp.lt.s32 %p1, %r1, %r2;", "Compares two `.s32` values."),
        (
            "cvt.rzi.s32.f32 %r1, %f1;",
            (
                "Converts an `.f32` value to an integer of type `.s32`."
                " Rounds to an integer towards zero."
            ),
        ),
        (
            (
                "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32"
                " {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};"
            ),
            (
                "Multiplies an `.e2m1` matrix by an `.e2m1` matrix, and adds the product to `.f32`"
                " sums."
            ),
        ),
        (
            "red.global.min.u32 [%rd1], %r1;",
            (
                "Atomically replaces one `.u32` value in `.global` memory with the minimum of the"
                " old value and `%r1`."
            ),
        ),
        ("cvt.u32.u32 %r1, %r2;", "Copies a `.u32` value."),
        ("cvt.u32.s32 %r1, %r2;", "Copies an `.s32` value as `.u32`."),
        ("cvt.u64.u32 %rd1, %r2;", "Zero-extends a `.u32` integer to `.u64`."),
        ("cvt.s64.s32 %rd1, %r2;", "Sign-extends an `.s32` integer to `.s64`."),
        ("cvt.u64.s32 %rd1, %r2;", "Sign-extends an `.s32` integer to `.u64`."),
        ("cvt.u16.u32 %h1, %r2;", "Truncates a `.u32` integer to `.u16`."),
        ("cvt.sat.u8.s32 %r1, %r2;", "Clamps an `.s32` integer to the range of `.u8`."),
        ("cvt.sat.f32.f32 %f1, %f2;", "Clamps an `.f32` value to [0.0, 1.0]."),
        ("cvt.sat.f32.f16 %f1, %h2;", "Converts an `.f16` value to `.f32`, clamped to [0.0, 1.0]."),
        (
            "cvt.f32.f16 %f1, %h2;",
            "Converts an `.f16` value to `.f32`, which holds its value exactly.",
        ),
        ("cvt.rn.bf16x2.f32 %r1, %f1, %f2;", "Converts two `.f32` values to two `.bf16` values."),
        (
            "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;",
            "Converts two `.f32` values to two `.e4m3` values.",
        ),
        ("cvt.rn.f16x2.e4m3x2 %r1, %h1;", "Converts two `.e4m3` values to two `.f16` values."),
        (
            "shfl.sync.down.b32 %r1, %r2, 0x10, 31, -1;",
            "Reads the value of the lane whose number is 16 higher.",
        ),
        (
            "atom.global.inc.u32 %r1, [%rd1], %r2;",
            (
                "Atomically increments one `.u32` value in `.global` memory, wrapping from `%r2` to"
                " 0, and returns the old value."
            ),
        ),
        ("bar.sync 0;", "Waits until all threads of the block have arrived at a barrier."),
        (
            "bar.sync 0, 64;",
            "Waits until the given number of threads have arrived at a barrier.",
        ),
        ("ret;", "Ends the thread."),
        ("prefetch.global.L2 [%rd1];", "Fetches a line into L2."),
        (
            "cp.async.ca.shared.global [%r1], [%rd1], 0x4;",
            "Copies 4 bytes from global to shared memory.",
        ),
        (
            "cp.async.cg.shared.global [%r1], [%rd1], 16, %r2;",
            (
                "Copies the first `%r2` of 16 bytes from global to shared memory, bypassing L1,"
                " and fills the rest with zeros."
            ),
        ),
        (
            "cp.async.ca.shared.global [%r1], [%rd1], 8, %p1;",
            "Copies 8 bytes from global to shared memory, or writes zeros if `%p1` is true.",
        ),
        ("add.rn.f32.f16 %f1, %h1, %f2;", "Adds a 16-bit float to an `.f32` value."),
        ("vadd.s32.s32.s32 %r1, %r2, %r3;", "Adds two 32-bit values."),
        (
            "vadd.s32.s32.s32 %r1, %r2.b0, %r3;",
            "Adds two values; at least one is a byte or half-word of a register.",
        ),
        (
            "vshl.u32.u32.u32.wrap %r1, %r2.h1, %r3;",
            "Shifts a byte or half-word of a register left.",
        ),
        ("szext.wrap.s32 %r1, %r2, 12;", "Sign-extends the low 12 bits of an `.s32` value."),
        (
            "madc.hi.cc.u32 %r1, %r2, %r3, %r4;",
            (
                "Multiplies two `.u32` values, adds a third and the carry to the upper half of the"
                " product, and writes the carry."
            ),
        ),
        (
            "tcgen05.fence::before_thread_sync;",
            "Orders earlier `tcgen05` operations before the next synchronisation between threads.",
        ),
    ],
)
def test_headline_of_a_statement(statement: str, expected: str) -> None:
    check_headline(statement, expected)


def test_every_placeholder_is_a_slot() -> None:
    for name in sorted(isa.database().keywords):
        found = isa.database().instruction(name)
        if found is None:
            continue
        slots = {slot.name for form in found.forms for slot in form.row.slots}
        operands = {row.name for form in found.forms for row in form.operands}
        for text, _ in found.prose.headlines:
            assert set(_PLACEHOLDERS.findall(text)) <= {*slots, *operands, "form"}, (name, text)
            assert text.endswith((".", "}")), (name, text)
