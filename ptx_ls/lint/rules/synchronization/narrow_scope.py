"""The rule narrow-scope.

Source: PTX ISA, "Scope", "Morally strong operations" and "Atomicity".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.candidates.statements import names_scope_of_block
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    SpanEdit,
    related_at,
    rule,
)
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along
from ptx_ls.threads.flags.narrow_scopes import OPCODES, may_be_narrow, narrow_scopes
from ptx_ls.values.function_values import function_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan

_SCOPE: Final = ".cta"


class NarrowScopeAccess(NamedTuple):
    """The `.cta` of an access to memory that other blocks access, too.

    `variable`: the variable, or the parameter with the pointer. `is_parameter`: which of the two.
    `declared`: its place; None if it is declared outside of the function. `is_of_data`: whether
    only some data makes blocks access the same place.
    """

    variable: str
    is_parameter: bool
    declared: FunctionSpan | None
    start: FunctionPosition
    end: FunctionPosition
    is_of_data: bool


def find(seen: CheckInput) -> Iterator[NarrowScopeAccess]:
    """Yields the accesses of a kernel whose scope is too narrow for its blocks."""
    head = seen.facts.function
    if head is None or head.kind is not SymbolKind.KERNEL or not may_be_narrow(seen.text):
        return
    for found, symbol, is_of_data in narrow_scopes(function_values(seen.function, seen.module)):
        start = along(found.start, found.text.index(_SCOPE))
        is_parameter = symbol.kind is SymbolKind.PARAMETER
        declared = (symbol.start, symbol.end) if is_parameter else None
        end = along(start, len(_SCOPE))
        yield NarrowScopeAccess(symbol.name, is_parameter, declared, start, end, is_of_data)


@rule(
    "narrow-scope",
    on=NarrowScopeAccess,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*OPCODES),
    given=names_scope_of_block,
)
def narrow_scope(mismatch: NarrowScopeAccess, _: RuleContext) -> Finding:
    """Reports an access with `.cta` scope to global memory that all blocks use.

    ## Why is this bad?
    With `.cta`, an access is atomic and ordered only for the threads of its own block. If another
    block accesses the same memory at the same time, an update may be lost, or the other block may
    not see published data.

    The rule examines only kernels that use `%ctaid` or `%nctaid`. It reports an access only if the
    address does not depend on the block and no condition selects a single block; `index < n`, for
    example, holds in several blocks. The severity is information if loaded data is the index of an
    atomic operation, as in a histogram, because the blocks may load different data.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry count(.param .b64 total, .param .b64 results)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<5>;
        ld.param.b64 %rd1, [total];
        ld.param.b64 %rd2, [results];
        atom.relaxed.cta.global.add.u32 %r1, [%rd1], 1;
        mov.u32 %r2, %ctaid.x;
        mul.wide.u32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry count(.param .b64 total, .param .b64 results)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<5>;
        ld.param.b64 %rd1, [total];
        ld.param.b64 %rd2, [results];
        atom.relaxed.gpu.global.add.u32 %r1, [%rd1], 1;
        mov.u32 %r2, %ctaid.x;
        mul.wide.u32 %rd3, %r2, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.b32 [%rd4], %r1;
        ret;
    }
    ```
    """
    what = f"the variable `{mismatch.variable}`"
    if mismatch.is_parameter:
        what = f"the memory that `{mismatch.variable}` points to"
    edit = SpanEdit(mismatch.start, mismatch.end, ".gpu")
    repair = Repair("Use the scope `.gpu`", (edit,), Applicability.GUESS)
    who = "several blocks may" if mismatch.is_of_data else "all blocks"
    return Finding(
        f"the scope `.cta` is too narrow: {who} access {what}, but this access is "
        "atomic and ordered only within its own block",
        severity=Severity.INFORMATION if mismatch.is_of_data else None,
        related=related_at(mismatch.declared, "this address is the same in all blocks"),
        repairs=(repair,),
    )
