"""The rule memory-limit."""

from __future__ import annotations

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.declarations.memory_limits import TooMuchMemory
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity


@rule("memory-limit", on=TooMuchMemory, severity=Severity.WARNING)
def memory_limit(mismatch: TooMuchMemory, surroundings: Surroundings) -> Finding:
    """Reports variables in .shared or .const that are larger than what the target has.

    ## Why is this bad?
    The assembler reads the module and then refuses to make code of it. A kernel has 48 KiB of
    .shared variables with a known size; more is given at launch, for an `.extern` array. The
    variables of the functions that it calls count, too. A module has 64 KiB in .const.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .const .b8 table[100000];
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .global .b8 table[100000];
    ```
    """
    del surroundings
    name, space = mismatch.symbol.name, mismatch.symbol.space
    needed, limit = mismatch.needed, mismatch.limit
    if mismatch.symbol.kind is SymbolKind.KERNEL:
        return Finding(
            f"with the functions that `{name}` calls there are {needed} bytes in .shared, "
            f"expected {limit} at most"
        )
    return Finding(f"with `{name}` there are {needed} bytes in {space}, expected {limit} at most")
