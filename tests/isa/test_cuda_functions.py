"""The CUDA C++ functions of instructions."""

import pytest

from ptx_ls import isa
from ptx_ls.isa.cuda_functions import CudaFunction, cuda_functions, function_of, functions_named


def check_function(text: str, expected: str) -> None:
    """Checks the function of an instruction, given with its operands."""
    opcode, _, operands = text.partition(" ")
    name, modifiers = isa.split_modifiers(opcode)
    assert function_of(name, modifiers, [each.strip() for each in operands.split(",")]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bar.sync 0", "__syncthreads"),
        ("bar.sync 1, 64", ""),
        ("barrier.sync.aligned 0", "__syncthreads"),
        ("barrier.cta.sync 3", "__barrier_sync"),
        ("barrier.sync %r1, 64", "__barrier_sync_count"),
        ("barrier.sync.aligned 1, 64", ""),
        ("red.global.add.f32 [%rd1], %f2", "atomicAdd"),
        ("red.relaxed.sys.global.max.s32 [%rd1], %r2", "atomicMax_system"),
        ("red.release.gpu.global.add.u32 [%rd1], 1", ""),
        ("bar.sync %r1", ""),
        ("shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1", "__shfl_xor_sync"),
        ("vote.sync.ballot.b32 %r1, %p1, -1", "__ballot_sync"),
        ("atom.global.add.f32 %f1, [%rd1], %f2", "atomicAdd"),
        ("atom.shared.cas.b64 %rd1, [%r1], %rd2, %rd3", "atomicCAS"),
        ("atom.relaxed.cta.shared.add.u32 %r1, [%r2], %r3", "atomicAdd_block"),
        ("atom.sys.global.inc.u32 %r1, [%rd1], %r3", "atomicInc_system"),
        ("atom.relaxed.gpu.global.add.u32 %r1, [%rd1], %r3", "atomicAdd"),
        ("atom.release.gpu.global.add.u32 %r1, [%rd1], %r3", ""),
        ("popc.b64 %r1, %rd1", "__popcll"),
        ("mul.hi.u32 %r1, %r2, %r3", "__umulhi"),
        ("mul.hi.u16 %rs1, %rs2, %rs3", ""),
        ("ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]", "__ldg"),
        ("ld.global.f32 %f1, [%rd1]", ""),
        ("add.f32 %f1, %f2, %f3", ""),
        ("add.rn.ftz.f32 %f1, %f2, %f3", "__fadd_rn"),
        ("add.rn.f32.f16 %f1, %rs1, %f2", ""),
        ("bar.sync 0, 64", ""),
        ("bar.red.popc.u32 %r1, 0, %p1", "__syncthreads_count"),
        ("bar.red.popc.u32 %r1, 1, 64, %p1", ""),
        ("atom.global.max.u64 %rd1, [%rd2], %rd3", "atomicMax"),
        ("atom.global.v2.max.noftz.f16x2 {%r1, %r2}, [%rd1], {%r3, %r4}", ""),
        ("dp4a.u32.u32 %r1, %r2, %r3, %r4", "__dp4a"),
        ("dp4a.s32.u32 %r1, %r2, %r3, %r4", ""),
        ("rsqrt.approx.f32 %f1, %f2", "rsqrtf"),
        ("ld.global.nc.L1::no_allocate.f32 %f1, [%rd1]", ""),
    ],
)
def test_function_of_an_instruction(text: str, expected: str) -> None:
    check_function(text, expected)


@pytest.mark.parametrize("function", cuda_functions(), ids=lambda each: each.name)
def test_each_instruction_has_its_function(function: CudaFunction) -> None:
    instruction = isa.database().instruction(function.opcode)
    assert instruction is not None
    wanted = set(function.modifiers)
    assert any(wanted <= form.row.accepts.keys() for form in instruction.forms)
    check_function(f"{function.instruction} {function.operands}", function.name)


def test_names_in_any_case_and_without_underscores() -> None:
    names = [each.name for each in functions_named("SYNCTHREADS_")]
    assert names == ["__syncthreads_count", "__syncthreads_and", "__syncthreads_or"]
    assert functions_named("nothing") == []
