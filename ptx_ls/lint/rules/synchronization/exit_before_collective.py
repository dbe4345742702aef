"""The rule exit-before-collective.

Source: PTX ISA, "mma", "wmma.mma", "ldmatrix", "stmatrix", "wgmma.mma_async" and "tcgen05.ld": the
behaviour is undefined if any thread of the warp has exited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.lint.candidates.statements import may_divide_threads
from ptx_ls.lint.collectives.function_collectives import DividedGroup, function_collectives
from ptx_ls.lint.collectives.kinds import WHOLE_WARP
from ptx_ls.lint.collectives.reasons import missing_text
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.lint.collectives.function_collectives import (
        CollectiveStatement,
        FunctionCollectives,
    )


class ExitBeforeCollective(NamedTuple):
    """An instruction of a whole warp or warpgroup of which some threads have exited.

    `level`: the group. `exited`: its lanes or warps that have exited, in words. `exit`: where they
    do.
    """

    opcode: str
    level: Level
    exited: str
    exit: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ExitBeforeCollective]:
    """Yields the instructions of a function that lanes of the same warp have missed by an exit."""
    collectives = function_collectives(seen)
    control = collectives.uniformity.control
    if not collectives.uniformity.is_known or not control.leaving:
        return
    for each in collectives.of_kinds(lambda kind: kind.needs_lanes):
        found = _exited(collectives, each, Level.WARP)
        if found is None and each.kind.level is Level.WARPGROUP:
            found = _exited(collectives, each, Level.WARPGROUP)
        place = _exit(collectives, each, found.level) if found is not None else None
        if found is not None and place is not None:
            start, end = each.found.start, each.found.end
            words = missing_text(found)
            yield ExitBeforeCollective(each.kind.opcode, found.level, words, place, start, end)


def _exited(
    collectives: FunctionCollectives, each: CollectiveStatement, level: Level
) -> DividedGroup | None:
    """Returns a group of which threads have exited before others of it execute an instruction."""
    found = None
    for shape, own in collectives.uniformity.threads_of(each.found):
        parted = [it for it in shape.groups(level) if own.threads & it and own.exited & it]
        if not parted or own.together < Level.CTA:
            return None
        first = (parted[0] & -parted[0]).bit_length() - 1
        threads, exited = ((it & parted[0]) >> first for it in (own.threads, own.exited))
        found = DividedGroup(level, threads, exited, parted[0].bit_count(), first)
    return found


def _exit(
    collectives: FunctionCollectives, each: CollectiveStatement, level: Level
) -> FunctionSpan | None:
    """Returns the last exit before an instruction that part of a group leaves by."""
    uniformity = collectives.uniformity
    block = uniformity.values.graph.number_at(each.found.start)
    for edge in reversed(uniformity.control.leaving):
        uses = uniformity.control.decided_by(edge.block)
        if block is None or not uniformity.values.graph.dominators.dominates(edge.block, block):
            continue
        if uses and uniformity.read(uses[0]).at_most < level:
            statement = uniformity.flow.statement(uses[0])
            return statement.start, statement.end
    return None


@rule(
    "exit-before-collective",
    on=ExitBeforeCollective,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*WHOLE_WARP),
    given=may_divide_threads,
)
def exit_before_collective(mismatch: ExitBeforeCollective, _: RuleContext) -> Finding:
    """Reports a whole-warp instruction that runs after some lanes have exited.

    ## Why is this bad?
    All lanes of a warp must execute an instruction with `.aligned` together. If some lanes have
    exited, the behaviour is undefined. (Barriers and votes do not wait for lanes that have exited.)
    Have all lanes execute the instruction, and guard the memory accesses instead. All four warps of
    a warpgroup must execute `wgmma` and `setmaxnreg`.

    ## Example
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 32
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        setp.ge.u32 %p1, %r1, 20;
        @%p1 exit;
        movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;
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
    .reqntid 32
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;
        setp.ge.u32 %p1, %r1, 20;
        @%p1 exit;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    kind = "warps" if mismatch.level is Level.WARPGROUP else "lanes"
    group = "warpgroup" if mismatch.level is Level.WARPGROUP else "warp"
    have = "has" if mismatch.exited.startswith(f"{kind[:-1]} ") else "have"
    return Finding(
        f"`{mismatch.opcode}` needs all {kind} of the {group}, but {mismatch.exited} {have} exited "
        "by then",
        related=(Related(*mismatch.exit, f"these {kind} exit here"),),
    )
