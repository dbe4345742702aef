"""The rule tensor-memory-size.

Source: PTX ISA, "tcgen05.alloc, tcgen05.dealloc, tcgen05.relinquish_alloc_permit".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import opcode_of
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.tensor_columns import wrong_columns
from ptx_ls.protocols.tensor_memory import OPCODE, tensor_memory
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class TensorMemorySize(NamedTuple):
    """A number of columns of Tensor Memory that does not fit an allocation.

    Attributes:
        n_columns: the number of columns of the instruction.
        n_allocated: that of the allocation.
        is_growing: whether the instruction allocates, and not frees.
        start, end: the place of the opcode.
        other: the place of the opcode of the allocation; None if the kernel has none.
    """

    n_columns: int
    n_allocated: int
    is_growing: bool
    start: FunctionPosition
    end: FunctionPosition
    other: FunctionSpan | None


def find(seen: CheckInput) -> Iterator[TensorMemorySize]:
    """Yields the wrong numbers of columns of a kernel."""
    if not is_understood(seen.function, seen.text):
        return
    for each in wrong_columns(tensor_memory(seen.function, seen.module)):
        _, start, end = opcode_of(each.site)
        other = None if each.other is None else opcode_of(each.other)[1:]
        yield TensorMemorySize(each.n_columns, each.n_other, each.is_growing, start, end, other)


@rule(
    "tensor-memory-size",
    on=TensorMemorySize,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def tensor_memory_size(mismatch: TensorMemorySize, _: RuleContext) -> Finding:
    """Reports allocations and deallocations of Tensor Memory with a wrong number of columns.

    ## Why is this bad?
    `tcgen05.dealloc` must free what `tcgen05.alloc` has allocated. If it frees fewer columns, other
    blocks on the multiprocessor may wait for the rest forever. If it frees more, or if the kernel
    allocates nothing, it may free columns of another block.

    A block must not allocate more columns than in an earlier `tcgen05.alloc`. The behaviour is
    undefined otherwise.

    ```text
     tcgen05.alloc 128 ──▶ tcgen05.alloc 64 ──▶ tcgen05.dealloc 64 ──▶ tcgen05.dealloc 128
                           at most 128          of the second one      of the first one
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
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 128;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        bar.warp.sync -1;
        ld.shared.b32 %r2, [address];
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;
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
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 128;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        bar.warp.sync -1;
        ld.shared.b32 %r2, [address];
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 128;
        ret;
    }
    ```
    """
    n_columns, n_allocated = mismatch.n_columns, mismatch.n_allocated
    if mismatch.other is None:
        return Finding(
            f"this instruction frees {n_columns} columns of Tensor Memory, "
            "but the kernel allocates none"
        )
    related = (Related(*mismatch.other, f"{n_allocated} columns are allocated here"),)
    if mismatch.is_growing:
        message = (
            f"this instruction allocates {n_columns} columns of Tensor Memory after an allocation "
            f"of {n_allocated}: the block must allocate the larger number first"
        )
    else:
        message = (
            f"this instruction frees {n_columns} columns of Tensor Memory, but the block has "
            f"allocated {n_allocated}"
        )
    return Finding(message, related=related)
