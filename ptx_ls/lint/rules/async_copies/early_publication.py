"""The rule early-publication.

Source: PTX ISA, "cp.async.bulk.wait_group".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.group_hazards import BULK_GROUPS, group_hazards
from ptx_ls.protocols.memory.global_accesses import early_reads
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class EarlyPublication(NamedTuple):
    """A release after a bulk copy that may not have written its destination, or a read of that.

    `copy`: the place of the copy. `wait`: the place of a wait that only covers reading. `is_read`:
    whether it is a read.
    """

    start: FunctionPosition
    end: FunctionPosition
    copy: FunctionSpan
    wait: FunctionSpan | None
    is_read: bool = False


def find(seen: CheckInput) -> Iterator[EarlyPublication]:
    """Yields the releases and reads that come before the end of a bulk copy."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    for each in group_hazards(sites, BULK_GROUPS).early_releases():
        wait = None if each.wait is None else (each.wait.start, each.wait.end)
        copy = each.copy.start, each.copy.end
        yield EarlyPublication(each.release.start, each.release.end, copy, wait)
    for read in early_reads(sites):
        copy = read.first.start, read.first.end
        yield EarlyPublication(read.second.start, read.second.end, copy, None, is_read=True)


@rule(
    "early-publication",
    on=EarlyPublication,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("cp"),
)
def early_publication(mismatch: EarlyPublication, context: RuleContext) -> Finding:
    """Reports a release of a flag, or a read of the data, before a bulk copy is complete.

    ## Why is this bad?
    A release makes earlier writes of its thread visible, but not the writes of bulk copies that are
    still running. `cp.async.bulk.wait_group.read` waits only until the copies have read shared
    memory. Before other blocks may read the result in global memory, the thread must execute
    `cp.async.bulk.wait_group` without `.read`.

    A release is reported only if no path from the copy to the release has such a wait, and a read
    of the destination is reported only if the kernel has no such wait.

    ## Example
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry put(.param .b64 result, .param .b64 flag)
    .reqntid 32
    {
        .reg .pred %p<2>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<3>;
        .shared .align 128 .b8 stage[128];
        ld.param.b64 %rd1, [result];
        ld.param.b64 %rd2, [flag];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, stage;
        mad.lo.u32 %r3, %r1, 4, %r2;
        st.shared.b32 [%r3], %r1;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        setp.ne.s32 %p1, %r1, 0;
        @%p1 bra done;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 128;
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group.read 0;
        st.release.gpu.global.b32 [%rd2], 1;
    done:
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry put(.param .b64 result, .param .b64 flag)
    .reqntid 32
    {
        .reg .pred %p<2>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<3>;
        .shared .align 128 .b8 stage[128];
        ld.param.b64 %rd1, [result];
        ld.param.b64 %rd2, [flag];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, stage;
        mad.lo.u32 %r3, %r1, 4, %r2;
        st.shared.b32 [%r3], %r1;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        setp.ne.s32 %p1, %r1, 0;
        @%p1 bra done;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 128;
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group 0;
        st.release.gpu.global.b32 [%rd2], 1;
    done:
        ret;
    }
    ```
    """
    if mismatch.is_read:
        related = [Related(*mismatch.copy, "the copy is issued here")]
        return Finding(
            "this instruction may read the destination of a bulk copy before the copy has written "
            "it: the thread that issues the copy must execute `cp.async.bulk.wait_group` without "
            "`.read`",
            related=tuple(related),
        )
    message = (
        "this release may happen before a bulk copy has written its destination: no "
        "earlier `cp.async.bulk.wait_group` without `.read` waits for the copy"
    )
    related = [Related(*mismatch.copy, "the copy is issued here")]
    place = mismatch.start
    if mismatch.wait is not None:
        place = mismatch.wait[0]  # the thread of the copy waits there; another one may release
        related.append(Related(*mismatch.wait, "this wait ends once the copy has read its source"))
    repairs = with_statements_ahead(place, ["cp.async.bulk.wait_group 0;"], context)
    return Finding(message, related=tuple(related), repairs=repairs)
