"""The rule early-bulk-read.

Source: PTX ISA, "Completion Mechanisms for Asynchronous Copy Operations", "Asynchronous copy".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.mbarriers.bulk_reads import early_bulk_reads
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.semantics.symbols.region_text import Found


_OF_PEERS: Final = ("st.async", "red.async")
_REQUEST: Final = "clusterlaunchcontrol"


class BulkReadTooEarly(NamedTuple):
    """A read of the destination of a bulk copy that nothing has waited for.

    Attributes:
        start, end: the place of the read.
        variable: the variable with the destination.
        copy: the place of the copy.
        wait: the place of a wait that comes later.
        is_around: whether the read is in the next iteration of a loop.
        kind: what writes the destination: a bulk copy, or an instruction of another block.
    """

    start: FunctionPosition
    end: FunctionPosition
    variable: str
    copy: FunctionSpan
    wait: FunctionSpan | None
    is_around: bool
    kind: str


def find(seen: CheckInput) -> Iterator[BulkReadTooEarly]:
    """Yields the first early read of each copy."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    reported = set[object]()
    for each in early_bulk_reads(sites):
        if each.read.start not in reported:
            reported.add(each.read.start)
            yield BulkReadTooEarly(
                each.read.start,
                each.read.end,
                "" if each.symbol is None else each.symbol.name,
                (each.copy.start, each.copy.end),
                None if each.wait is None else (each.wait.start, each.wait.end),
                each.is_around,
                _kind(each.copy),
            )


def _kind(found: Found) -> str:
    """Returns what a statement is called in messages."""
    if _REQUEST in found.text:
        return f"`{_REQUEST}.try_cancel`"
    name = next((each for each in _OF_PEERS if each in found.text), None)
    return "bulk copy" if name is None else f"`{name}` of another block"


@rule(
    "early-bulk-read",
    on=BulkReadTooEarly,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("cp", _REQUEST, *_OF_PEERS),
)
def early_bulk_read(mismatch: BulkReadTooEarly, _: RuleContext) -> Finding:
    """Reports reads of a bulk copy's destination before any wait for the copy.

    ## Why is this bad?
    A bulk copy or tensor copy runs in the background. When the copy is complete, it signals its
    mbarrier object. Until `mbarrier.try_wait` on that object returns true, a load, a matrix
    instruction or another copy that reads the destination may get old data, or only parts of the
    new data. The same is true of `st.async` and `red.async`, with which the blocks of a cluster
    write to each other's shared memory. The cluster barrier does not wait for them. The response of
    `clusterlaunchcontrol.try_cancel` arrives in the same way.

    A read is reported only if no path from the copy to the read contains a wait on the mbarrier
    object, or a barrier that a waiting thread also passes.

    ## Example
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry take(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<3>;
        .reg .b32 %r<7>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 data[512];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        setp.ne.s32 %p1, %r1, 0;
        mov.u32 %r2, data;
        mov.u32 %r3, full;
        shl.b32 %r4, %r1, 2;
        add.s32 %r5, %r2, %r4;
        @%p1 bra created;
        mbarrier.init.shared::cta.b64 [%r3], 1;
    created:
        bar.sync 0;
        @%p1 bra wait;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, [%r3];
    wait:
        ld.shared.b32 %r6, [%r5];
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
        @!%p2 bra wait;
        cvt.u64.u32 %rd3, %r4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r6;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry take(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<3>;
        .reg .b32 %r<7>;
        .reg .b64 %rd<5>;
        .shared .align 128 .b8 data[512];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        setp.ne.s32 %p1, %r1, 0;
        mov.u32 %r2, data;
        mov.u32 %r3, full;
        shl.b32 %r4, %r1, 2;
        add.s32 %r5, %r2, %r4;
        @%p1 bra created;
        mbarrier.init.shared::cta.b64 [%r3], 1;
    created:
        bar.sync 0;
        @%p1 bra wait;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, [%r3];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
        @!%p2 bra wait;
        ld.shared.b32 %r6, [%r5];
        cvt.u64.u32 %rd3, %r4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r6;
        ret;
    }
    ```
    """
    when = " in the next iteration" if mismatch.is_around else ""
    message = (
        f"this instruction reads `{mismatch.variable}`{when} while the {mismatch.kind} to that "
        "memory may still be running: no wait on its mbarrier object precedes this read"
    )
    related = [Related(*mismatch.copy, "the operation is issued here")]
    if mismatch.wait is not None:
        related.append(Related(*mismatch.wait, "this wait comes too late"))
    return Finding(message, related=tuple(related))
