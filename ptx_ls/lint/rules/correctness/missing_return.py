"""The rule missing-return.

Source: the machine code of ptxas 13.5, which ends the function there. The manual does not define
what happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.block_ends import instructions, last_instruction
from ptx_ls.flow.graphs import graph_of
from ptx_ls.lint.candidates.statements import may_reach_end
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.semantics.symbols.region_text import Found

_RETURN: Final = "ret"
_CALL: Final = "call"


class MissingReturn(NamedTuple):
    """The brace at the end of a function that control reaches.

    `is_by_compiler`: whether a compiler ends functions like that, which never return, or are empty.
    """

    function: str
    is_kernel: bool
    is_by_compiler: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[MissingReturn]:
    """Yields the end of a function if control reaches it."""
    function = seen.facts.function
    if function is None or not is_understood(seen.function, seen.text):
        return
    graph = graph_of(seen.function, seen.module.never_returning)
    number = len(graph.starts) - 1
    if number < 0 or graph.leaves.get(number) != _RETURN:
        return
    last = last_instruction(seen.text, graph, number)
    if number not in graph.reachable or (last is not None and _leaves(last, seen)):
        return
    if last is None and number > 0 and _is_passed_by(number, seen):
        return
    place, is_kernel = graph.stops[number], function.kind is SymbolKind.KERNEL
    is_by_compiler = seen.is_generated and _may_be_complete(number, graph, seen)
    yield MissingReturn(function.name, is_kernel, is_by_compiler, place, along(place, 1))


def _may_be_complete(number: int, graph: FlowGraph, seen: CheckInput) -> bool:
    """Whether a function is empty, or its last block calls what perhaps never returns."""
    opcodes = [each.record for each in instructions(seen.text, graph, number)]
    is_empty = number == 0 and not opcodes
    return is_empty or any(isinstance(it, Shape) and it.name == _CALL for it in opcodes)


def _leaves(found: Found, seen: CheckInput) -> bool:
    """Whether the last instruction of a function leaves it, or calls what perhaps never returns."""
    if not isinstance(found.record, Shape):
        return True
    if found.record.name == _CALL:
        return seen.is_generated
    return found.record.name == _RETURN and not found.record.guard


def _is_passed_by(number: int, seen: CheckInput) -> bool:
    """Whether the guards before an empty block never let control reach it: `@!%p` after `@%p`."""
    from ptx_ls.flow.function_flow import function_flow  # noqa: PLC0415  rarely needed
    from ptx_ls.flow.known_conditions import Known  # noqa: PLC0415
    from ptx_ls.flow.path_search import PathSearch  # noqa: PLC0415

    flow = function_flow(seen.function, seen.module.never_returning)
    search = PathSearch(flow, with_branches=False)
    for before in flow.graph.predecessors[number]:
        fact = flow.edge_fact(before, number)
        if fact is None:
            return False
        first = flow.index.first(flow.index.firsts[before + 1] - 1)
        if search.is_possible(before, first, Known((fact,))) is not False:
            return False
    return True


@rule(
    "missing-return",
    on=MissingReturn,
    severity=Severity.INFORMATION,
    find=find,
    given=may_reach_end,
    in_compiler_output=Severity.INFORMATION,
)
def missing_return(mismatch: MissingReturn, context: RuleContext) -> Finding:
    """Reports a function in which control can reach the closing brace without `ret` or `exit`.

    ## Why is this bad?
    PTX does not define what happens after the last instruction of a function. ptxas ends the
    function there, but a reader cannot tell whether this is intended or whether a branch is
    missing. In compiler output, an empty function, or one whose last block contains a call, is
    reported as a hint, because compilers write no `ret` after a call that never returns.

    ## Example
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        st.global.b32 [%rd1], 1;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        st.global.b32 [%rd1], 1;
        ret;
    }
    ```
    """
    what = "kernel" if mismatch.is_kernel else "function"
    from ptx_ls.lint.fixes.statements import with_statement_before  # noqa: PLC0415  rarely needed

    return Finding(
        f"control reaches the end of {what} `{mismatch.function}` without `ret`",
        severity=Severity.HINT if mismatch.is_by_compiler else None,
        repairs=with_statement_before(mismatch.start, "ret;", context),
    )
