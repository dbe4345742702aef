"""The rule reversed-register-change.

Source: PTX ISA, "setmaxnreg": the number must not be larger than before with `.dec`, and not be
smaller with `.inc`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import opcode_of
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.protocols.register_pool import OPCODE, register_pool
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition


class ReversedRegisterChange(NamedTuple):
    """A `setmaxnreg` that changes the number of registers in the other direction."""

    opcode: str
    wanted: int
    held: int
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ReversedRegisterChange]:
    """Yields the `setmaxnreg` of a kernel whose direction does not match their numbers."""
    if is_understood(seen.function, seen.text):
        for each in register_pool(seen.function, seen.module).reversed_changes():
            opcode, *places = opcode_of(each.site)
            yield ReversedRegisterChange(opcode, each.wanted, each.held, *places)


@rule(
    "reversed-register-change",
    on=ReversedRegisterChange,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def reversed_register_change(mismatch: ReversedRegisterChange, _: RuleContext) -> Finding:
    """Reports a `setmaxnreg.inc` to fewer registers, and a `setmaxnreg.dec` to more.

    ## Why is this bad?
    `.inc` takes registers from the register pool of the block, and `.dec` returns registers to the
    pool. The requested number must match the direction: if a thread has 168 registers, the
    behaviour of `.inc` to 160 is undefined.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel()
    .reqntid 384
    .maxnreg 168
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        mov.u32 %r1, %tid.x;
        setp.ge.u32 %p1, %r1, 128;
        @%p1 bra consumer;
        setmaxnreg.dec.sync.aligned.u32 24;
        ret;
    consumer:
        setmaxnreg.inc.sync.aligned.u32 160;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel()
    .reqntid 384
    .maxnreg 168
    {
        .reg .pred %p<2>;
        .reg .b32 %r<3>;
        mov.u32 %r1, %tid.x;
        setp.ge.u32 %p1, %r1, 128;
        @%p1 bra consumer;
        setmaxnreg.dec.sync.aligned.u32 24;
        ret;
    consumer:
        setmaxnreg.dec.sync.aligned.u32 160;
        ret;
    }
    ```
    """
    change = "decrease" if mismatch.wanted < mismatch.held else "increase"
    return Finding(
        f"`{mismatch.opcode}` would {change} the registers of each thread, from {mismatch.held} to "
        f"{mismatch.wanted}"
    )
