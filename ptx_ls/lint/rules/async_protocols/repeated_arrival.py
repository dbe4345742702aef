"""The rule repeated-arrival.

Source: PTX ISA, "bar, barrier".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.candidates.statements import arrives_at_barriers
from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_event, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, related_at, rule
from ptx_ls.protocols.named_barriers import named_barriers
from ptx_ls.semantics.instructions.barrier_opcodes import BARRIERS
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "repeated-arrival"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the arrivals of a function at barriers that the warp has already arrived at."""
    if is_understood(seen.function, seen.text):
        barriers = named_barriers(seen.function, seen.module)
        yield from broken_at_event(_NAME, barriers.sites, barriers.violations)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*BARRIERS),
    given=arrives_at_barriers,
)
def repeated_arrival(mismatch: BrokenProtocol, _: RuleContext) -> Finding:
    """Reports a warp that arrives at a barrier a second time in what may be the same phase.

    ## Why is this bad?
    `bar.arrive` does not wait. If the warp uses the same barrier again before the other threads
    have arrived, the barrier counts the warp twice in one phase. That phase then ends before all
    threads have arrived. Use a different barrier for the second arrival, or first wait for the
    other threads at a different barrier.

    ```text
    bar.arrive 1 ─▶ bar.sync 2 ─▶ bar.arrive 1
    ```

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 64
    {
        .reg .pred %p<3>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<3>;
        .shared .align 4 .b32 box[2];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 32;
        @!%p1 bra consumer;
        st.shared.b32 [box], 1;
        bar.arrive 1, 64;
        st.shared.b32 [box+4], 2;
        bar.arrive 1, 64;
        bra done;
    consumer:
        bar.sync 1, 64;
        ld.shared.b32 %r2, [box];
        bar.sync 1, 64;
        ld.shared.b32 %r3, [box+4];
        st.global.v2.b32 [%rd1], {%r2, %r3};
    done:
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 64
    {
        .reg .pred %p<3>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<3>;
        .shared .align 4 .b32 box[2];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 32;
        @!%p1 bra consumer;
        st.shared.b32 [box], 1;
        bar.arrive 1, 64;
        st.shared.b32 [box+4], 2;
        bar.arrive 2, 64;
        bra done;
    consumer:
        bar.sync 1, 64;
        ld.shared.b32 %r2, [box];
        bar.sync 2, 64;
        ld.shared.b32 %r3, [box+4];
        st.global.v2.b32 [%rd1], {%r2, %r3};
    done:
        ret;
    }
    ```
    """
    return Finding(
        f"`{mismatch.opcode}` may be counted twice in one phase: the warp has already arrived "
        "at this barrier, and has not waited for other threads since",
        related=related_at(mismatch.other, "this is the warp's first arrival"),
    )
