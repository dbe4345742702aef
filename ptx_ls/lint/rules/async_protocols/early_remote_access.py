"""The rule early-remote-access.

Source: PTX ISA, "Cluster of Cooperative Thread Arrays", "mapa".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.collectives.barrier_places import barrier_place
from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.protocols.broken_protocol import (
    CLUSTER_BARRIER,
    BrokenProtocol,
    broken_at_event,
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

_NAME = "early-remote-access"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the first access of a kernel to a block that may not have started."""
    if is_understood(seen.function, seen.text):
        found = clusters(seen.function, seen.module)
        for each in broken_at_event(_NAME, found.sites, found.violations):
            yield each._replace(place=_place(seen, found, each.statement[0]))


def _place(seen: CheckInput, found: Clusters, access: FunctionPosition) -> FunctionPosition | None:
    """Returns where a barrier of the cluster would come before an access, if none has begun."""
    has_begun = any(each < access for each in found.arrivals)
    return None if has_begun else barrier_place(seen, None, access)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*MAPPING),
)
def early_remote_access(mismatch: BrokenProtocol, context: RuleContext) -> Finding:
    """Reports an access to the shared memory of another block before the cluster has synchronised.

    ## Why is this bad?
    The blocks of a cluster may start at different times. Before a block accesses the shared memory
    of another block, the other block must have started and initialised that memory. Otherwise, the
    launch may fail, or the other block may overwrite the data. First have all threads in the
    cluster arrive at the cluster barrier and wait.

    ```text
    barrier.cluster.arrive ─▶ barrier.cluster.wait ─▶ ld, st, atom at a `mapa` address
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
        mapa.shared::cluster.u32 %r6, %r4, %r5;
        st.shared::cluster.b32 [%r6], %r1;
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        ld.shared.b32 %r7, [%r4];
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
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        mapa.shared::cluster.u32 %r6, %r4, %r5;
        st.shared::cluster.b32 [%r6], %r1;
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        ld.shared.b32 %r7, [%r4];
        st.global.b32 [%rd1], %r7;
        ret;
    }
    ```
    """
    repairs: tuple[Repair, ...] = ()
    if mismatch.place is not None:
        repairs = with_statements_ahead(mismatch.place, CLUSTER_BARRIER, context)
    message = f"`{mismatch.opcode}` accesses the shared memory of another block: {mismatch.why}"
    return Finding(message, repairs=repairs)
