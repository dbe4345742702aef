"""The rule barrier-without-partner.

Source: PTX ISA, "bar" and "barrier": a `.arrive` is for a `.sync` or `.red` of other threads, and
all threads that use a barrier give the same number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.lint.collectives.barriers import BarrierUse, barrier_uses, by_number, stated_threads
from ptx_ls.lint.collectives.function_collectives import function_collectives
from ptx_ls.lint.collectives.kinds import BARRIERS, kind_of
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARRIVAL: Final = ".arrive"


class BarrierWithoutPartner(NamedTuple):
    """A `.arrive` for which no thread waits.

    `threads`: its number of threads. `other`: where threads wait for another one, and that number.
    """

    opcode: str
    number: int
    threads: int
    other: tuple[FunctionSpan, int] | None
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[BarrierWithoutPartner]:
    """Yields the arrivals in a kernel that no thread waits for."""
    kinds = map(kind_of, seen.text.shapes_of(BARRIERS))
    if not any(kind is not None and kind.action == _ARRIVAL for kind in kinds):
        return
    collectives = function_collectives(seen)
    uniformity = collectives.uniformity
    if not uniformity.is_known or not uniformity.control.is_kernel or collectives.has_calls:
        return
    whole = stated_threads(collectives)
    for number, group in by_number(barrier_uses(collectives)):
        waits = [each for each in group if not each.is_arrival]
        for each in group:
            is_counted = each.is_arrival and each.threads is not None
            if is_counted and not any(_may_meet(each, wait, whole) for wait in waits):
                yield _mismatch(number, each, waits)


def _may_meet(one: BarrierUse, other: BarrierUse, whole: int | None) -> bool:
    """Whether an arrival may be for a barrier; `whole`: the number of threads of a block."""
    if not other.has_count:
        return whole in (None, one.threads)
    return other.threads in (None, one.threads)


def _mismatch(number: int, use: BarrierUse, waits: list[BarrierUse]) -> BarrierWithoutPartner:
    found, kind = use.statement
    counted = [each for each in waits if each.threads is not None]
    other = None
    if counted:
        place = counted[0].statement.found
        other = (place.start, place.end), counted[0].threads or 0
    return BarrierWithoutPartner(
        kind.opcode, number, use.threads or 0, other, found.start, found.end
    )


@rule(
    "barrier-without-partner",
    on=BarrierWithoutPartner,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*BARRIERS),
)
def barrier_without_partner(mismatch: BarrierWithoutPartner, _: RuleContext) -> Finding:
    """Reports an arrival at a barrier that no thread in the kernel waits for.

    ## Why is this bad?
    `bar.arrive` counts towards a barrier that other threads wait for. The arrival and the wait must
    specify the same thread count. If no instruction in the kernel waits for the barrier, or if the
    thread counts differ, threads may hang or continue too early.

    ## Example
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 64
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 32;
        @%p1 bra FIRST;
        bar.arrive 1, 64;
        bra DONE;
    FIRST:
        bar.sync 2, 64;
        st.global.b32 [%rd1], %r1;
    DONE:
        st.global.b32 [%rd1+256], %r1;
        bar.arrive 2, 64;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 64
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 32;
        @%p1 bra FIRST;
        bar.arrive 1, 64;
        bra DONE;
    FIRST:
        bar.sync 1, 64;
        st.global.b32 [%rd1], %r1;
    DONE:
        st.global.b32 [%rd1+256], %r1;
        ret;
    }
    ```
    """
    number, count = mismatch.number, mismatch.threads
    if mismatch.other is None:
        return Finding(
            f"`{mismatch.opcode}` arrives at barrier {number}, but no thread waits for this barrier"
        )
    place, waiting = mismatch.other
    return Finding(
        f"`{mismatch.opcode}` expects {count} threads, but the wait for barrier {number} "
        f"expects {waiting}",
        related=(Related(*place, f"this instruction expects {waiting} threads"),),
    )
