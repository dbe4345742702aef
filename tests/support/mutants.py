"""Statements with one mistake, made from legal instructions by a small change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa

if TYPE_CHECKING:
    from collections.abc import Iterator

STATEMENTS: Final = (
    *("add.s32 %r1, %r2, %r3;", "sub.sat.s32 %r1, %r2, 7;", "mul.lo.u32 %r1, %r2, %r3;"),
    *("mul.wide.u32 %rd1, %r2, 4;", "mad.lo.s32 %r1, %r2, %r3, %r4;", "mul.hi.s64 %rd1, %rd2, 3;"),
    *("mad.wide.s32 %rd1, %r1, %r2, %rd3;", "mul24.lo.u32 %r1, %r2, %r3;", "neg.s32 %r1, %r2;"),
    *("div.u32 %r1, %r2, %r3;", "rem.s32 %r1, %r2, %r3;", "abs.s32 %r1, %r2;"),
    *("min.u32 %r1, %r2, %r3;", "max.s64 %rd1, %rd2, %rd3;", "sad.u32 %r1, %r2, %r3, %r4;"),
    *("popc.b32 %r1, %r2;", "clz.b64 %r1, %rd2;", "bfind.shiftamt.u32 %r1, %r2;"),
    *("brev.b32 %r1, %r2;", "bfe.u32 %r1, %r2, 3, 5;", "bfi.b32 %r1, %r2, %r3, 4, 8;"),
    *("dp4a.u32.s32 %r1, %r2, %r3, %r4;", "prmt.b32 %r1, %r2, %r3, 0x5410;"),
    *("and.b32 %r1, %r2, %r3;", "or.pred %p1, %p2, %p3;", "xor.b64 %rd1, %rd2, 5;"),
    *("not.b32 %r1, %r2;", "cnot.b32 %r1, %r2;", "lop3.b32 %r1, %r2, %r3, %r4, 0x96;"),
    *("shl.b32 %r1, %r2, 3;", "shr.s32 %r1, %r2, %r3;", "shf.l.wrap.b32 %r1, %r2, %r3, 4;"),
    *("add.rn.f32 %f1, %f2, %f3;", "sub.ftz.f32 %f1, %f2, 1.5;", "mul.rz.ftz.f32 %f1, %f2, %f3;"),
    *("fma.rn.f32 %f1, %f2, %f3, %f4;", "fma.rn.f64 %fd1, %fd2, %fd3, %fd4;"),
    *("div.rn.f32 %f1, %f2, %f3;", "div.full.f32 %f1, %f2, %f3;", "rcp.approx.ftz.f32 %f1, %f2;"),
    *("sqrt.rn.f64 %fd1, %fd2;", "rsqrt.approx.f32 %f1, %f2;", "sin.approx.f32 %f1, %f2;"),
    *("ex2.approx.f32 %f1, %f2;", "tanh.approx.f32 %f1, %f2;", "min.NaN.f32 %f1, %f2, %f3;"),
    *("max.ftz.f32 %f1, %f2, %f3;", "copysign.f32 %f1, %f2, %f3;", "testp.finite.f32 %p1, %f2;"),
    *("add.f16 %rs1, %rs2, %rs3;", "fma.rn.relu.f16x2 %r1, %r2, %r3, %r4;"),
    *("min.f16x2 %r1, %r2, %r3;", "add.rn.bf16 %rs1, %rs2, %rs3;"),
    *("setp.lt.s32 %p1, %r1, %r2;", "setp.lo.u32 %p1|%p2, %r1, 5;", "setp.ltu.f32 %p1, %f1, %f2;"),
    *("setp.eq.and.s32 %p1, %r1, %r2, !%p3;", "set.gt.u32.f32 %r1, %f1, %f2;"),
    *("selp.b32 %r1, %r2, %r3, %p1;", "slct.f32.s32 %f1, %f2, %f3, %r1;"),
    *("mov.u32 %r1, %r2;", "mov.b64 %rd1, {%r1, %r2};", "mov.u32 %r1, %tid.x;"),
    *("mov.f32 %f1, 0f3f800000;", "mov.f64 %fd1, 1.0;", "mov.pred %p1, %p2;"),
    *("cvt.rn.f32.s32 %f1, %r2;", "cvt.rzi.s32.f32 %r1, %f2;", "cvt.rn.ftz.f32.f64 %f1, %fd2;"),
    *("cvt.f64.f32 %fd1, %f2;", "cvt.rni.f32.f32 %f1, %f2;", "cvt.u64.u32 %rd1, %r2;"),
    *(
        "cvt.sat.s16.s32 %rs1, %r2;",
        "cvt.rn.f16.f32 %rs1, %f2;",
        "cvt.rn.bf16x2.f32 %r1, %f2, %f3;",
    ),
    *("ld.global.u32 %r1, [%rd1];", "ld.global.v2.f32 {%f1, %f2}, [%rd1+8];"),
    *("ld.relaxed.gpu.global.s32 %r1, [%rd1];", "ld.param.u64 %rd1, [parameter];"),
    *("st.global.u32 [%rd1], %r1;", "st.release.sys.global.b64 [%rd1], %rd2;"),
    *("st.shared.v4.b32 [%r1], {%r2, %r3, %r4, %r5};", "cvta.to.global.u64 %rd1, %rd2;"),
    *("atom.global.add.u32 %r1, [%rd1], %r2;", "atom.global.cas.b32 %r1, [%rd1], %r2, %r3;"),
    *("red.relaxed.gpu.global.max.s32 [%rd1], %r2;", "bar.sync 0;", "bar.sync 1, 64;"),
    *("membar.gl;", "fence.acq_rel.gpu;", "shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;"),
    *("vote.sync.any.pred %p1, %p2, -1;", "match.any.sync.b32 %r1, %r2, -1;"),
    *("@%p1 add.s32 %r1, %r2, %r3;", "@!%p2 mov.u32 %r1, 5;", "redux.sync.add.s32 %r1, %r2, -1;"),
    *("cp.async.ca.shared.global [%r1], [%rd1], 16;", "prefetch.global.L2 [%rd1];", "ret;"),
)
"""Legal in the kernel of `tests.support.lint.module`, one or more of each kind."""
BANKS: Final = ("%p", "%rs", "%r", "%rd", "%f", "%fd")
_MARKS: Final = ",;[]{}|.@!"
_OPCODE: Final = re.compile(r"(?:@!?%p\d )?([a-z]\w*)((?:[.:]+\w+)*)").match
_MODIFIER: Final = re.compile(r"\.\w+(?:::\w+)*").finditer
_REGISTER: Final = re.compile(r"(%[a-z]+)(\d)").finditer


def mutants(statement: str) -> Iterator[str]:
    """Yields every statement that one change to a modifier, register, mark or digit can make."""
    found = {*_modifiers(statement), *_registers(statement), *_marks(statement)}
    yield from sorted(found - {statement})


def _modifiers(statement: str) -> Iterator[str]:
    match = _OPCODE(statement)
    assert match is not None
    start, stop = match.span(2)
    head, tail = statement[:start], statement[stop:]
    present = [each[0] for each in _MODIFIER(match[2])]
    instruction = isa.database().instruction(match[1])
    assert instruction is not None
    known = sorted({value for form in instruction.forms for value in form.row.accepts})
    for index in range(len(present) + 1):
        before, after = present[:index], present[index:]
        changed = [[*before, other, *after] for other in (*known, *present)]
        if after:
            changed += [[*before, other, *after[1:]] for other in known]
            changed += [[*before, *after[1:]], [*before, *after[1:2], after[0], *after[2:]]]
        yield from (head + "".join(each) + tail for each in changed)


def _registers(statement: str) -> Iterator[str]:
    for match in _REGISTER(statement):
        before, after = statement[: match.start()], statement[match.end() :]
        yield from (f"{before}{bank}{match[2]}{after}" for bank in BANKS)
        yield f"{before}{match[1]}77{after}"
        yield before + match[0][1:] + after
        yield before + after
        yield f"{before}{match[0]} {after}"
        yield f"{before}-{match[0]}{after}"


def _marks(statement: str) -> Iterator[str]:
    for index, mark in enumerate(statement):
        before, after = statement[:index], statement[index + 1 :]
        if mark in _MARKS or mark == " ":
            yield before + after
            yield before + mark + mark + after
            yield before + " " + after
            yield from (before + other + after for other in ",;[]{}()" if mark in ",;[]{}()")
        elif mark.isdigit():
            yield before + after
