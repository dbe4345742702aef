"""The rule missing-barrier.

Source: PTX ISA, "Memory Consistency Model": two accesses of different threads to the same bytes, of
which one is a write, are a data race unless synchronisation orders them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa import parse_target
from ptx_ls.lint.candidates.statements import names_shared_memory
from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, Repair, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.happens_before.conflicts import access_conflicts
from ptx_ls.threads.happens_before.shared_accesses import ACCESSING
from ptx_ls.threads.happens_before.unordered_paths import APART, FORWARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.threads.happens_before.conflict_finder import AccessConflict
    from ptx_ls.threads.happens_before.shared_accesses import SharedAccess

_COPY: Final = "cp.async"
_MBARRIER: Final = "mbarrier"
_RELAXED: Final = ".relaxed"
_INDEPENDENT: Final = 70
"""The first architecture on which the threads of a warp may run apart: sm_70."""


class MissingBarrier(NamedTuple):
    """An access to shared memory that another thread's access may overtake.

    Attributes:
        variable: the variable that both access.
        start, end: the place of the second access.
        verb, threads, offset: what the second access does to which byte of the variable; the
            thread that runs the first access, and one that runs the second.
        first_verb, first: the same of the first access, and its place.
        is_around: whether the second access is in the next iteration of a loop.
        is_certain: whether the threads are in different warps, and all paths lack a barrier.
        is_remote: whether the threads are in different blocks of a cluster.
        is_after_arrival: whether the second thread waits, but for an earlier arrival.
        place: where a barrier orders the two, if all threads surely get there together.
        has_relaxed: whether the kernel has `.relaxed` arrivals at mbarrier objects, or waits.
    """

    variable: str
    start: FunctionPosition
    end: FunctionPosition
    verb: str
    threads: tuple[int, int]
    offset: int | None
    first_verb: str
    first: FunctionSpan
    is_around: bool
    is_certain: bool
    is_remote: bool
    is_after_arrival: bool
    place: FunctionPosition | None
    has_relaxed: bool


def find(seen: CheckInput) -> Iterator[MissingBarrier]:
    """Yields the first of the accesses of a kernel to each variable that lack a barrier."""
    reported = set[tuple[str, int]]()
    for each in access_conflicts(seen.function, seen.module):
        key = each.symbol.name, each.second.site.block
        is_known = each.crosses_warps or _runs_apart(seen.module.context.target)
        if key not in reported and is_known:
            reported.add(key)
            if not _is_of_unfinished_copy(each, seen) and not _is_early(each, seen):
                yield _missing(each, seen)


def _is_of_unfinished_copy(conflict: AccessConflict, seen: CheckInput) -> bool:
    """Whether the first access is a copy that is not complete: `early-copy-access` reports it."""
    if not conflict.first.site.opcode.startswith(_COPY):
        return False
    from ptx_ls.protocols.async_sites import async_sites  # noqa: PLC0415  for few conflicts
    from ptx_ls.protocols.memory.group_accesses import unfinished_accesses  # noqa: PLC0415

    sites = async_sites(seen.function, seen.module)
    place = conflict.second.site.found.start
    return sites is not None and any(
        each.access.start == place for each in unfinished_accesses(sites)
    )


def _is_early(conflict: AccessConflict, seen: CheckInput) -> bool:
    """Whether the cluster has not met before the access: `early-remote-access` reports it."""
    if not conflict.is_remote:
        return False
    from ptx_ls.protocols.clusters import clusters  # noqa: PLC0415  for few conflicts

    found = clusters(seen.function, seen.module)
    early = {found.sites[it.number].found.start for it in found.violations if it.number >= 0}
    return any(each.site.found.start in early for each in (conflict.first, conflict.second))


def _runs_apart(targets: tuple[str, ...]) -> bool:
    """Whether the threads of a warp may run apart on all targets, as they do on sm_70 and newer."""
    found = [target for each in targets if (target := parse_target(each)) is not None]
    return bool(found) and min(number for number, _ in found) >= _INDEPENDENT


def _missing(conflict: AccessConflict, seen: CheckInput) -> MissingBarrier:
    first, second = conflict.first, conflict.second
    place = None
    # In a warp, `bar.warp.sync` may be enough; in two arms, both need the barrier.
    if conflict.crosses_warps and not conflict.is_remote and conflict.kind != APART:
        from ptx_ls.lint.collectives.barrier_places import barrier_place  # noqa: PLC0415  as above

        place = barrier_place(seen, first.site.found.start, second.site.found.start)
    return MissingBarrier(
        conflict.symbol.name,
        *_span(second),
        second.event.kind,
        conflict.threads,
        conflict.offset,
        first.event.kind,
        _span(first),
        conflict.kind not in (FORWARD, APART),
        conflict.crosses_warps and conflict.is_always,
        conflict.is_remote,
        conflict.is_after_arrival,
        place,
        any(_RELAXED in each.opcode for each in seen.text.shapes_of((_MBARRIER,))),
    )


def _span(access: SharedAccess) -> FunctionSpan:
    return access.site.found.start, access.site.found.end


@rule(
    "missing-barrier",
    on=MissingBarrier,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*ACCESSING),
    given=names_shared_memory,
)
def missing_barrier(mismatch: MissingBarrier, context: RuleContext) -> Finding:
    """Reports two threads that access the same shared memory without a barrier in between.

    ## Why is this bad?
    Threads run at different speeds. If one thread writes data that another thread reads, and
    neither thread waits for the other, the reader may get the old value or the new value. In a
    loop, a barrier is also missing if a thread may overwrite data in the next iteration while other
    threads still read that data. Threads in the two arms of a branch may run at the same time. A
    thread that arrives at an mbarrier object or a barrier lets other threads continue: the thread
    must finish its own accesses before it arrives. Accesses that a thread makes between its arrival
    and its wait, at an mbarrier object or with `barrier.cluster`, are not ordered. A bulk copy, a
    tensor copy or a `wgmma` accesses shared memory for the thread that starts it, and needs both a
    proxy fence and a barrier after the stores of other threads.

    In a cluster, a block may also access the shared memory of other blocks. Only a wait at the
    cluster barrier or on an mbarrier object orders the accesses of two blocks.

    Accesses and barriers in the functions that a kernel calls are included. A barrier, a wait on an
    mbarrier object, and a call of an unknown function count as synchronisation, and so does
    `bar.warp.sync` for threads of one warp. An atomic operation, or a load with `.acquire`,
    `.relaxed` or `.volatile`, counts only if its result decides what a thread does next. Threads of
    one warp are reported only on `sm_70` and newer, where the lanes may run independently. On these
    targets, `.volatile` alone does not make a lane wait for the store of another lane; such
    accesses are reported as information.

    The severity is warning if the threads are in different warps and nothing orders the accesses on
    any path. The severity is information if only some paths have a barrier, for example in the body
    of a loop that may not run at all.

    Two accesses are reported only if the addresses and the conditions of both accesses are known
    for each thread, in some iteration of the loops around them. The severity is information if a
    condition of one access, or the address of an atomic operation, depends on data in memory. The
    conditions of both accesses may depend on the same data if all threads read that data from one
    address. A kernel without `.reqntid` is assumed to run with the block size of `.maxntid`, or
    else with 128 threads per block. A kernel that reads `%tid.y` is reported only if the barrier is
    missing for all typical block shapes.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry reverse(.param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<6>;
        .reg .b64 %rd<4>;
        .shared .align 4 .b8 buffer[512];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        mov.u32 %r3, buffer;
        add.s32 %r4, %r3, %r2;
        st.shared.b32 [%r4], %r1;
        sub.s32 %r4, %r3, %r2;
        ld.shared.b32 %r5, [%r4+508];
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r5;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry reverse(.param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<6>;
        .reg .b64 %rd<4>;
        .shared .align 4 .b8 buffer[512];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        mov.u32 %r3, buffer;
        add.s32 %r4, %r3, %r2;
        st.shared.b32 [%r4], %r1;
        bar.sync 0;
        sub.s32 %r4, %r3, %r2;
        ld.shared.b32 %r5, [%r4+508];
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r5;
        ret;
    }
    ```
    """
    one, other = mismatch.threads
    where = f"`{mismatch.variable}`"
    if mismatch.offset is not None:
        where = f"byte {mismatch.offset:,} of {where}"
    when = " in the next iteration" if mismatch.is_around else ""
    block, barrier = "", "barrier"
    if mismatch.is_remote:
        block, barrier = " of another block", "`barrier.cluster.wait`"
    message = (
        f"thread {other} {mismatch.verb} {where}{when}, and thread {one}{block} "
        f"{mismatch.first_verb} the same memory, but no {barrier} orders the two accesses"
    )
    related = Related(
        *mismatch.first, f"thread {one}{block} {mismatch.first_verb} the same memory here"
    )
    if mismatch.is_after_arrival:
        message += (
            ": a wait orders only the accesses that come before each thread's "
            "`barrier.cluster.arrive`"
        )
    elif mismatch.has_relaxed:
        message += ": `.relaxed` arrivals and waits order nothing"
    severity = None if mismatch.is_certain else Severity.INFORMATION
    repairs: tuple[Repair, ...] = ()
    if mismatch.place is not None:
        repairs = with_statements_ahead(mismatch.place, ["bar.sync 0;"], context)
    return Finding(message, severity=severity, related=(related,), repairs=repairs)
