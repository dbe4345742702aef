"""The rule mbarrier-lifetime.

Source: PTX ISA, "mbarrier": mbarrier.init, mbarrier.inval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.collectives.barrier_places import barrier_place
from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    related_at,
    rule,
)
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.mbarriers.lifetimes import LifetimeMistake, wrong_lifetimes
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


_CHANGES: Final = {
    LifetimeMistake.CREATED_AGAIN: "initialised again",
    LifetimeMistake.OVERWRITTEN: "overwritten",
}
_WITHOUT_BARRIER: Final = (LifetimeMistake.NOT_SHARED, LifetimeMistake.STILL_USED)
"""The mistakes that a barrier corrects."""


class MbarrierOutsideOfLifetime(NamedTuple):
    """A use of an mbarrier object that may not exist.

    Attributes:
        start, end: the place of the use.
        variable: the variable with the object.
        mistake: what is wrong.
        other: the place where the object is created or ended.
        place: where a barrier would order its creation before the use.
    """

    start: FunctionPosition
    end: FunctionPosition
    variable: str
    mistake: LifetimeMistake
    other: FunctionSpan | None
    place: FunctionPosition | None


def find(seen: CheckInput) -> Iterator[MbarrierOutsideOfLifetime]:
    """Yields the uses of objects that may not exist."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    for each in wrong_lifetimes(mbarrier_objects(sites)):
        use = sites.sites[each.use.number].found
        other = None if each.other is None else sites.sites[each.other.number].found
        symbol, place = each.use.symbol, None
        if other is not None and each.mistake in _WITHOUT_BARRIER:
            place = barrier_place(seen, other.start, use.start)
        yield MbarrierOutsideOfLifetime(
            use.start,
            use.end,
            "" if symbol is None else symbol.name,
            each.mistake,
            None if other is None else (other.start, other.end),
            place,
        )


@rule(
    "mbarrier-lifetime",
    on=MbarrierOutsideOfLifetime,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier"),
)
def mbarrier_lifetime(mismatch: MbarrierOutsideOfLifetime, context: RuleContext) -> Finding:
    """Reports mbarrier objects that are used before `mbarrier.init` or after `mbarrier.inval`.

    ## Why is this bad?
    One thread initialises an object with `mbarrier.init`. Other threads may use the object only
    after a barrier. Without the barrier, a thread may arrive or wait before the object is
    initialised, and the behaviour is undefined. After `mbarrier.inval`, the object must not be used
    until `mbarrier.init` initialises it again. Before the memory is used for another object or for
    data, the object must be invalidated, and all threads must have finished their waits on it.

    The rule reports an object if nothing in the kernel initialises it, or if several threads
    do. An array of objects is reported if only some of the objects are initialised. The rule
    also reports a use before `mbarrier.init` or after `mbarrier.inval`, and a use by another
    thread if no path has a barrier between `mbarrier.init` and the use. It reports
    `mbarrier.inval` if no path has a barrier after the waits of other threads, and another
    `mbarrier.init` or a store to the memory of an object that is still in use.

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
    name = "this mbarrier object"
    if mismatch.variable:
        name = f"the mbarrier object `{mismatch.variable}`"
    if mismatch.mistake is LifetimeMistake.NEVER_CREATED:
        return Finding(f"no `mbarrier.init` initialises {name}")
    if mismatch.mistake is LifetimeMistake.LEFT_OUT:
        return Finding(
            f"some of the mbarrier objects in `{mismatch.variable}` are never initialised"
        )
    if mismatch.mistake is LifetimeMistake.SEVERAL:
        return Finding(f"several threads initialise {name}: only one thread may do so")
    if mismatch.mistake is LifetimeMistake.NOT_YET:
        message, note = (
            f"{name} is used before it is initialised",
            "the mbarrier object is initialised here",
        )
    elif mismatch.mistake is LifetimeMistake.NOT_SHARED:
        message = f"other threads may use {name} before it is initialised: no barrier is in between"
        note = "the mbarrier object is initialised here"
    elif mismatch.mistake is LifetimeMistake.STILL_USED:
        message = f"{name} is invalidated while other threads may still be waiting on it"
        note = (
            "other threads may still be waiting here: "
            "no barrier comes between this wait and the `mbarrier.inval`"
        )
    elif mismatch.mistake in _CHANGES:
        change = _CHANGES[mismatch.mistake]
        message = f"{name} is {change}, but no `mbarrier.inval` has invalidated the object"
        note = "the mbarrier object is initialised here"
    else:
        message, note = (
            f"{name} is used after it was invalidated",
            "the mbarrier object is invalidated here",
        )
    repairs: tuple[Repair, ...] = ()
    if mismatch.place is not None:
        repairs = with_statements_ahead(mismatch.place, ["bar.sync 0;"], context)
    return Finding(message, related=related_at(mismatch.other, note), repairs=repairs)
