"""The rule endless-loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.block_ends import last_instruction
from ptx_ls.flow.endless_loops import closing_blocks, endless_loops, may_be_endless
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import statements_with
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.semantics.symbols.region_text import RegionText

_CALL: Final = frozenset({"call"})


class EndlessLoop(NamedTuple):
    """The branch that closes a loop which no path leaves.

    `label`: the label at the start of the loop, at `head`.
    """

    label: str
    head: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[EndlessLoop]:
    """Yields the loops of a function that no path leaves."""
    text, head = seen.text, seen.facts.function
    if head is not None and head.name in seen.module.never_returning:
        return  # the loop is how it does not return
    if not is_understood(seen.function, text):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    if not may_be_endless(flow.blocks):
        return
    graph = flow.graph
    for loop in endless_loops(graph):
        if not _has_call(text, graph, loop):
            yield from _closing(loop, text, graph)


def _has_call(text: RegionText, graph: FlowGraph, loop: Sequence[int]) -> bool:
    """Whether a loop calls a function, which might end the thread."""
    inside = set(loop)
    return any(graph.number_at(call.start) in inside for call in statements_with(text, _CALL))


def _closing(loop: Sequence[int], text: RegionText, graph: FlowGraph) -> Iterator[EndlessLoop]:
    """Yields the last branch of a loop that leads back to the start of the loop."""
    labels = graph.labels.get(loop[0], ())
    for number in sorted(closing_blocks(loop, graph), reverse=True):
        branch = last_instruction(text, graph, number)
        if branch is not None and labels:
            start = graph.starts[loop[0]]
            head = start, along(start, len(labels[0]))
            yield EndlessLoop(labels[0], head, branch.start, branch.end)
            return


@rule(
    "endless-loop",
    on=EndlessLoop,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("bra", "brx"),
)
def endless_loop(mismatch: EndlessLoop, _: RuleContext) -> Finding:
    """Reports a loop that no path leaves.

    ## Why is this bad?
    A kernel that enters the loop never ends and occupies the device until the process is killed.
    Usually, a branch lacks its guard. ptxas does not report this.

    A loop that contains a call is not reported, because the called function may end the thread. In
    a `.noreturn` function, an endless loop is intended.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry fill(.param .b64 values, .param .b32 count)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [values];
        ld.param.b32 %r2, [count];
        mov.b32 %r1, 0;
    next:
        st.global.b32 [%rd1], %r2;
        add.s64 %rd1, %rd1, 4;
        add.s32 %r1, %r1, 1;
        bra next;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry fill(.param .b64 values, .param .b32 count)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [values];
        ld.param.b32 %r2, [count];
        mov.b32 %r1, 0;
    next:
        st.global.b32 [%rd1], %r2;
        add.s64 %rd1, %rd1, 4;
        add.s32 %r1, %r1, 1;
        setp.lt.s32 %p1, %r1, %r2;
        @%p1 bra next;
        ret;
    }
    ```
    """
    return Finding(
        "endless loop: no path from here leaves the function",
        related=(Related(*mismatch.head, f"the loop begins at `{mismatch.label}`"),),
    )
