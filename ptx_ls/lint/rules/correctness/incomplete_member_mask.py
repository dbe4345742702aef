"""The rule incomplete-member-mask.

Source: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync" and
"bar.warp.sync": the lane that executes the instruction must be a member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.collectives.kinds import MASKED
from ptx_ls.lint.collectives.masks import OmittedLanes, masked_statements, omitted_lanes
from ptx_ls.lint.collectives.read_lanes import lanes_read_outside
from ptx_ls.lint.collectives.reasons import numbers
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.threads.uniformity.levels import ALL_LANES, LANES

if TYPE_CHECKING:
    from collections.abc import Iterator


class IncompleteMemberMask(NamedTuple):
    """A mask that leaves out lanes that execute the instruction, or all lanes that it reads.

    `text`: the operand. `lanes`: those of a warp that may execute it, as bits; those that it reads,
    if `is_read`. `omitted`: those that are not in their own masks. `is_assumed`: whether that is
    only so in blocks of the largest size.
    """

    text: str
    lanes: int
    omitted: int
    is_assumed: bool
    start: FunctionPosition
    end: FunctionPosition
    is_read: bool = False


def find(seen: CheckInput) -> Iterator[IncompleteMemberMask]:
    """Yields the masks of a function that leave out lanes that take part in the instruction."""
    for statement in masked_statements(seen):
        found = omitted_lanes(statement)
        read = lanes_read_outside(statement) if found is None else 0
        operand, start = statement.operand, statement.found.start
        places = shifted(operand.start, start), shifted(operand.end, start)
        if found is not None:
            yield IncompleteMemberMask(operand.text, *found, *places)
        elif read:
            known = OmittedLanes(read, read, is_assumed=False)
            yield IncompleteMemberMask(operand.text, *known, *places, is_read=True)


@rule(
    "incomplete-member-mask",
    on=IncompleteMemberMask,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*MASKED),
)
def incomplete_member_mask(mismatch: IncompleteMemberMask, _: RuleContext) -> Finding:
    """Reports a member mask that omits a lane that executes the instruction.

    ## Why is this bad?
    The mask selects the lanes that take part, and must include each lane that executes the
    instruction. Otherwise, the behaviour is undefined. A `shfl` that reads a lane that is not in
    the mask receives an undefined value, and is reported if no lane reads a lane in the mask.

    The severity is information if the kernel has only `.maxntid`, because a smaller block may not
    have the omitted lane.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        setp.ge.u32 %p1, %r1, 16;
        @%p1 exit;
        shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xFFFF0000;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        setp.ge.u32 %p1, %r1, 16;
        @%p1 exit;
        shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0x0000FFFF;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    lanes, omitted = mismatch.lanes, mismatch.omitted
    if mismatch.is_read:
        return Finding(
            f"this instruction reads {numbers(lanes, LANES, 'lane')}, which the mask "
            f"`{mismatch.text}` omits: the result is undefined"
        )
    who = "all lanes" if lanes == ALL_LANES else numbers(lanes, LANES, "lane")
    only = "" if lanes == ALL_LANES else "only "
    verb = "executes" if lanes.bit_count() == 1 else "execute"
    if lanes == omitted:
        left_out = "it" if lanes.bit_count() == 1 else "all of them"
    else:
        left_out = numbers(omitted & -omitted, LANES, "lane")
    where = "in a block of the largest size, " if mismatch.is_assumed else ""
    return Finding(
        f"{where}{only}{who} {verb} this instruction, but the mask `{mismatch.text}` omits "
        f"{left_out}",
        severity=Severity.INFORMATION if mismatch.is_assumed else None,
    )
