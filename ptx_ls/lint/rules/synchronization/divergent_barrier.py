"""The rule divergent-barrier.

Source: PTX ISA, "bar", "barrier" and "barrier.cluster": `.aligned` requires that all threads of the
warp execute the same instruction, and a barrier without a count waits for all threads of the block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.candidates.statements import may_divide_threads
from ptx_ls.lint.collectives.function_collectives import function_collectives
from ptx_ls.lint.collectives.kinds import BARRIERS
from ptx_ls.lint.collectives.loop_divisions import loop_division
from ptx_ls.lint.collectives.mismatches import (
    Divided,
    divided,
    first_of_each_branch,
    related_to,
)
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.lint.collectives.kinds import CollectiveKind

_OF_CLUSTER: Final = ".cluster"


class DivergentBarrier(Divided):
    """A barrier that only some threads of a warp or of a block reach."""

    __slots__ = ()


def find(seen: CheckInput) -> Iterator[DivergentBarrier]:
    """Yields the barriers of a function that only some of their threads reach."""
    return first_of_each_branch(_divided(seen))


def _is_barrier(kind: CollectiveKind) -> bool:
    return kind.mask is None and kind.opcode.partition(".")[0] in BARRIERS


def _divided(seen: CheckInput) -> Iterator[DivergentBarrier]:
    collectives = function_collectives(seen)
    divisible = frozenset(each.found.start for each in collectives.divisible)
    for each in collectives.of_kinds(_is_barrier):
        found, kind = each
        if found.start not in divisible:
            # A number that a loop changes may decide who gets there, besides the index.
            in_loop = loop_division(collectives, found) if kind.level is Level.WARP else None
            if in_loop is not None:
                yield DivergentBarrier(*divided(collectives, found, kind.opcode, in_loop))
            continue
        division = collectives.division(found, Level.WARP) if kind.level is Level.WARP else None
        if division is None and kind.needs_whole_block:
            division = collectives.unmet(each, Level.CTA)
        in_loop = loop_division(collectives, found) if kind.level is Level.WARP else None
        if division is None and in_loop is not None:
            yield DivergentBarrier(*divided(collectives, found, kind.opcode, in_loop))
        elif division is not None and collectives.others_return(found, division.level):
            yield DivergentBarrier(*divided(collectives, found, kind.opcode, division))


@rule(
    "divergent-barrier",
    on=DivergentBarrier,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*BARRIERS),
    given=may_divide_threads,
)
def divergent_barrier(mismatch: DivergentBarrier, _: RuleContext) -> Finding:
    """Reports a barrier that not all of the required threads reach.

    ## Why is this bad?
    All threads of a warp must execute the same `bar` together, and a barrier without a thread count
    waits for all threads of the block. If a branch sends some threads elsewhere, the remaining
    threads wait forever, or another `bar` releases them before the data that they read next has
    been written.

    In a loop, a barrier is reported if some lanes of a warp always leave the loop before the other
    lanes, or skip the barrier in some iteration.

    If only some threads call a device function that contains a barrier, the rule reports the call.

    A barrier does not wait for threads that have exited. On `sm_70` and newer, part of a warp may
    execute `barrier` without `.aligned`. If no `.reqntid` sets the block size, a barrier is
    reported only if some threads miss it in small blocks as well as in large blocks.

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
        setp.ge.u32 %p1, %r1, 16;
        @%p1 bra DONE;
        st.global.b32 [%rd1], %r1;
        bar.sync 0;
    DONE:
        st.global.b32 [%rd1+256], %r1;
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
        setp.ge.u32 %p1, %r1, 16;
        @%p1 bra DONE;
        st.global.b32 [%rd1], %r1;
    DONE:
        bar.sync 0;
        st.global.b32 [%rd1+256], %r1;
        ret;
    }
    ```
    """
    threads, opcode = mismatch.threads, mismatch.opcode
    if mismatch.level is Level.WARP:
        need = "all lanes must execute it together"
    elif _OF_CLUSTER in opcode:
        need = "all threads of the cluster must execute it"
    else:
        need = "that barrier waits for all threads of the block"
    around = mismatch.level.word
    message = f"only {threads} of a {around} can reach `{opcode}`, but {need}"
    return Finding(message, related=related_to(mismatch.reason))
