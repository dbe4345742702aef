"""The modifiers that most instructions of an opcode have in real code.

The spellings are the most frequent ones of each opcode in kernels of nvcc, Triton, CUTLASS and the
corpus, without `.param`, which only the first lines of a kernel need. If a module cannot have the
first one, the next is tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.record import MultiLine, Shape

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis

_MAX_LINES_ABOVE: Final = 100
"""Maximum number of lines above the cursor whose spellings are preferred."""
_OF_PARAMETERS: Final = ".param"
_BRANCHES: Final = frozenset({"bra", "brx", "call"})
"""Instructions whose `.uni` would be wrong after a guard that differs between threads."""
_SPELLINGS: Final = """
abs.f32 add.s32 addc.u32 and.b32 atom.global.add.u32 bar.sync barrier.sync bfe.u32 copysign.f32
cp.async.cg.shared.global cvt.u64.u32 cvta.to.global.u64 div.full.f32 div.s32 ex2.approx.f32
fence.acq_rel.gpu fma.rn.f32 ld.global.b32 ldmatrix.sync.aligned.m8n8.x4.shared.b16 lg2.approx.f32
mad.lo.s32 max.f32 mbarrier.try_wait.parity.shared::cta.b64 mbarrier.init.shared.b64 membar.gl
min.s32 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 mov.b32 mul.lo.s32 neg.f32 not.b32 or.b32
rcp.approx.ftz.f32 red.global.add.u32 redux.sync.add.s32 rem.s32 rsqrt.approx.ftz.f32 selp.b32
setp.lt.s32 shf.l.wrap.b32 shfl.sync.bfly.b32 shl.b32 shr.u32 sqrt.rn.f32 st.global.b32
stmatrix.sync.aligned.m8n8.x4.shared.b16 sub.s32 tcgen05.mma.cta_group::1.kind::f16
tex.2d.v4.f32.f32 vote.sync.ballot.b32 wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 xor.b32
"""


def _by_opcode() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for spelling in _SPELLINGS.split():
        opcode = spelling.partition(".")[0]
        found[opcode] = (*found.get(opcode, ()), spelling)
    return found


_BY_OPCODE: Final = _by_opcode()


def usual_spellings(opcode: str) -> tuple[str, ...]:
    """Returns an opcode with its most frequent modifiers, and other spellings to try after it."""
    return _BY_OPCODE.get(opcode, ())


def spellings_near(analysis: Analysis, line: int) -> dict[str, str]:
    """Returns the nearest spelling of each opcode in the lines above, except for parameters."""
    found: dict[str, str] = {}
    for record in analysis.document.records[max(0, line - _MAX_LINES_ABOVE) : line]:
        for shape in record.records if isinstance(record, MultiLine) else (record,):
            if not isinstance(shape, Shape) or shape.name in _BRANCHES:
                continue
            if _OF_PARAMETERS not in shape.opcode:
                found[shape.name] = shape.opcode
    return found
