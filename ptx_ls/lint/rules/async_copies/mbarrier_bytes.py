"""The rule mbarrier-bytes.

Source: PTX ISA, "mbarrier": mbarrier.expect_tx.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.phases import wrong_bytes
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class WrongMbarrierBytes(NamedTuple):
    """Copies with another number of bytes than a thread announced to the mbarrier object.

    Attributes:
        start, end: the place of the announcement.
        copies: the places of the copies.
        expected, actual: the number of bytes announced, and copied.
        is_most: whether `actual` is only what the destinations have room for.
    """

    start: FunctionPosition
    end: FunctionPosition
    copies: tuple[FunctionSpan, ...]
    expected: int
    actual: int
    is_most: bool


def find(seen: CheckInput) -> Iterator[WrongMbarrierBytes]:
    """Yields announcements of wrong numbers of bytes."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    for each in wrong_bytes(mbarrier_objects(sites)):
        expect = sites.sites[each.expect.number].found
        found = [sites.sites[it.number].found for it in each.copies]
        copies = tuple((it.start, it.end) for it in found)
        yield WrongMbarrierBytes(
            expect.start, expect.end, copies, each.expected, each.actual, each.is_most
        )


@rule(
    "mbarrier-bytes",
    on=WrongMbarrierBytes,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("mbarrier"),
)
def mbarrier_bytes(mismatch: WrongMbarrierBytes, _: RuleContext) -> Finding:
    """Reports an `expect_tx` that announces more or fewer bytes than the copies transfer.

    ## Why is this bad?
    A phase completes once all expected threads and all announced bytes have arrived. If more bytes
    are announced than copied, a thread that waits for the phase waits forever. If fewer bytes are
    announced, the phase may complete before all data has arrived, and the remaining bytes count in
    the next phase.

    The rule reports two cases. Either nothing in the kernel announces bytes to the object, or one
    thread announces the bytes and issues the copies in one basic block, and the sizes of all copies
    are known. The size of a tensor copy is in the tensor map. For such a copy, the rule therefore
    reports only an `expect_tx` that announces more bytes than the destination variable has.

    ```text
            expect_tx: + bytes          copies: - bytes
     phase ───────────────────▶ pending ──────────────▶ 0 left, and all arrivals: complete
                                  │
                                  ├── announced > copied: never 0
                                  └── announced < copied: 0 too early
    ```

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
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 1024;
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
    what = (
        "the copy transfers"
        if len(mismatch.copies) == 1
        else f"the {len(mismatch.copies)} copies transfer"
    )
    wrong = "never completes" if mismatch.expected > mismatch.actual else "may complete early"
    if not mismatch.expected:
        return Finding(
            f"no `expect_tx` announces the {mismatch.actual:,} bytes of this copy to the mbarrier "
            "object: the phase may complete before the bytes arrive"
        )
    actual = f"{mismatch.actual:,}"
    if mismatch.is_most:
        what, actual = "the destination has", f"only {actual}"
    message = (
        f"this instruction announces {mismatch.expected:,} bytes, but {what} {actual}: the phase "
        f"{wrong}"
    )
    related = tuple(
        Related(*each, "this copy signals the mbarrier object") for each in mismatch.copies[:3]
    )
    return Finding(message, related=related)
