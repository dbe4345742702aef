"""The rule unused-parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.symbols.references.mentions import is_mentioned
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class UnusedParameter(NamedTuple):
    """A parameter, or a result if `is_result`, that the body of the function does not mention."""

    name: str
    is_result: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnusedParameter]:
    """Yields the parameters of a function that its body does not mention."""
    function, text = seen.facts.function, seen.text
    if function is None or not is_understood(seen.function, text):
        return
    for symbols, is_result in ((function.returns, True), (function.parameters, False)):
        for each in symbols:
            if not is_mentioned(text, each):
                yield UnusedParameter(each.name, is_result, each.start, each.end)


@rule(
    "unused-parameter",
    on=UnusedParameter,
    severity=Severity.HINT,
    find=find,
    in_compiler_output=None,
)
def unused_parameter(mismatch: UnusedParameter, _: RuleContext) -> Finding:
    """Reports a parameter that is never read, and a result that is never written.

    ## Why is this bad?
    The argument for an unused parameter has no effect. Perhaps the function reads another parameter
    by mistake. If a result is never written, the caller receives an undefined value.

    ## Example
    ```ptx
    .visible .entry kernel(.param .b64 result, .param .b32 count)
    {
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        st.global.b32 [%rd1], 1;
        ret;
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
    name = mismatch.name
    if mismatch.is_result:
        message = f"result `{name}` is never written, so the caller gets an undefined value"
        return Finding(message, severity=Severity.INFORMATION)
    return Finding(f"parameter `{name}` is never used", tags=frozenset({Tag.UNNECESSARY}))
