"""The rule unused-variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.declarations.module_memory import size_of
from ptx_ls.semantics.symbols.internal_names import is_internal
from ptx_ls.semantics.symbols.references.mentions import is_mentioned
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition

_SHARED: Final = ".shared"


class UnusedVariable(NamedTuple):
    """A variable that no statement mentions. `size`: the .shared bytes that it takes, or 0."""

    name: str
    size: int
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnusedVariable]:
    """Yields the variables of a function, and of the module after it, that nothing mentions."""
    yield from _of_module(seen)
    function, text = seen.facts.function, seen.text
    if function is None or not is_understood(seen.function, text):
        return
    outer = {each.name for each in (*seen.facts.exports, *function.parameters, *function.returns)}
    for each in seen.facts.declared:
        is_own = each.kind is SymbolKind.VARIABLE and each.name not in outer and each.is_definition
        if is_own and not is_mentioned(text, each, seen.facts.rows_of_block(each)):
            size = size_of(each) if each.space == _SHARED else 0
            yield UnusedVariable(each.name, size, each.start, each.end)


def _of_module(seen: CheckInput) -> Iterator[UnusedVariable]:
    """Yields unused variables at module scope; ptxas allocates no .shared ones of these."""
    for each in seen.facts.exports:
        if each.kind is SymbolKind.VARIABLE and each.name in seen.unused and is_internal(each):
            yield UnusedVariable(each.name, 0, each.start, each.end)


@rule(
    "unused-variable",
    on=UnusedVariable,
    severity=Severity.INFORMATION,
    find=find,
    in_compiler_output=None,
)
def unused_variable(mismatch: UnusedVariable, _: RuleContext) -> Finding:
    """Reports a variable that is never used, unless other modules or the host can use it.

    ## Why is this bad?
    The variable has no effect. However, an unused `.shared` variable of a function takes memory in
    each block, so fewer blocks may run at the same time. Perhaps an instruction uses the wrong
    variable.

    ## Example
    ```ptx
    .visible .entry kernel()
    {
        .shared .align 4 .b8 buffer[4096];
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
    name = mismatch.name
    tags = frozenset({Tag.UNNECESSARY})
    if mismatch.size:
        message = f"variable `{name}` is never used, but takes {mismatch.size:,} bytes of `.shared`"
        return Finding(message, tags=tags)
    return Finding(f"variable `{name}` is never used", tags=tags)
