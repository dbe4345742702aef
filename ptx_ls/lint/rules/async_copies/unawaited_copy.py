"""The rule unawaited-copy.

Source: PTX ISA, "Asynchronous copy": cp.async.wait_group, cp.async.bulk.wait_group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, related_at, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.execution.faults import SlotConflict
from ptx_ls.protocols.execution.hazards import HazardKind
from ptx_ls.protocols.execution.launches import run_fault
from ptx_ls.protocols.group_hazards import BULK_GROUPS, CP_ASYNC, group_hazards
from ptx_ls.protocols.mbarriers.bulk_reads import unawaited_bulk_copies
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class UnawaitedCopy(NamedTuple):
    """An asynchronous copy that the thread never waits for.

    Attributes:
        start, end: the place of the copy.
        n_copies: how many copies come one after another there.
        wait: what is missing, with `{copies}` in place of the copies.
        why: what may go wrong.
        skipped: the place of a wait that some of its threads do not execute.
        is_relied_on: whether a compiler may rely on the device to finish the copy.
    """

    start: FunctionPosition
    end: FunctionPosition
    n_copies: int
    wait: str
    why: str
    skipped: FunctionSpan | None = None
    is_relied_on: bool = False


def find(seen: CheckInput) -> Iterator[UnawaitedCopy]:
    """Yields the copies that no wait follows."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    for name, wait, why in _WAITS:
        for each in group_hazards(sites, name).never_completed():
            if each.is_committed:
                missing = wait if each.wait is None else _LEFT
                other = each.skipped
                skipped = None if other is None else (other.start, other.end)
                place = each.copy.start, each.copy.end
                is_relied_on = name == BULK_GROUPS and seen.is_generated
                yield UnawaitedCopy(*place, each.n_copies, missing, why, skipped, is_relied_on)
    for found in unawaited_bulk_copies(sites):
        yield UnawaitedCopy(found.start, found.end, 1, *_BULK)
    fault = run_fault(seen.function, seen.module)
    if isinstance(fault, SlotConflict) and fault.kind is HazardKind.END:
        yield UnawaitedCopy(fault.second.start, fault.second.end, 1, *_LAST)


_LAST = (
    "no thread waits for the last phase of the mbarrier object of {copies}",
    "the block may end before the copy is complete",
)
_WAITS = (
    (CP_ASYNC, "no `cp.async.wait_group` follows {copies}", "the data may arrive at any time"),
    (
        BULK_GROUPS,
        "no `cp.async.bulk.wait_group` follows {copies}",
        "the block may end before the copy has read shared memory",
    ),
)
_LEFT = "every `cp.async.bulk.wait_group` after {copies} leaves the last group pending"
_BULK = (
    "no thread waits on the mbarrier object of {copies}",
    "the block may end before the copy is complete",
)


@rule(
    "unawaited-copy",
    on=UnawaitedCopy,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("cp"),
)
def unawaited_copy(mismatch: UnawaitedCopy, _: RuleContext) -> Finding:
    """Reports asynchronous copies that nothing waits for.

    ## Why is this bad?
    A `cp.async` copy may be incomplete until its thread waits for the group of the copy with
    `cp.async.wait_group` or `cp.async.wait_all`. Without the wait, a load may get old data. A bulk
    copy from shared to global memory reads its source later. The thread must therefore execute at
    least `cp.async.bulk.wait_group.read 0` before the block ends or a thread writes the source
    again.

    A wait covers only the groups of the thread that executes the wait. A copy is therefore also
    reported if some of its threads do not execute the wait.

    A bulk copy to shared memory signals an mbarrier object, and some thread must wait on that
    object.

    The rule examines only kernels without calls. It reports a copy if no path leads from the copy
    to a wait, or if nothing in the kernel waits on the mbarrier object of a bulk copy. A bulk copy
    from shared memory is also reported if each wait after its last execution, such as
    `cp.async.bulk.wait_group.read 1`, leaves its group pending. In compiler output, the severity of
    a copy from shared memory is information, because NVIDIA's tile compiler ends its kernels
    without a wait.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry take(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<6>;
        .shared .align 16 .b8 buffer[512];
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        cvt.u64.u32 %rd3, %r2;
        add.s64 %rd4, %rd1, %rd3;
        add.s64 %rd5, %rd2, %rd3;
        mov.u32 %r3, buffer;
        add.s32 %r3, %r3, %r2;
        cp.async.ca.shared.global [%r3], [%rd4], 4;
        cp.async.commit_group;
        ld.shared.b32 %r4, [%r3];
        st.global.b32 [%rd5], %r4;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry take(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<6>;
        .shared .align 16 .b8 buffer[512];
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        cvt.u64.u32 %rd3, %r2;
        add.s64 %rd4, %rd1, %rd3;
        add.s64 %rd5, %rd2, %rd3;
        mov.u32 %r3, buffer;
        add.s32 %r3, %r3, %r2;
        cp.async.ca.shared.global [%r3], [%rd4], 4;
        cp.async.commit_group;
        cp.async.wait_group 0;
        ld.shared.b32 %r4, [%r3];
        st.global.b32 [%rd5], %r4;
        ret;
    }
    ```
    """
    severity = Severity.INFORMATION if mismatch.is_relied_on else None
    what = "this copy" if mismatch.n_copies == 1 else f"these {mismatch.n_copies} copies"
    if mismatch.skipped is not None:
        return Finding(
            f"some threads do not wait for {what}, although each thread must wait for its own "
            f"groups: {mismatch.why}",
            severity=severity,
            related=related_at(mismatch.skipped, "these threads do not execute this wait"),
        )
    missing = mismatch.wait.format(copies=what)
    return Finding(f"{missing}, so {mismatch.why}", severity=severity)
