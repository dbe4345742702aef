"""The rule missing-proxy-fence.

Source: PTX ISA, "Memory Consistency Model", "Proxies"; "Asynchronous copy".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, Repair, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.definition import Sureness
from ptx_ls.protocols.memory.global_accesses import unfenced_reads
from ptx_ls.protocols.memory.proxy_hazards import proxy_hazards
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.protocols.memory.global_accesses import GlobalHazard
    from ptx_ls.protocols.memory.proxy_hazards import ProxyHazard

_FENCE: Final = "fence.proxy.async.shared::cta;"
_GLOBAL_FENCE: Final = "fence.proxy.async.global;"


class MissingProxyFence(NamedTuple):
    """An asynchronous access that no proxy fence orders after an access of a thread.

    Attributes:
        variable: the variable that both access.
        start, end: the place of the asynchronous access.
        verb: what it does: `reads`, `writes` or `updates`.
        first, first_verb: the place of the earlier access, and what that does.
        fence: the place of a fence that does not help.
        barrier: the place of the barrier after the earlier access.
        is_certain: whether no path has a fence.
        is_ordered: whether a barrier orders the two.
        is_of_others: whether other threads do the earlier access.
        is_around: whether the asynchronous access is in the next iteration of a loop.
        is_global: whether the memory is global, and has no name.
    """

    variable: str
    start: FunctionPosition
    end: FunctionPosition
    verb: str
    first: FunctionSpan
    first_verb: str
    fence: FunctionSpan | None
    barrier: FunctionSpan | None
    is_certain: bool
    is_ordered: bool
    is_of_others: bool
    is_around: bool
    is_global: bool = False

    @property
    def memory(self) -> str:
        """The words for the memory."""
        return "global memory" if self.is_global else f"`{self.variable}`"

    @property
    def new_fence(self) -> str:
        """The fence to insert."""
        return _GLOBAL_FENCE if self.is_global else _FENCE


def find(seen: CheckInput) -> Iterator[MissingProxyFence]:
    """Yields the first asynchronous access in each block that lacks a fence."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    reported = set[object]()
    for each in proxy_hazards(sites):
        block = sites.graph.number_at(each.second.start), sites.graph.number_at(each.first.start)
        if block not in reported:
            reported.add(block)
            yield _missing(each)
    yield from map(_missing_for_global, unfenced_reads(sites))


def _missing_for_global(hazard: GlobalHazard) -> MissingProxyFence:
    barrier = hazard.barrier
    return MissingProxyFence(
        "",
        hazard.second.start,
        hazard.second.end,
        hazard.second_verb,
        (hazard.first.start, hazard.first.end),
        hazard.first_verb,
        None,
        None if barrier is None else (barrier.start, barrier.end),
        is_certain=True,
        is_ordered=barrier is not None,
        is_of_others=hazard.is_of_others,
        is_around=False,
        is_global=True,
    )


def _missing(hazard: ProxyHazard) -> MissingProxyFence:
    fence, barrier = hazard.fence, hazard.barrier
    return MissingProxyFence(
        "" if hazard.symbol is None else hazard.symbol.name,
        hazard.second.start,
        hazard.second.end,
        hazard.second_verb,
        (hazard.first.start, hazard.first.end),
        hazard.first_verb,
        None if fence is None else (fence.start, fence.end),
        None if barrier is None else (barrier.start, barrier.end),
        hazard.sureness is Sureness.PROVEN,
        hazard.is_ordered,
        hazard.is_of_others,
        hazard.is_around,
    )


@rule(
    "missing-proxy-fence",
    on=MissingProxyFence,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("cp", "wgmma", "tcgen05"),
)
def missing_proxy_fence(mismatch: MissingProxyFence, context: RuleContext) -> Finding:
    """Reports asynchronous accesses to memory without a proxy fence after ordinary accesses.

    ## Why is this bad?
    Loads, stores and `cp.async` use the generic proxy. Bulk copies, tensor copies, `wgmma` and
    `tcgen05` access shared memory through the async proxy. Barriers alone do not order accesses
    through different proxies: a bulk copy may read what was in shared memory before a store, even
    if there is a barrier in between. Such mistakes depend on timing and show up rarely.

    Each thread that stored must execute `fence.proxy.async.shared::cta` between its stores and the
    barrier. A fence after the barrier, in the thread that issues the copy, has the same effect. A
    fence is also needed before a copy writes to memory that threads have read or written. A thread
    that reads the data of a copy needs no fence: waiting for the copy is enough.

    A bulk copy from global memory that threads of the same kernel have stored needs
    `fence.proxy.async.global` in the same way.

    The severity is warning if no path has a fence, and either the copy reads stored data, or
    nothing orders the accesses at all. The severity is information if some path has a fence, or if
    a barrier orders the accesses to the destination of a copy before the copy.

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
        bar.sync 0;
        @%p1 bra done;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 512;
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
        @%p1 bra done;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 512;
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group 0;
    done:
        ret;
    }
    ```
    """
    severity = None
    if not mismatch.is_certain or (mismatch.is_ordered and mismatch.verb != "reads"):
        severity = Severity.INFORMATION
    related = [
        Related(
            *mismatch.first,
            f"a thread {mismatch.first_verb} {mismatch.memory} here, through the generic proxy",
        )
    ]
    if mismatch.fence is not None:
        is_late = mismatch.fence[0] > mismatch.start
        note = (
            "this fence comes too late, after the copy"
            if is_late
            else "only some of these threads execute this fence"
        )
        related.append(Related(*mismatch.fence, note))
    elif mismatch.barrier is not None:
        fence = mismatch.new_fence[:-1]
        related.append(Related(*mismatch.barrier, f"insert `{fence}` before this barrier"))
    repairs: tuple[Repair, ...] = ()
    place = _place(mismatch)
    if mismatch.fence is None and place is not None:
        applicability = Applicability.UNSAFE if mismatch.is_certain else Applicability.GUESS
        repairs = with_statements_ahead(place, [mismatch.new_fence], context, applicability)
    return Finding(_message(mismatch), severity=severity, related=tuple(related), repairs=repairs)


def _place(mismatch: MissingProxyFence) -> FunctionPosition | None:
    """Returns where one fence orders all earlier accesses; None if that is not certain."""
    if not mismatch.is_of_others:
        return mismatch.start
    if not mismatch.is_ordered or mismatch.barrier is None:
        return None
    return mismatch.barrier[0]


def _message(mismatch: MissingProxyFence) -> str:
    when = " in the next iteration" if mismatch.is_around else ""
    missing = "no `fence.proxy.async` is in between"
    if not mismatch.is_certain:
        missing = f"on some path, {missing}"
    elif mismatch.is_of_others and not mismatch.is_ordered:
        missing = "neither `fence.proxy.async` nor a barrier is in between"
    if mismatch.verb == "reads":
        what = "read", "before the values that threads stored there are visible"
    elif mismatch.first_verb == "reads":
        what = "overwrite", "before threads have read it"
    else:
        what = "overwrite", "before an earlier store takes effect"
    start = f"this instruction may {what[0]} {mismatch.memory} through the async proxy{when}"
    return f"{start} {what[1]}: {missing}"
