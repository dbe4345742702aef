import pytest

from ptx_ls.semantics.instructions.memory_operands import MemoryOperand, memory_operands
from ptx_ls.syntax.shapes import Shapes


def check_operands(text: str, *expected: MemoryOperand) -> None:
    """Fails unless an instruction accesses memory at exactly these addresses."""
    opcode, _, arguments = text.partition(" ")
    shape = Shapes().of(None, opcode, arguments)
    assert shape is not None
    assert memory_operands(shape) == expected


@pytest.mark.parametrize(
    ("text", "number", "space", "size"),
    [
        ("ld.global.u8 %r1, [%rd1]", 1, ".global", 1),
        ("ld.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+4]", 1, "", 16),
        ("ld.global.nc.L1::no_allocate.v2.f64 {%fd1, %fd2}, [%rd1]", 1, ".global", 16),
        ("ld.global.v8.b32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1]", 1, ".global", 32),
        ("ld.shared.b128 %rq1, [x]", 1, ".shared", 16),
        ("st.volatile.shared.u16 [x+2], %rs1", 0, ".shared", 2),
        ("st.param.b64 [x], 1", 0, ".param", 8),
        ("atom.global.add.noftz.f16x2 %r1, [%rd1], %r2", 1, ".global", 4),
        ("atom.shared::cluster.cas.b64 %rd1, [%r1], %rd2, %rd3", 1, ".shared::cluster", 8),
        ("red.global.v4.f32.add [%rd1], {%f1, %f2, %f3, %f4}", 0, ".global", 16),
        ("mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2", 1, ".shared::cta", 8),
        ("ld.global.u32 %r1, x[4]", 1, ".global", 4),
    ],
)
def test_plain_access(text: str, number: int, space: str, size: int) -> None:
    check_operands(text, MemoryOperand(number, space, size, size))


def test_rows_of_lanes() -> None:
    text = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5]"
    check_operands(text, MemoryOperand(1, ".shared", 16, 16, is_per_lane=True))
    text = "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r5], {%r1}"
    check_operands(text, MemoryOperand(0, ".shared", 0, 16, is_per_lane=True))


def test_matrix_is_aligned_to_a_fragment() -> None:
    text = "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f1, %f2, %f3, %f4}, [%rd1]"
    check_operands(text, MemoryOperand(1, ".global", 0, 16))


def test_copies() -> None:
    check_operands(
        "cp.async.ca.shared.global [x], [%rd1], 8",
        MemoryOperand(0, ".shared", size_number=2),
        MemoryOperand(1, ".global", size_number=2),
    )
    check_operands(
        "cp.async.ca.shared.global [x], [%rd1], 8, %r1",
        MemoryOperand(0, ".shared", size_number=2),
    )
    check_operands(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x], [%rd1], 64, [y]",
        MemoryOperand(0, ".shared::cluster", 0, 16, 2),
        MemoryOperand(1, ".global", 0, 16, 2),
        MemoryOperand(3, ".shared::cluster", 8, 8),
    )
    check_operands(
        "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd1, {%r1}], [x]",
        MemoryOperand(0, "", 128, 64),
        MemoryOperand(1, ".shared::cta", 0, 128),
    )


@pytest.mark.parametrize(
    "text",
    [
        "prefetch.global.L2 [%rd1]",
        "add.u32 %r1, %r2, %r3",
        "isspacep.shared %p1, %rd1",
        "ld.u32 %r1",
    ],
)
def test_no_access(text: str) -> None:
    check_operands(text)
