"""The rule exit-before-peers.

Source: PTX ISA, "Cluster of Cooperative Thread Arrays", "mapa".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.collectives.barrier_places import end_place
from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.protocols.broken_protocol import (
    CLUSTER_BARRIER,
    BrokenProtocol,
    broken_at_origin,
    is_about,
)
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Repair, RuleContext, rule
from ptx_ls.protocols.clusters import MAPPING, clusters
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.protocols.clusters import Clusters

_NAME = "exit-before-peers"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the last accesses of a kernel to blocks that may have ended."""
    if is_understood(seen.function, seen.text):
        found = clusters(seen.function, seen.module)
        for each in broken_at_origin(_NAME, found.sites, found.violations):
            yield each._replace(place=_place(seen, found, each.statement[0]))


def _place(seen: CheckInput, found: Clusters, access: FunctionPosition) -> FunctionPosition | None:
    """Returns where a barrier of the cluster would come after an access, if none has begun."""
    has_begun = any(each > access for each in found.arrivals)
    return None if has_begun else end_place(seen)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*MAPPING),
)
def exit_before_peers(mismatch: BrokenProtocol, context: RuleContext) -> Finding:
    """Reports a kernel that may end while other blocks of the cluster access its shared memory.

    ## Why is this bad?
    The shared memory of a block exists only until the block ends. If another block accesses the
    memory later, the launch may fail, or the data may be wrong. After the last access, have all
    threads in the cluster arrive at the cluster barrier and wait.

    ```text
    ld, st, atom at a `mapa` address ─▶ barrier.cluster.arrive ─▶ barrier.cluster.wait ─▶ ret
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
    repairs: tuple[Repair, ...] = ()
    if mismatch.place is not None:
        repairs = with_statements_ahead(mismatch.place, CLUSTER_BARRIER, context)
    return Finding(
        f"`{mismatch.opcode}` accesses the shared memory of another block, but that block may end "
        "first: no later `barrier.cluster.wait` keeps it alive",
        repairs=repairs,
    )
