"""The rule misaligned-access.

Source: PTX ISA, "Addresses as Operands" and "Alignment".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.addresses.check import mistaken_accesses
from ptx_ls.lint.addresses.problems import MisalignedAccess
from ptx_ls.lint.addresses.words import counted
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.symbols import Symbol


def find(seen: CheckInput) -> Iterator[MisalignedAccess]:
    """Yields the accesses at addresses that are not aligned.

    Of those that only depend on the place of a variable, these are the first for each variable with
    the largest alignment that is needed, because one declaration mends all of them.
    """
    found = [each for each in mistaken_accesses(seen) if isinstance(each, MisalignedAccess)]
    first: dict[Symbol | None, MisalignedAccess] = {}
    for each in filter(_depends_on_place, found):
        known = first.get(each.symbol)
        if known is None or known.needed < each.needed:
            first[each.symbol] = each
    for each in found:
        if first.get(each.symbol) is each or not _depends_on_place(each):
            yield each._replace(is_by_compiler=seen.is_generated)


def _depends_on_place(access: MisalignedAccess) -> bool:
    """Whether an access is misaligned only if the place of a variable is."""
    symbol = access.symbol
    return symbol is not None and symbol.kind is SymbolKind.VARIABLE and not access.remainder


@rule(
    "misaligned-access",
    on=MisalignedAccess,
    severity=Severity.WARNING,
    find=find,
    given=mistaken_accesses,
)
def misaligned_access(mismatch: MisalignedAccess, context: RuleContext) -> Finding:
    """Reports a memory access whose address is not aligned to the access size.

    ## Why is this bad?
    An address must be a multiple of the access size, such as 16 bytes for `ld.v4.b32` or for a row
    of `ldmatrix`. The addresses of a bulk copy must be multiples of 16. Otherwise the behaviour is
    undefined: the hardware raises an error that ends all work of the process on the device, or
    ignores the lowest bits of the address.

    If an access at the start of a variable needs a larger alignment than the variable declares, the
    access works only by chance: the actual address depends on the other variables. Such an access
    is reported as information, and in compiler output as a hint. Memory that the driver allocates
    is aligned to 256 bytes. An access through a pointer parameter is therefore also reported as
    information if its offset would misalign such a pointer.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry move(.param .b64 result)
    {
        .reg .b64 %rd<3>;
        .shared .align 8 .b8 pair[16];
        ld.param.b64 %rd1, [result];
        ld.global.b64 %rd2, [%rd1];
        st.shared.b64 [pair+4], %rd2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry move(.param .b64 result)
    {
        .reg .b64 %rd<3>;
        .shared .align 8 .b8 pair[16];
        ld.param.b64 %rd1, [result];
        ld.global.b64 %rd2, [%rd1];
        st.shared.b64 [pair+8], %rd2;
        ret;
    }
    ```
    """
    symbol, needed, known = mismatch.symbol, mismatch.needed, mismatch.known
    address = quoted(mismatch.text)
    related: tuple[Related, ...] = ()
    if symbol is not None and mismatch.is_of_parameter:
        return Finding(
            f"misaligned access: {address} is not a multiple of {needed} if `{symbol.name}` is a "
            f"multiple of {needed}",
            severity=Severity.INFORMATION,
        )
    if symbol is not None:
        far = "" if symbol in context.declared(symbol.name) else symbol.name
        aligned = f"`{symbol.name}` is declared here, aligned to {counted(known)}"
        related = (Related(symbol.start, symbol.end, aligned, far),)
    if mismatch.remainder or symbol is None:
        is_not = "is not always" if mismatch.is_sometimes else "is not"
        where = f" in `{mismatch.callee}`" if mismatch.callee else ""
        return Finding(
            f"misaligned access{where}: {address} {is_not} a multiple of {needed}",
            severity=Severity.INFORMATION if mismatch.is_assumed else None,
            related=related,
        )
    whose = f"it points into `{symbol.name}`, which is" if mismatch.text != symbol.name else "is"
    return Finding(
        f"{address} must be a multiple of {needed}, but {whose} aligned only to {counted(known)}",
        severity=Severity.HINT if mismatch.is_by_compiler else Severity.INFORMATION,
        related=related,
    )
