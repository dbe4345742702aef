"""The rule constant-pointer.

Source: what ptxas 13.5 refuses when it generates code. A constant pointer is relative to a bank
that the caller chooses, so it has no generic address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.candidates.statements import has_constant_pointers
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import position, statements_with
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition

_CONVERSIONS: Final = ("cvta.const", "cvta.to.const")
_OPCODE: Final = "cvta"


class ConstantPointer(NamedTuple):
    """A conversion of a `.const` address in a module with a `.ptr .const` kernel parameter."""

    opcode: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ConstantPointer]:
    """Yields the conversions of a function that ptxas cannot compile."""
    if not seen.module.graph.takes_constants:
        return
    for found in statements_with(seen.text, frozenset({_OPCODE})):
        for opcode in _CONVERSIONS:
            if opcode in found.text:
                start = position(found, found.text.index(opcode))
                yield ConstantPointer(opcode, start, along(start, len(opcode)))


@rule(
    "constant-pointer",
    on=ConstantPointer,
    severity=Severity.WARNING,
    find=find,
    given=has_constant_pointers,
    looks_at=Instructions(_OPCODE),
)
def constant_pointer(mismatch: ConstantPointer, _: RuleContext) -> Finding:
    """Reports a `cvta.const` or `cvta.to.const` in a module with a `.ptr .const` parameter.

    ## Why is this bad?
    ptxas does not compile a module that contains both a kernel parameter declared `.ptr .const` and
    a `cvta.const` or `cvta.to.const`. Pass a generic pointer, or load the constants with
    `ld.const`.

    ## Example
    ```ptx
    .const .u32 limit;
    .visible .entry kernel(.param .u64 .ptr .const .align 4 table)
    {
        .reg .b64 %rd<2>;
        cvta.const.u64 %rd1, limit;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .const .u32 limit;
    .visible .entry kernel(.param .u64 table)
    {
        .reg .b64 %rd<2>;
        cvta.const.u64 %rd1, limit;
        ret;
    }
    ```
    """
    return Finding(
        f"ptxas cannot compile `{mismatch.opcode}`, because a kernel of this module takes a "
        "pointer declared `.ptr .const`"
    )
