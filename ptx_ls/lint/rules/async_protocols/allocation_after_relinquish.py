"""The rule allocation-after-relinquish.

Source: PTX ISA, "tcgen05.relinquish_alloc_permit".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_event, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, related_at, rule
from ptx_ls.protocols.tensor_memory import OPCODE, tensor_memory
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "allocation-after-relinquish"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the allocations of a function that it has no right to."""
    if is_understood(seen.function, seen.text):
        memory = tensor_memory(seen.function, seen.module)
        yield from broken_at_event(_NAME, memory.sites, memory.violations)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def allocation_after_relinquish(mismatch: BrokenProtocol, _: RuleContext) -> Finding:
    """Reports a `tcgen05.alloc` after `tcgen05.relinquish_alloc_permit`.

    ## Why is this bad?
    With `tcgen05.relinquish_alloc_permit`, a block gives up the right to allocate Tensor
    Memory. The behaviour of a later `tcgen05.alloc` is undefined.

    ## Example
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel()
    .reqntid 32
    {
        .reg .b32 %r<3>;
        .shared .align 4 .b32 address;
        mov.u32 %r1, address;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;
        bar.warp.sync -1;
        ld.shared.b32 %r2, [address];
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel()
    .reqntid 32
    {
        .reg .b32 %r<3>;
        .shared .align 4 .b32 address;
        mov.u32 %r1, address;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        bar.warp.sync -1;
        ld.shared.b32 %r2, [address];
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;
        ret;
    }
    ```
    """
    return Finding(
        "the block must not execute `tcgen05.alloc` after `tcgen05.relinquish_alloc_permit`",
        related=related_at(mismatch.other, "the block gives up the right to allocate here"),
    )
