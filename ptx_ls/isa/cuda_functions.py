"""The functions of CUDA C++ that are compiled to one instruction.

Source: the headers of CUDA (`sm_20_intrinsics.h`, `device_atomic_functions.h`, ...) and what nvcc
makes of each function.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.database import database
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_OVERLOADED: Final = frozenset({"atom", "ld", "match", "st"})
"""Opcodes whose functions exist for several types."""
_EXACT: Final = "barrier"
"""An opcode whose functions have no other modifiers than those in the table."""
_BLOCK: Final = ".cta"
_OF_INTEGERS: Final = frozenset({"atomicMin", "atomicMax"})
_INTEGERS: Final = frozenset({".u32", ".s32", ".u64", ".s64"})
_HINTS: Final = (".L1::", ".L2::")
"""How modifiers begin that no function gives an instruction."""
ANY: Final = "*"
"""Stands for any operand of a function."""
_NOT_OF_ATOMICS: Final = frozenset({".acquire", ".release", ".acq_rel", ".cluster"})
_SCOPE_SUFFIXES: Final = {".cta": "_block", ".sys": "_system"}
_TABLE: Final = """\
__syncthreads      bar.sync 0
__syncthreads_count  bar.red.popc.u32 *,0,*
__syncthreads_and  bar.red.and.pred *,0,*
__syncthreads_or   bar.red.or.pred *,0,*
__syncthreads      barrier.sync.aligned 0
__barrier_sync     barrier.sync *
__barrier_sync_count  barrier.sync *,*
__syncwarp         bar.warp.sync
__shfl_sync        shfl.sync.idx.b32
__shfl_up_sync     shfl.sync.up.b32
__shfl_down_sync   shfl.sync.down.b32
__shfl_xor_sync    shfl.sync.bfly.b32
__ballot_sync      vote.sync.ballot.b32
__any_sync         vote.sync.any.pred
__all_sync         vote.sync.all.pred
__activemask       activemask.b32
__match_any_sync   match.any.sync.b32
__match_all_sync   match.all.sync.b32
__reduce_add_sync  redux.sync.add.s32
__reduce_min_sync  redux.sync.min.s32
__reduce_max_sync  redux.sync.max.s32
__reduce_and_sync  redux.sync.and.b32
__reduce_or_sync   redux.sync.or.b32
__reduce_xor_sync  redux.sync.xor.b32
atomicAdd          atom.add.u32
atomicMin          atom.min.s32
atomicMax          atom.max.s32
atomicInc          atom.inc.u32
atomicDec          atom.dec.u32
atomicAnd          atom.and.b32
atomicOr           atom.or.b32
atomicXor          atom.xor.b32
atomicExch         atom.exch.b32
atomicCAS          atom.cas.b32
__threadfence_block  membar.cta
__threadfence      membar.gl
__threadfence_system  membar.sys
__ldg              ld.global.nc.f32
__ldcg             ld.cg.f32
__ldca             ld.ca.f32
__ldcs             ld.cs.f32
__ldlu             ld.lu.f32
__ldcv             ld.cv.f32
__stwb             st.wb.f32
__stcg             st.cg.f32
__stcs             st.cs.f32
__stwt             st.wt.f32
__popc             popc.b32
__popcll           popc.b64
__clz              clz.b32
__clzll            clz.b64
__brev             brev.b32
__brevll           brev.b64
__byte_perm        prmt.b32
__funnelshift_l    shf.l.wrap.b32
__funnelshift_r    shf.r.wrap.b32
__funnelshift_lc   shf.l.clamp.b32
__funnelshift_rc   shf.r.clamp.b32
__dp4a             dp4a.s32.s32
__dp4a             dp4a.u32.u32
__dp2a_lo          dp2a.lo.s32.s32
__dp2a_hi          dp2a.hi.s32.s32
__mulhi            mul.hi.s32
__umulhi           mul.hi.u32
__mul64hi          mul.hi.s64
__umul64hi         mul.hi.u64
__sad              sad.s32
__usad             sad.u32
__fmaf_rn          fma.rn.f32
__fma_rn           fma.rn.f64
__fadd_rn          add.rn.f32
__fmul_rn          mul.rn.f32
__fdiv_rn          div.rn.f32
__fdividef         div.approx.f32
__fsqrt_rn         sqrt.rn.f32
__frcp_rn          rcp.rn.f32
__dadd_rn          add.rn.f64
__dmul_rn          mul.rn.f64
__ddiv_rn          div.rn.f64
__dsqrt_rn         sqrt.rn.f64
__drcp_rn          rcp.rn.f64
__fadd_rz          add.rz.f32
__fadd_rd          add.rm.f32
__fadd_ru          add.rp.f32
__fsub_rn          sub.rn.f32
__fsub_rz          sub.rz.f32
__fsub_rd          sub.rm.f32
__fsub_ru          sub.rp.f32
__fmul_rz          mul.rz.f32
__fmul_rd          mul.rm.f32
__fmul_ru          mul.rp.f32
__fmaf_rz          fma.rz.f32
__fmaf_rd          fma.rm.f32
__fmaf_ru          fma.rp.f32
__fdiv_rz          div.rz.f32
__fdiv_rd          div.rm.f32
__fdiv_ru          div.rp.f32
__fsqrt_rz         sqrt.rz.f32
__fsqrt_rd         sqrt.rm.f32
__fsqrt_ru         sqrt.rp.f32
__frcp_rz          rcp.rz.f32
__frcp_rd          rcp.rm.f32
__frcp_ru          rcp.rp.f32
__dadd_rz          add.rz.f64
__dadd_rd          add.rm.f64
__dadd_ru          add.rp.f64
__dsub_rn          sub.rn.f64
__dsub_rz          sub.rz.f64
__dsub_rd          sub.rm.f64
__dsub_ru          sub.rp.f64
__dmul_rz          mul.rz.f64
__dmul_rd          mul.rm.f64
__dmul_ru          mul.rp.f64
__fma_rz           fma.rz.f64
__fma_rd           fma.rm.f64
__fma_ru           fma.rp.f64
__ddiv_rz          div.rz.f64
__ddiv_rd          div.rm.f64
__ddiv_ru          div.rp.f64
__dsqrt_rz         sqrt.rz.f64
__dsqrt_rd         sqrt.rm.f64
__dsqrt_ru         sqrt.rp.f64
__drcp_rz          rcp.rz.f64
__drcp_rd          rcp.rm.f64
__drcp_ru          rcp.rp.f64
__float2int_rn     cvt.rni.s32.f32
__int2float_rn     cvt.rn.f32.s32
__float2int_rz     cvt.rzi.s32.f32
__int2float_rz     cvt.rz.f32.s32
__float2int_rd     cvt.rmi.s32.f32
__int2float_rd     cvt.rm.f32.s32
__float2int_ru     cvt.rpi.s32.f32
__int2float_ru     cvt.rp.f32.s32
__float2uint_rn    cvt.rni.u32.f32
__uint2float_rn    cvt.rn.f32.u32
__float2uint_rz    cvt.rzi.u32.f32
__uint2float_rz    cvt.rz.f32.u32
__float2uint_rd    cvt.rmi.u32.f32
__uint2float_rd    cvt.rm.f32.u32
__float2uint_ru    cvt.rpi.u32.f32
__uint2float_ru    cvt.rp.f32.u32
__float2ll_rn      cvt.rni.s64.f32
__ll2float_rn      cvt.rn.f32.s64
__float2ll_rz      cvt.rzi.s64.f32
__ll2float_rz      cvt.rz.f32.s64
__float2ll_rd      cvt.rmi.s64.f32
__ll2float_rd      cvt.rm.f32.s64
__float2ll_ru      cvt.rpi.s64.f32
__ll2float_ru      cvt.rp.f32.s64
__float2ull_rn     cvt.rni.u64.f32
__ull2float_rn     cvt.rn.f32.u64
__float2ull_rz     cvt.rzi.u64.f32
__ull2float_rz     cvt.rz.f32.u64
__float2ull_rd     cvt.rmi.u64.f32
__ull2float_rd     cvt.rm.f32.u64
__float2ull_ru     cvt.rpi.u64.f32
__ull2float_ru     cvt.rp.f32.u64
__double2int_rn    cvt.rni.s32.f64
__double2int_rz    cvt.rzi.s32.f64
__double2int_rd    cvt.rmi.s32.f64
__double2int_ru    cvt.rpi.s32.f64
__double2uint_rn   cvt.rni.u32.f64
__double2uint_rz   cvt.rzi.u32.f64
__double2uint_rd   cvt.rmi.u32.f64
__double2uint_ru   cvt.rpi.u32.f64
__double2ll_rn     cvt.rni.s64.f64
__ll2double_rn     cvt.rn.f64.s64
__double2ll_rz     cvt.rzi.s64.f64
__ll2double_rz     cvt.rz.f64.s64
__double2ll_rd     cvt.rmi.s64.f64
__ll2double_rd     cvt.rm.f64.s64
__double2ll_ru     cvt.rpi.s64.f64
__ll2double_ru     cvt.rp.f64.s64
__double2ull_rn    cvt.rni.u64.f64
__ull2double_rn    cvt.rn.f64.u64
__double2ull_rz    cvt.rzi.u64.f64
__ull2double_rz    cvt.rz.f64.u64
__double2ull_rd    cvt.rmi.u64.f64
__ull2double_rd    cvt.rm.f64.u64
__double2ull_ru    cvt.rpi.u64.f64
__ull2double_ru    cvt.rp.f64.u64
__double2float_rn  cvt.rn.f32.f64
__double2float_rz  cvt.rz.f32.f64
__double2float_rd  cvt.rm.f32.f64
__double2float_ru  cvt.rp.f32.f64
__float2half_rn    cvt.rn.f16.f32
__float2half_rz    cvt.rz.f16.f32
__half2float       cvt.f32.f16
__float2bfloat16_rn cvt.rn.bf16.f32
__isGlobal         isspacep.global
__isShared         isspacep.shared
__isConstant       isspacep.const
__isLocal          isspacep.local
__fns              fns.b32
rsqrtf             rsqrt.approx.f32
__saturatef        cvt.sat.f32.f32
__sinf             sin.approx.f32
__cosf             cos.approx.f32
__log2f            lg2.approx.f32
exp2f              ex2.approx.f32
__nanosleep        nanosleep.u32
__trap             trap
__brkpt            brkpt
"""


class CudaFunction(NamedTuple):
    """A function, and the instruction that it is compiled to, for its most common types.

    `operands`: what they have to be, `*` for any; "" if they do not matter.
    """

    name: str
    instruction: str
    operands: str = ""

    @property
    def opcode(self) -> str:
        """The name of the instruction without its modifiers."""
        return self.instruction.partition(".")[0]

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The modifiers of the instruction, each with its dot."""
        return tuple(f".{each}" for each in self.instruction.split(".")[1:])


