"""The rule early-copy-access.

Source: PTX ISA, "Asynchronous copy": cp.async, cp.async.commit_group, cp.async.wait_group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.collectives.barrier_places import barrier_place
from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, Repair, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.group_hazards import CP_ASYNC
from ptx_ls.protocols.memory.group_accesses import unfinished_accesses
from ptx_ls.protocols.memory.last_groups import missed_groups
from ptx_ls.protocols.memory.ring_waits import short_waits
from ptx_ls.protocols.preceding_waits import lenient_wait
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class EarlyCopyAccess(NamedTuple):
    """An access to the destination of a `cp.async` that may not be complete.

    Attributes:
        variable: the variable with the destination.
        start, end: the place of the access.
        verb: what it does: `reads`, `writes` or `updates`.
        copy: the place of the copy.
        threads: the thread that issued the copy and the one of the access; None if these are one.
        is_awaited: whether the issuing thread waits before the access.
        is_around: whether the access is in the next iteration of a loop.
        wait: a wait between the two that leaves groups pending, if any.
        place: where a wait, and a barrier if other threads are concerned, would order the two.
        n_allowed: how many groups the wait of a loop may leave, if it leaves more.
        is_last: whether this only happens in the last iterations, which commit nothing.
    """

    variable: str
    start: FunctionPosition
    end: FunctionPosition
    verb: str
    copy: FunctionSpan
    threads: tuple[int, int] | None
    is_awaited: bool
    is_around: bool
    wait: FunctionSpan | None
    place: FunctionPosition | None
    n_allowed: int | None = None
    is_last: bool = False


def find(seen: CheckInput) -> Iterator[EarlyCopyAccess]:
    """Yields the first access to each variable that comes before the wait for a copy."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    reported = set[str]()
    for each in unfinished_accesses(sites):
        variable = "" if each.symbol is None else each.symbol.name
        if variable in reported:
            continue
        reported.add(variable)
        place = each.access.start if each.threads is None else None
        if each.threads is not None:
            place = barrier_place(seen, each.operation.start, each.access.start)
        yield EarlyCopyAccess(
            variable,
            each.access.start,
            each.access.end,
            each.verb,
            (each.operation.start, each.operation.end),
            each.threads,
            each.is_awaited,
            each.is_around,
            lenient_wait(sites, "cp.async", each.operation.start, each.access.start),
            place,
        )
    for short in (*short_waits(sites, CP_ASYNC), *missed_groups(sites)):
        if short.symbol.name not in reported:
            reported.add(short.symbol.name)
            copy = short.copy.start, short.copy.end
            yield EarlyCopyAccess(
                short.symbol.name,
                short.access.start,
                short.access.end,
                short.event.kind,
                copy,
                threads=None,
                is_awaited=False,
                is_around=False,
                wait=None if short.wait is None else (short.wait.start, short.wait.end),
                place=None,
                n_allowed=short.n_allowed,
                is_last=short.is_last,
            )


@rule(
    "early-copy-access",
    on=EarlyCopyAccess,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("cp"),
)
def early_copy_access(mismatch: EarlyCopyAccess, context: RuleContext) -> Finding:
    """Reports accesses to the destination of `cp.async` before the copy is complete.

    ## Why is this bad?
    `cp.async` only starts a copy. `cp.async.commit_group` puts the copy into a group, and
    `cp.async.wait_group N` waits for all groups except the newest N. Until the thread that issued
    the copy has waited for the group, a load may get old data, and the copy may overwrite a store.

    A wait covers only the copies of the thread that executes it. Other threads may access the data
    only after a barrier that follows the wait: first `cp.async.wait_group`, then `bar.sync`. If the
    barrier precedes the wait, other threads may pass it before the copies are complete.

    An access is reported only if no path from the copy to the access has such a wait, and if the
    addresses of the copy and the access are known for each thread.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry shift(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<7>;
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
        add.s32 %r4, %r3, %r2;
        cp.async.ca.shared.global [%r4], [%rd4], 4;
        cp.async.commit_group;
        bar.sync 0;
        cp.async.wait_group 0;
        sub.s32 %r5, %r3, %r2;
        ld.shared.b32 %r6, [%r5+508];
        st.global.b32 [%rd5], %r6;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry shift(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<7>;
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
        add.s32 %r4, %r3, %r2;
        cp.async.ca.shared.global [%r4], [%rd4], 4;
        cp.async.commit_group;
        cp.async.wait_group 0;
        bar.sync 0;
        sub.s32 %r5, %r3, %r2;
        ld.shared.b32 %r6, [%r5+508];
        st.global.b32 [%rd5], %r6;
        ret;
    }
    ```
    """
    when = " in the next iteration" if mismatch.is_around else ""
    where = f"`{mismatch.variable}`"
    if mismatch.threads is None:
        message = (
            f"this instruction {mismatch.verb} {where}{when} while a copy to that memory may still "
            "be running: no wait for the copy's group precedes it"
        )
        if mismatch.is_last:
            message = (
                f"in the last iterations, this instruction {mismatch.verb} {where} while a copy to "
                "that memory may still be running: they commit no group, so the wait of the loop "
                "leaves the newest groups pending; commit a group in each iteration"
            )
        if mismatch.n_allowed is not None:
            message += f"; use `cp.async.wait_group {mismatch.n_allowed}` in the loop"
    elif mismatch.is_awaited:
        one, other = mismatch.threads
        message = (
            f"thread {other} {mismatch.verb} data that thread {one} copies to {where}{when}, but "
            f"no barrier follows the wait of thread {one} for the copy"
        )
    else:
        one, other = mismatch.threads
        message = (
            f"thread {other} {mismatch.verb} data that thread {one} copies to {where}{when}, but "
            f"thread {one} has not waited for the copy"
        )
    missing = [] if mismatch.is_awaited else ["cp.async.wait_all;"]
    if mismatch.threads is not None:
        one, other = mismatch.threads
        missing.append("bar.sync 0;" if one // LANES != other // LANES else "bar.warp.sync -1;")
    repairs: tuple[Repair, ...] = ()
    if mismatch.place is not None and missing:
        repairs = with_statements_ahead(mismatch.place, missing, context)
    related = [Related(*mismatch.copy, "the copy is issued here")]
    if mismatch.wait is not None:
        related.append(Related(*mismatch.wait, "this wait may leave the newest groups pending"))
    return Finding(message, related=tuple(related), repairs=repairs)
