"""The rule freed-tensor-memory.

Source: PTX ISA, "tcgen05.dealloc".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.collectives.barrier_places import barrier_place
from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_event, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, related_at, rule
from ptx_ls.protocols.tensor_memory import OPCODE, tensor_memory
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "freed-tensor-memory"
_FREE = "free"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the accesses of a function to what it freed, and what it frees too early."""
    if is_understood(seen.function, seen.text):
        memory = tensor_memory(seen.function, seen.module)
        for each in broken_at_event(_NAME, memory.sites, memory.violations):
            other, place = each.other_statement, None
            if each.event == _FREE and other is not None:
                place = barrier_place(seen, other[0], each.statement[0])
            yield each._replace(place=place)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def freed_tensor_memory(mismatch: BrokenProtocol, context: RuleContext) -> Finding:
    """Reports an access to Tensor Memory after it was freed, or while one warp frees it.

    ## Why is this bad?
    After `tcgen05.dealloc`, another block may own the columns: a load may return data of that
    block, and a store or matrix product may overwrite the data. If several warps access Tensor
    Memory, a barrier must come between their accesses and the `tcgen05.dealloc` of one warp.

    ## Example
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 32
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        .shared .align 4 .b32 address;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, address;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;
        bar.warp.sync -1;
        ld.shared.b32 %r2, [address];
        tcgen05.st.sync.aligned.32x32b.x2.b32 [%r2], {%r1, %r1};
        tcgen05.wait::st.sync.aligned;
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r2];
        tcgen05.wait::ld.sync.aligned;
        st.global.v2.b32 [%rd1], {%r3, %r4};
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    .reqntid 32
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<2>;
        .shared .align 4 .b32 address;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, address;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;
        bar.warp.sync -1;
        ld.shared.b32 %r2, [address];
        tcgen05.st.sync.aligned.32x32b.x2.b32 [%r2], {%r1, %r1};
        tcgen05.wait::st.sync.aligned;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r2];
        tcgen05.wait::ld.sync.aligned;
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;
        st.global.v2.b32 [%rd1], {%r3, %r4};
        ret;
    }
    ```
    """
    if mismatch.event == _FREE:
        return Finding(
            f"no barrier makes `{mismatch.opcode}` wait for the accesses of other warps to Tensor "
            "Memory",
            related=related_at(mismatch.other, "other warps may still execute this instruction"),
            repairs=()
            if mismatch.place is None
            else with_statements_ahead(mismatch.place, ["bar.sync 0;"], context),
        )
    return Finding(
        f"`{mismatch.opcode}` accesses Tensor Memory that was freed, so another block may own it",
        related=related_at(mismatch.other, "the Tensor Memory is freed here"),
    )
