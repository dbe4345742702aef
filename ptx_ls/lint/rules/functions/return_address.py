"""The rule return-address.

Source: PTX ISA, ".abi_preserve", and the warnings of ptxas 13.5 when it generates code: a function
that preserves N registers has its return address after them, at an even number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.candidates.statements import has_preserving_functions
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import call_sites, position
from ptx_ls.semantics.calls.function_heads import ABI_PRESERVE
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.record import FUNCTION_HEADS, Kind
from ptx_ls.syntax.written.directive_arguments import number_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_ADDRESS_REGISTERS: Final = 2
"""Number of registers that hold a return address."""


class ReturnAddress(NamedTuple):
    """A function that does not preserve its return address, or has it where `callee` has its own.

    `kept` and `kept_by_callee`: how many registers each of them preserves.
    """

    function: str
    kept: int
    callee: str
    start: FunctionPosition
    end: FunctionPosition
    kept_by_callee: int = 0


def find(seen: CheckInput) -> Iterator[ReturnAddress]:
    """Yields functions whose return address is not preserved, and calls that overwrite it."""
    text, facts = seen.text, seen.facts
    if not seen.module.graph.kept:
        return
    kept = dict(seen.module.graph.kept)
    if any(
        kept.get(symbol.name, _ADDRESS_REGISTERS) < _ADDRESS_REGISTERS for symbol in facts.exports
    ):
        yield from _heads(text, facts)
    function = facts.function
    own = None if function is None else kept.get(function.name)
    if function is None or own is None:
        return
    for found, call in call_sites(text):
        name, start, end = call.name
        other = None if call.targets else kept.get(name)
        if other is not None and other // 2 == own // 2:
            place = position(found, start), position(found, end)
            yield ReturnAddress(function.name, own, name, *place, other)


def _heads(text: RegionText, facts: RegionFacts) -> Iterator[ReturnAddress]:
    """Yields definitions that preserve too few registers."""
    for found in text.statements_of(text.holding(*FUNCTION_HEADS)):
        if found.record.kind is Kind.FUNCTION:
            given = number_after(ABI_PRESERVE, found.text)
            count = integer(given.string) if given is not None else None
            if given is not None and count is not None and count < _ADDRESS_REGISTERS:
                name = facts.function.name if facts.function is not None else ""
                yield ReturnAddress(name, count, "", *given.placed(found.start))


@rule(
    "return-address",
    on=ReturnAddress,
    severity=Severity.WARNING,
    find=find,
    given=has_preserving_functions,
)
def return_address(mismatch: ReturnAddress, _: RuleContext) -> Finding:
    """Reports functions whose `.abi_preserve` does not protect the return address.

    ## Why is this bad?
    The return address of a function is in the two registers after the registers that
    `.abi_preserve` preserves. If a caller and its callee preserve the same number of registers,
    both use the same two registers for their return addresses. The caller must then save its return
    address. A function that preserves fewer than two registers must also save its own. ptxas warns
    when it generates code.

    ## Example
    ```ptx
    .version 9.0
    .target sm_90
    .address_size 64
    .func inner() .abi_preserve 8 { ret; }
    .func outer() .abi_preserve 8
    {
        call inner;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 9.0
    .target sm_90
    .address_size 64
    .func inner() .abi_preserve 10 { ret; }
    .func outer() .abi_preserve 8
    {
        call inner;
        ret;
    }
    ```
    """
    kept = mismatch.kept
    if mismatch.callee:
        counts = sorted({kept, mismatch.kept_by_callee})
        given = " and ".join(f"`.abi_preserve {count}`" for count in counts)
        reason = f"both have {given}" if len(counts) == 1 else f"{given} have the same effect"
        return Finding(
            f"`{mismatch.function}` and `{mismatch.callee}` keep their return addresses in the "
            f"same registers, because {reason}"
        )
    return Finding(
        f"`.abi_preserve {kept}` does not preserve the return address, expected at least 2"
    )
