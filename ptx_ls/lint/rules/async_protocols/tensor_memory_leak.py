"""The rule tensor-memory-leak.

Source: PTX ISA, "tcgen05.alloc", "tcgen05.dealloc".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_origin, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.protocols.tensor_memory import OPCODE, tensor_memory
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "tensor-memory-leak"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the allocations of a kernel that it never frees."""
    if is_understood(seen.function, seen.text):
        memory = tensor_memory(seen.function, seen.module)
        yield from broken_at_origin(_NAME, memory.sites, memory.violations)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def tensor_memory_leak(_: BrokenProtocol, __: RuleContext) -> Finding:
    """Reports a kernel that allocates Tensor Memory and never frees it.

    ## Why is this bad?
    All Tensor Memory must be freed before a kernel ends. Other blocks on the same multiprocessor
    wait in `tcgen05.alloc` until enough Tensor Memory is free.

    ```text
    tcgen05.alloc ─▶ ... ─▶ tcgen05.dealloc ─▶ ret
    ```

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
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
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
        "no `tcgen05.dealloc` frees this Tensor Memory before the kernel ends, so other blocks "
        "may wait for it forever"
    )
