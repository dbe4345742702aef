"""The rule overwritten-copy-source.

Source: PTX ISA, "Asynchronous copy": cp.async.bulk.wait_group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, Repair, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.group_hazards import BULK_GROUPS, group_hazards
from ptx_ls.protocols.memory.group_accesses import first_proven
from ptx_ls.protocols.memory.ring_waits import short_waits
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class OverwrittenCopySource(NamedTuple):
    """A write to shared memory that a bulk copy may not have read.

    Attributes:
        variable: the variable with the source of the copy.
        start, end: the place of the write.
        copy: the place of the copy.
        threads: the thread that issued the copy and one that writes; None if these are one.
        is_awaited: whether the issuing thread waits before the write.
        is_around: whether the write is in the next iteration of a loop.
        is_owner: whether only threads that issued the copy write, with no barrier in between.
        n_allowed: how many groups the wait of a loop may leave, if it leaves more.
    """

    variable: str
    start: FunctionPosition
    end: FunctionPosition
    copy: FunctionSpan
    threads: tuple[int, int] | None
    is_awaited: bool
    is_around: bool
    is_owner: bool
    n_allowed: int | None = None


def find(seen: CheckInput) -> Iterator[OverwrittenCopySource]:
    """Yields the first write to each variable that comes before a copy has read it."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    found = first_proven(sites, BULK_GROUPS)
    unfinished = group_hazards(sites, BULK_GROUPS).never_completed()
    skipped = {each.copy.start for each in unfinished if each.skipped is not None}
    for variable, each in found.items():
        if each.operation.start in skipped:
            continue  # `unawaited-copy` reports that the wait is in other threads
        yield OverwrittenCopySource(
            variable,
            each.access.start,
            each.access.end,
            (each.operation.start, each.operation.end),
            each.threads,
            each.states <= {"read", "complete"},
            each.is_around,
            each.is_owner and not each.has_barrier,
        )
    reported = {*found}
    for short in short_waits(sites, BULK_GROUPS):
        if short.symbol.name not in reported:
            reported.add(short.symbol.name)
            yield OverwrittenCopySource(
                short.symbol.name,
                short.access.start,
                short.access.end,
                (short.copy.start, short.copy.end),
                threads=short.threads,
                is_awaited=short.threads is not None,
                is_around=False,
                is_owner=False,
                n_allowed=short.n_allowed,
            )


@rule(
    "overwritten-copy-source",
    on=OverwrittenCopySource,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("cp"),
)
def overwritten_copy_source(mismatch: OverwrittenCopySource, context: RuleContext) -> Finding:
    """Reports writes to shared memory while a bulk copy may still read it.

    ## Why is this bad?
    A bulk copy or tensor copy from shared to global memory reads its source some time after it is
    issued. No thread may write the source again until the thread that issued the copy has executed
    `cp.async.bulk.wait_group.read N`. That wait leaves at most the newest N groups pending: to
    reuse the source of the newest group, N must be 0. Other threads also need a barrier after the
    wait. Otherwise, the copy may store parts of the new data.

    A write is reported only if no path from the copy to the write has such a wait, and if the
    addresses of the copy and the write are known for each thread.

    ## Example
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry put(.param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<2>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<2>;
        .shared .align 128 .b8 stage[512];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        setp.ne.s32 %p1, %r1, 0;
        mov.u32 %r2, stage;
        shl.b32 %r3, %r1, 2;
        add.s32 %r3, %r2, %r3;
        st.shared.b32 [%r3], %r1;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        @%p1 bra next;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 512;
        cp.async.bulk.commit_group;
    next:
        bar.sync 0;
        st.shared.b32 [%r3], 0;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        @%p1 bra done;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1+512], [%r2], 512;
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group 0;
    done:
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_90
    .address_size 64
    .visible .entry put(.param .b64 result)
    .reqntid 128
    {
        .reg .pred %p<2>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<2>;
        .shared .align 128 .b8 stage[512];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        setp.ne.s32 %p1, %r1, 0;
        mov.u32 %r2, stage;
        shl.b32 %r3, %r1, 2;
        add.s32 %r3, %r2, %r3;
        st.shared.b32 [%r3], %r1;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        @%p1 bra next;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 512;
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group.read 0;
    next:
        bar.sync 0;
        st.shared.b32 [%r3], 0;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        @%p1 bra done;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1+512], [%r2], 512;
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group 0;
    done:
        ret;
    }
    ```
    """
    when = " in the next iteration" if mismatch.is_around else ""
    who = "this instruction" if mismatch.threads is None else f"thread {mismatch.threads[1]}"
    message = f"{who} writes `{mismatch.variable}`{when} while a bulk copy may still read it: "
    if mismatch.is_awaited and mismatch.threads is not None:
        issuer = mismatch.threads[0]
        message += f"no barrier follows the wait of thread {issuer} for the copy"
    else:
        message += "no earlier `cp.async.bulk.wait_group.read` waits for the copy"
    if mismatch.n_allowed is not None:
        message += f"; use `cp.async.bulk.wait_group.read {mismatch.n_allowed}` in the loop"
    repairs: tuple[Repair, ...] = ()
    if mismatch.is_owner:
        missing = ["cp.async.bulk.wait_group.read 0;"]
        repairs = with_statements_ahead(mismatch.start, missing, context)
    related = (Related(*mismatch.copy, "the copy is issued here"),)
    return Finding(message, related=related, repairs=repairs)
