"""The rule register-shortage.

Source: PTX ISA, "setmaxnreg": `inc` waits until the pool of the block has enough registers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.lint.protocols.broken_protocol import opcode_of
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.register_pool import OPCODE, register_pool
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class RegisterShortage(NamedTuple):
    """A `setmaxnreg.inc` that waits forever.

    `wanted`: what the warpgroups want. `available`: what each of them has at the start.
    """

    wanted: tuple[int, ...]
    available: int
    others: tuple[FunctionSpan, ...]
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[RegisterShortage]:
    """Yields the last `setmaxnreg.inc` of a kernel whose warpgroups want too many registers."""
    if is_understood(seen.function, seen.text):
        found = register_pool(seen.function, seen.module).shortage()
        if found is not None:
            others = tuple(opcode_of(each)[1:] for each in found.others)
            places = opcode_of(found.site)[1:]
            yield RegisterShortage(found.wanted, found.available, others, *places)


@rule(
    "register-shortage",
    on=RegisterShortage,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def register_shortage(mismatch: RegisterShortage, _: RuleContext) -> Finding:
    """Reports warpgroups that together request more registers than their block has.

    ## Why is this bad?
    `setmaxnreg.inc` waits until other warpgroups have released enough registers. A block has only
    the registers that its threads start with. If the warpgroups together request more registers,
    one warpgroup waits forever. ptxas does not report this mistake.

    ```text
    3 warpgroups * 168 registers = 504 = 24 + 240 + 240
    ```

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
        setmaxnreg.dec.sync.aligned.u32 56;
        ret;
    consumer:
        setmaxnreg.inc.sync.aligned.u32 240;
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
        setmaxnreg.inc.sync.aligned.u32 240;
        ret;
    }
    ```
    """
    wanted, n_groups = " + ".join(map(str, mismatch.wanted)), len(mismatch.wanted)
    return Finding(
        f"this instruction waits forever: the warpgroups request {wanted} = {sum(mismatch.wanted)} "
        "registers per thread in total, but the block has only "
        f"{n_groups} * {mismatch.available} = {n_groups * mismatch.available}",
        related=tuple(
            Related(*each, "another warpgroup changes its register count here")
            for each in mismatch.others
        ),
    )
