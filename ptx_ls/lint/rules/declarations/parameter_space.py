"""The rule parameter-space.

Source: PTX ISA, "Kernel Function Parameters".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.declarations.parameter_space import room, size_of
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class LargeParameters(NamedTuple):
    """A kernel whose parameters take more bytes (`size`) than are available (`largest`)."""

    symbol: Symbol
    size: int
    largest: int
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[LargeParameters]:
    """Yields the kernels that have too many bytes of parameters."""
    for symbol in seen.facts.declared:
        if symbol.kind is SymbolKind.KERNEL and symbol.is_definition:
            size, largest = size_of(symbol.parameters), room(seen.module.context)
            if size is not None and size > largest:
                yield LargeParameters(symbol, size, largest, symbol.start, symbol.end)


@rule("parameter-space", on=LargeParameters, find=find)
def parameter_space(mismatch: LargeParameters, _: RuleContext) -> Finding:
    """Reports a kernel whose parameters exceed the parameter space.

    ## Why is this bad?
    ptxas rejects the module. The parameters of a kernel may take at most 32,764 bytes. The limit is
    4,352 bytes before PTX ISA 8.1 and on targets before sm_70, and 256 bytes before PTX ISA 1.5.
    Each parameter starts at a multiple of its alignment, so the order of the parameters changes the
    total size. Pass larger data through a pointer.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel(.param .align 4 .b8 table[8192])
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.1
    .target sm_90
    .address_size 64
    .visible .entry kernel(.param .align 4 .b8 table[8192])
    {
        ret;
    }
    ```
    """
    return Finding(
        f"the parameters of `{mismatch.symbol.name}` take {mismatch.size:,} bytes, "
        f"expected at most {mismatch.largest:,} with this `.version` and `.target`"
    )
