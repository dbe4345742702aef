"""The rule absent-lane.

Source: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync" and
"bar.warp.sync": all lanes of the mask must execute the instruction with the same mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.candidates.statements import may_divide_threads
from ptx_ls.lint.collectives.function_collectives import function_collectives
from ptx_ls.lint.collectives.kinds import MASKED
from ptx_ls.lint.collectives.mismatches import Divided, divided, related_to
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_WITHOUT_EXITED: Final = ("shfl", "vote", "match", "redux")
"""The opcodes of instructions that do not wait for lanes that have exited."""


class AbsentLane(Divided):
    """An instruction with a mask that names lanes that do not execute it."""

    __slots__ = ()


def find(seen: CheckInput) -> Iterator[AbsentLane]:
    """Yields the instructions of a function whose mask names lanes that do not execute them."""
    collectives = function_collectives(seen)
    for each in collectives.divisible:
        division = collectives.absent(each)
        waits_for_exited = each.kind.opcode.partition(".")[0] not in _WITHOUT_EXITED
        if division is not None and (
            waits_for_exited or collectives.others_return(each.found, division.level)
        ):
            yield AbsentLane(*divided(collectives, each.found, each.kind.opcode, division))


@rule(
    "absent-lane",
    on=AbsentLane,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*MASKED),
    given=may_divide_threads,
)
def absent_lane(mismatch: AbsentLane, _: RuleContext) -> Finding:
    """Reports a member mask with lanes that do not execute the instruction.

    ## Why is this bad?
    The lanes that execute the instruction wait for all lanes in the mask. Lanes that do not execute
    the instruction because of a branch or a guard never arrive, so the warp hangs or the result is
    undefined. The mask must contain exactly the lanes that take the branch. To compute this mask,
    execute `vote.sync.ballot` on the branch condition before the branch.

    ## Example
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        mov.b32 %r2, 0;
        setp.ge.u32 %p1, %r1, 16;
        @%p1 bra DONE;
        shfl.sync.bfly.b32 %r2, %r1, 8, 31, -1;
    DONE:
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        mov.b32 %r2, 0;
        setp.ge.u32 %p1, %r1, 16;
        @%p1 bra DONE;
        shfl.sync.bfly.b32 %r2, %r1, 8, 31, 0xFFFF;
    DONE:
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    return Finding(
        f"the mask of `{mismatch.opcode}` contains {mismatch.missing}, but only "
        f"{mismatch.threads} of the warp can reach the instruction",
        related=related_to(mismatch.reason),
    )
