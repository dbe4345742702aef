"""The rule overwritten-matrix.

Source: PTX ISA, "wgmma.mma_async", "wgmma.wait_group": accesses to the shared memory of the
matrices are undefined until an instruction has waited for the group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.group_hazards import MATRIX_GROUPS
from ptx_ls.protocols.matrix_groups import OPCODE, computes
from ptx_ls.protocols.memory.group_accesses import first_proven
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class OverwrittenMatrix(NamedTuple):
    """A write to shared memory that a matrix instruction may still read.

    `variable`: the variable with the matrix. `is_committed`: whether the instruction is in a group
    on some path. `is_around`: whether the write is in the next iteration of a loop. `start`, `end`:
    the place of the write. `product`: that of the matrix instruction.
    """

    variable: str
    is_committed: bool
    is_around: bool
    start: FunctionPosition
    end: FunctionPosition
    product: FunctionSpan


def find(seen: CheckInput) -> Iterator[OverwrittenMatrix]:
    """Yields the first write to each variable that comes before a matrix there has been read."""
    sites = async_sites(seen.function, seen.module) if computes(seen.text) else None
    if sites is None:
        return
    for variable, each in first_proven(sites, MATRIX_GROUPS).items():
        yield OverwrittenMatrix(
            variable,
            "committed" in each.states,
            each.is_around,
            each.access.start,
            each.access.end,
            (each.operation.start, each.operation.end),
        )


@rule(
    "overwritten-matrix",
    on=OverwrittenMatrix,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def overwritten_matrix(mismatch: OverwrittenMatrix, _: RuleContext) -> Finding:
    """Reports writes to shared memory while a `wgmma.mma_async` may still read a matrix there.

    ## Why is this bad?
    `wgmma.mma_async` reads matrices in shared memory some time after it is issued. No thread or
    copy may write that memory until a `wgmma.wait_group` has waited for the group of the
    instruction. Otherwise, the product may be computed from parts of the new data. ptxas inserts
    missing waits for registers, but not for shared memory.

    A write is reported only if no path from the instruction to the write has such a wait, and if
    the start address of the matrix is known.

    ```text
    wgmma.mma_async ─▶ wgmma.commit_group ─▶ wgmma.wait_group 0 ─▶ write of the matrix
    ```

    ## Example
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 tiles, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<8>;
        .reg .f32 %f<5>;
        .reg .b64 %rd<8>;
        .shared .align 1024 .b8 tile[4096];
        ld.param.b64 %rd1, [tiles];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd3, %r1, 16;
        add.s64 %rd4, %rd1, %rd3;
        mov.u32 %r2, tile;
        mad.lo.u32 %r3, %r1, 16, %r2;
        ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd4];
        st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7};
        st.shared.v4.b32 [%r3+2048], {%r4, %r5, %r6, %r7};
        fence.proxy.async.shared::cta;
        bar.sync 0;
        bfe.u32 %r2, %r2, 4, 14;
        cvt.u64.u32 %rd5, %r2;
        or.b64 %rd5, %rd5, 0x4000004000010000;
        add.s64 %rd6, %rd5, 128;
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd5, %rd6, 0, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd4+4096];
        st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7};
        fence.proxy.async.shared::cta;
        bar.sync 0;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd5, %rd6, 1, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 0;
        add.s64 %rd7, %rd2, %rd3;
        st.global.v4.f32 [%rd7], {%f1, %f2, %f3, %f4};
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 tiles, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<8>;
        .reg .f32 %f<5>;
        .reg .b64 %rd<8>;
        .shared .align 1024 .b8 tile[4096];
        ld.param.b64 %rd1, [tiles];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd3, %r1, 16;
        add.s64 %rd4, %rd1, %rd3;
        mov.u32 %r2, tile;
        mad.lo.u32 %r3, %r1, 16, %r2;
        ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd4];
        st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7};
        st.shared.v4.b32 [%r3+2048], {%r4, %r5, %r6, %r7};
        fence.proxy.async.shared::cta;
        bar.sync 0;
        bfe.u32 %r2, %r2, 4, 14;
        cvt.u64.u32 %rd5, %r2;
        or.b64 %rd5, %rd5, 0x4000004000010000;
        add.s64 %rd6, %rd5, 128;
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd5, %rd6, 0, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd4+4096];
        wgmma.wait_group.sync.aligned 0;
        bar.sync 0;
        st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7};
        fence.proxy.async.shared::cta;
        bar.sync 0;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd5, %rd6, 1, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 0;
        add.s64 %rd7, %rd2, %rd3;
        st.global.v4.f32 [%rd7], {%f1, %f2, %f3, %f4};
        ret;
    }
    ```
    """
    when = " in the next iteration" if mismatch.is_around else ""
    missing = "`wgmma.commit_group` puts that instruction into a group"
    if mismatch.is_committed:
        missing = "`wgmma.wait_group` waits for that instruction"
    return Finding(
        f"this instruction writes `{mismatch.variable}`{when} while a `wgmma.mma_async` may still "
        f"read it: no earlier {missing}",
        related=(Related(*mismatch.product, "the matrix instruction is issued here"),),
    )
