"""The rule redundant-branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.block_ends import last_instruction
from ptx_ls.flow.graphs import graph_of
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class RedundantBranch(NamedTuple):
    """A branch to the statement after it."""

    label: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[RedundantBranch]:
    """Yields the branches of a function that lead to where control goes anyway."""
    if not is_understood(seen.function, seen.text):
        return
    graph = graph_of(seen.function, seen.module.never_returning)
    for branch in graph.branches:
        number = branch.block
        leads_on = not branch.is_indexed and branch.scope.find(branch.target) == number + 1
        if leads_on and number in graph.reachable:
            found = last_instruction(seen.text, graph, number)
            if found is not None:
                yield RedundantBranch(branch.target, found.start, found.end)


@rule(
    "redundant-branch",
    on=RedundantBranch,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions("bra"),
    in_compiler_output=None,
)
def redundant_branch(mismatch: RedundantBranch, context: RuleContext) -> Finding:
    """Reports a branch to the next statement.

    ## Why is this bad?
    The branch has no effect, whether it is taken or not. Perhaps the branch should lead to another
    label.

    ## Example
    ```ptx
    .visible .entry kernel()
    {
        bra done;
    done:
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel()
    {
        ret;
    }
    ```
    """
    from ptx_ls.lint.fixes.statements import without_statement  # noqa: PLC0415  not for correct code

    return Finding(
        f"this branch has no effect: its target `{mismatch.label}` is the next statement",
        repairs=without_statement(mismatch.start, mismatch.end, context, "the branch"),
        tags=frozenset({Tag.UNNECESSARY}),
    )