@cache
def cuda_functions() -> tuple[CudaFunction, ...]:
    """Returns all functions."""
    return tuple(CudaFunction(*line.split()) for line in _TABLE.splitlines())


def functions_named(word: str) -> list[CudaFunction]:
    """Returns the functions whose names begin with a word in any case, underscores left out.

    Of several instructions for one name, it returns the first.
    """
    wanted = word.lstrip("_").lower()
    found: dict[str, CudaFunction] = {}
    for each in cuda_functions():
        if each.name.lstrip("_").lower().startswith(wanted):
            found.setdefault(each.name, each)
    return [*found.values()]


def function_of(opcode: str, modifiers: Collection[str], operands: Sequence[str]) -> str:
    """Returns the name of the function for an instruction; "" if there is none.

    The atomic functions are relaxed. Their scope is the device, or in their name. `red` is an
    atomic function whose result is not used.
    """
    written = {*modifiers}
    opcode = "atom" if opcode == "red" else opcode
    if opcode != "atom":
        return _plain_function(opcode, written, operands)
    name = "" if written & _NOT_OF_ATOMICS else _plain_function(opcode, written, operands)
    suffixes = (suffix for scope, suffix in _SCOPE_SUFFIXES.items() if scope in written)
    return name and name + next(suffixes, "")


def _plain_function(opcode: str, written: Collection[str], operands: Sequence[str]) -> str:
    """Returns the function for an instruction, without the suffix for a scope."""
    if any(it.startswith(_HINTS) for it in written):
        return ""
    types = database().type_facts
    own = {it for it in written if it in types}
    found = [each for each in cuda_functions() if each.opcode == opcode and _fits(each, operands)]
    if opcode == _EXACT:
        found = [each for each in found if {*each.modifiers} == {*written} - {_BLOCK}]
    for each in found:
        if own <= {*each.modifiers} <= {*written}:
            return each.name
    for each in found if opcode in _OVERLOADED else ():
        is_overload = each.name not in _OF_INTEGERS or own <= _INTEGERS
        if is_overload and all(it in written for it in each.modifiers if it not in types):
            return each.name
    return ""


def _fits(function: CudaFunction, operands: Sequence[str]) -> bool:
    """Whether operands are those that a function has."""
    wanted = function.operands.split(",")
    return not function.operands or (
        len(wanted) == len(operands)
        and all(want in (ANY, given) for want, given in zip(wanted, operands, strict=True))
    )
