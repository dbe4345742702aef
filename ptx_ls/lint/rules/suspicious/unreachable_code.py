"""The rule unreachable-code."""

from __future__ import annotations

from itertools import groupby
from operator import sub
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.block_ends import instructions, last_instruction
from ptx_ls.flow.endless_loops import endless_loops
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.lint.candidates.computation import has_unreached_blocks
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.semantics.instructions.control_transfer import LEAVING
from ptx_ls.semantics.symbols.inline_assembly import InlineAssembly
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.semantics.symbols.region_text import Found

_USUAL: Final = (*LEAVING, "bra")
"""Opcodes that end a body or close it off, although nothing leads to them."""


class UnreachableCode(NamedTuple):
    """Instructions that no path leads to.

    `before`: the one before them, which goes elsewhere. `is_usual`: whether it is in inline
    assembly, so that the compiler does not know that it leaves the function.
    """

    before: FunctionSpan | None
    start: FunctionPosition
    end: FunctionPosition
    is_usual: bool = False


def find(seen: CheckInput) -> Iterator[UnreachableCode]:
    """Yields the parts of a function that no path leads to."""
    if not (seen.text.shapes and is_understood(seen.function, seen.text)):
        return
    graph = function_flow(seen.function, seen.module.never_returning).graph
    if len(graph.reachable) == graph.n_blocks or endless_loops(graph):
        return  # what follows an endless loop is reachable once the loop ends
    assembly = InlineAssembly(seen.text)
    for first, last in _parts(graph):
        found = [
            each
            for number in range(first, last + 1)
            for each in instructions(seen.text, graph, number)
        ]
        if all(map(_is_usual, found)):
            continue
        before = last_instruction(seen.text, graph, first - 1) if first else None
        span = None if before is None else (before.start, before.end)
        is_usual = span is not None and seen.is_generated and assembly.contains(span[0][0])
        yield UnreachableCode(span, found[0].start, found[-1].end, is_usual)


def _parts(graph: FlowGraph) -> Iterator[tuple[int, int]]:
    """Yields the first and the last block of each part that no path leads to."""
    lost = sorted(set(range(graph.n_blocks)) - graph.reachable)
    for _, group in groupby(enumerate(lost), key=lambda pair: sub(*pair)):
        numbers = [number for _, number in group]
        yield numbers[0], numbers[-1]


def _is_usual(found: Found) -> bool:
    return isinstance(found.record, Shape) and found.record.name in _USUAL


@rule(
    "unreachable-code",
    on=UnreachableCode,
    severity=Severity.INFORMATION,
    find=find,
    given=has_unreached_blocks,
)
def unreachable_code(mismatch: UnreachableCode, _: RuleContext) -> Finding:
    """Reports instructions that no path leads to.

    ## Why is this bad?
    These instructions never run. Perhaps the branch before them lacks a guard, or a branch leads to
    the wrong label. A single unreachable `ret` or `bra` is not reported. In compiler output, code
    after inline assembly that leaves the function is reported as a hint.

    ## Example
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b64 %rd<2>;
        bra done;
        ld.param.b64 %rd1, [result];
        st.global.b32 [%rd1], 1;
    done:
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        mov.b32 %r1, %tid.x;
        setp.ne.b32 %p1, %r1, 0;
        @%p1 bra done;
        ld.param.b64 %rd1, [result];
        st.global.b32 [%rd1], 1;
    done:
        ret;
    }
    ```
    """
    before = mismatch.before
    return Finding(
        severity=Severity.HINT if mismatch.is_usual else None,
        message="unreachable: no path leads to this code",
        related=(Related(*before, "control flow never continues after this instruction"),)
        if before is not None
        else (),
        tags=frozenset({Tag.UNNECESSARY}),
    )
