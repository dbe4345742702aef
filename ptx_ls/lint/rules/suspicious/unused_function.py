"""The rule unused-function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.symbols.internal_names import is_internal
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class UnusedFunction(NamedTuple):
    """A function that nothing in its module mentions, and other modules cannot call."""

    name: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnusedFunction]:
    """Yields a function that nothing can call."""
    function = seen.facts.function
    if function is not None and function.name in seen.unused and is_internal(function):
        yield UnusedFunction(function.name, function.start, function.end)


@rule(
    "unused-function",
    on=UnusedFunction,
    severity=Severity.INFORMATION,
    find=find,
    in_compiler_output=None,
)
def unused_function(mismatch: UnusedFunction, _: RuleContext) -> Finding:
    """Reports a device function that nothing can call.

    ## Why is this bad?
    Without `.visible` or `.weak`, a function can be called only from its own module. Perhaps a call
    uses another function by mistake.

    ## Example
    ```ptx
    .func helper()
    {
        ret;
    }
    .visible .entry kernel()
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .func helper()
    {
        ret;
    }
    .visible .entry kernel()
    {
        call helper;
        ret;
    }
    ```
    """
    return Finding(
        f"function `{mismatch.name}` is never used, and is not visible to other modules",
        tags=frozenset({Tag.UNNECESSARY}),
    )
