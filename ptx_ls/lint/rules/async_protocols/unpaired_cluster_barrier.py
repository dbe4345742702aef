"""The rule unpaired-cluster-barrier.

Source: PTX ISA, "barrier.cluster".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_event, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.protocols.clusters import BARRIER, clusters, has_cluster_barrier
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "unpaired-cluster-barrier"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the arrivals and waits of a kernel that have no partner."""
    if has_cluster_barrier(seen.text) and is_understood(seen.function, seen.text):
        found = clusters(seen.function, seen.module)
        yield from broken_at_event(_NAME, found.sites, found.violations)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*BARRIER),
)
def unpaired_cluster_barrier(mismatch: BrokenProtocol, _: RuleContext) -> Finding:
    """Reports a `barrier.cluster.arrive` without a wait after it, and a wait without an arrival.

    ## Why is this bad?
    Each thread must arrive at the cluster barrier once in each phase, and then wait. If a thread
    arrives twice, or waits without an arrival, the behaviour is undefined: threads may hang, or
    continue too early.

    ```text
    barrier.cluster.arrive ─▶ barrier.cluster.wait ─▶ barrier.cluster.arrive
    ```

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 128
    .reqnctapercluster 2
    {
        .reg .b32 %r<8>;
        .reg .b64 %rd<5>;
        .shared .align 4 .b32 tile[128];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        mov.u32 %r3, tile;
        add.s32 %r4, %r3, %r2;
        mov.u32 %r5, %cluster_ctarank;
        xor.b32 %r5, %r5, 1;
        st.shared.b32 [%r4], %r1;
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        mapa.shared::cluster.u32 %r6, %r4, %r5;
        ld.shared::cluster.b32 %r7, [%r6];
        barrier.cluster.wait.aligned;
        st.global.b32 [%rd1], %r7;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 128
    .reqnctapercluster 2
    {
        .reg .b32 %r<8>;
        .reg .b64 %rd<5>;
        .shared .align 4 .b32 tile[128];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        mov.u32 %r3, tile;
        add.s32 %r4, %r3, %r2;
        mov.u32 %r5, %cluster_ctarank;
        xor.b32 %r5, %r5, 1;
        st.shared.b32 [%r4], %r1;
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        mapa.shared::cluster.u32 %r6, %r4, %r5;
        ld.shared::cluster.b32 %r7, [%r6];
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        st.global.b32 [%rd1], %r7;
        ret;
    }
    ```
    """
    return Finding(mismatch.why)
