"""The rule remote-mbarrier.

Source: PTX ISA, "mbarrier": mbarrier.arrive, mbarrier.try_wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.mbarriers.objects import ARRIVALS, WAITS, mbarrier_objects
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class RemoteMbarrierMisuse(NamedTuple):
    """An instruction on an mbarrier object of another block that does not work there.

    `is_wait`: whether it is a wait; else, it is an arrival with `.cta` scope.
    """

    start: FunctionPosition
    end: FunctionPosition
    is_wait: bool


def find(seen: CheckInput) -> Iterator[RemoteMbarrierMisuse]:
    """Yields the waits for remote objects, and the arrivals with a too narrow scope."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    for each in mbarrier_objects(sites).uses:
        found = sites.sites[each.number].found
        is_narrow = (
            each.action in ARRIVALS and ".cta" in found.text.split("[")[0].split(".shared")[0]
        )
        if each.is_remote and (each.action in WAITS or is_narrow):
            yield RemoteMbarrierMisuse(found.start, found.end, each.action in WAITS)


@rule(
    "remote-mbarrier",
    on=RemoteMbarrierMisuse,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier"),
)
def remote_mbarrier(mismatch: RemoteMbarrierMisuse, _: RuleContext) -> Finding:
    """Reports a wait, or an arrival with `.cta` scope, at an mbarrier object of another block.

    ## Why is this bad?
    `mapa` returns the address of an mbarrier object in another block of the cluster. A thread may
    arrive at that object, but only threads in the other block can wait on it. An arrival with
    `.cta` scope releases data only to the block of the arriving thread. Threads in the other block
    that wait on the object may not see the data: the scope must be `.cluster`.

    ```text
     block 0                                        block 1
     mapa ──▶ mbarrier.arrive.release.cluster ────▶ mbarrier object
                                                       │
                                                       ▼
                                                    mbarrier.try_wait.acquire.cluster
    ```

    ## Example
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry signal()
    .reqntid 32
    .reqnctapercluster 2
    {
        .reg .pred %p<3>;
        .reg .b32 %r<5>;
        .shared .align 8 .b64 full;
        mov.u32 %r1, %cluster_ctarank;
        xor.b32 %r1, %r1, 1;
        mov.u32 %r2, %tid.x;
        setp.ne.s32 %p1, %r2, 0;
        mov.u32 %r3, full;
        @%p1 bra created;
        mbarrier.init.shared::cta.b64 [%r3], 1;
        fence.mbarrier_init.release.cluster;
    created:
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        @%p1 bra wait;
        mapa.shared::cluster.u32 %r4, %r3, %r1;
        mbarrier.arrive.release.cta.shared::cluster.b64 _, [%r4];
    wait:
        mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r3], 0;
        @!%p2 bra wait;
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry signal()
    .reqntid 32
    .reqnctapercluster 2
    {
        .reg .pred %p<3>;
        .reg .b32 %r<5>;
        .shared .align 8 .b64 full;
        mov.u32 %r1, %cluster_ctarank;
        xor.b32 %r1, %r1, 1;
        mov.u32 %r2, %tid.x;
        setp.ne.s32 %p1, %r2, 0;
        mov.u32 %r3, full;
        @%p1 bra created;
        mbarrier.init.shared::cta.b64 [%r3], 1;
        fence.mbarrier_init.release.cluster;
    created:
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        @%p1 bra wait;
        mapa.shared::cluster.u32 %r4, %r3, %r1;
        mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];
    wait:
        mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r3], 0;
        @!%p2 bra wait;
        barrier.cluster.arrive.aligned;
        barrier.cluster.wait.aligned;
        ret;
    }
    ```
    """
    if mismatch.is_wait:
        return Finding(
            "this instruction waits on an mbarrier object in the shared memory of another block, "
            "but only threads of that block can wait on the object"
        )
    return Finding(
        "this instruction arrives at an mbarrier object of another block, but its release has only "
        "`.cta` scope: use `.release.cluster`, so that the other block sees earlier writes"
    )
