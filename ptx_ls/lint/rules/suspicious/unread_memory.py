"""The rule unread-memory.

Source: PTX ISA, "Shared State Space", "Local State Space" and "Parameter State Space": only the
threads that run the function can read such a variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.object_accesses import AccessMode, object_accesses
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity, Tag
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.slices.object_accesses import ObjectAccess
    from ptx_ls.semantics.symbols.region_text import Found

_SPACES: Final = (".shared", ".local", ".param")
_READING: Final = (AccessMode.READ, AccessMode.UPDATE, AccessMode.OTHER)
"""Ways to use memory for which stores to it matter, perhaps."""


class UnreadMemory(NamedTuple):
    """The first store to a variable that the function writes and nothing reads."""

    variable: str
    declared: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnreadMemory]:
    """Yields the variables of a function that it writes and that nothing reads."""
    exported = set(map(id, seen.facts.exports))
    symbols = [
        each
        for each in seen.facts.declared
        if each.kind is SymbolKind.VARIABLE and each.space in _SPACES and id(each) not in exported
    ]
    if not symbols or not is_understood(seen.function, seen.text):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    for symbol, accesses in object_accesses(flow, symbols, _READING):
        first = _only_stores(accesses)
        if first is not None:
            declared = symbol.start, symbol.end
            yield UnreadMemory(symbol.name, declared, first.start, first.end)


def _only_stores(accesses: Iterable[ObjectAccess]) -> Found | None:
    """Returns the first store to a variable; None if anything but stores uses it."""
    stores = []
    for access in accesses:
        if access.mode is AccessMode.WRITE:
            stores.append(access.found)
        elif access.mode in _READING:
            return None
    return min(stores, key=lambda each: each.start, default=None)


@rule(
    "unread-memory",
    on=UnreadMemory,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions("st"),
    in_compiler_output=None,
)
def unread_memory(mismatch: UnreadMemory, _: RuleContext) -> Finding:
    """Reports stores to a variable that nothing in its function reads.

    ## Why is this bad?
    Variables in `.shared` and `.local`, and arguments in `.param`, exist only while the function
    runs, so a store has no effect if nothing reads the variable. Perhaps a load or a call uses the
    wrong variable.

    ## Example
    ```ptx
    .visible .entry kernel()
    {
        .shared .b32 count;
        st.shared.b32 [count], 0;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        .shared .b32 count;
        st.shared.b32 [count], 0;
        bar.sync 0;
        ld.param.b64 %rd1, [result];
        ld.shared.b32 %r1, [count];
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```
    """
    return Finding(
        f"store without effect: no instruction reads `{mismatch.variable}`",
        related=(Related(*mismatch.declared, f"`{mismatch.variable}` is declared here"),),
        tags=frozenset({Tag.UNNECESSARY}),
    )
