"""The rule unacquired-tensor-map.

Source: PTX ISA, "fence.proxy.tensormap".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.fixes.statements import with_statements_ahead
from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_event, is_about
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    related_at,
    rule,
)
from ptx_ls.protocols.tensor_maps import OPCODE, tensor_maps
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.threads.events.sites import EventSite

_NAME = "unacquired-tensor-map"
_TENSOR_MAP = "tensor map"
_ACQUIRE = "fence.proxy.tensormap::generic.acquire.gpu"
_N_BYTES = 128
"""The size of a tensor map."""


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the copies of a function with a tensor map that is not acquired."""
    if is_understood(seen.function, seen.text):
        maps = tensor_maps(seen.function, seen.module)
        used = {each.found.start: each for each in maps.sites}
        for each in broken_at_event(_NAME, maps.sites, maps.violations):
            yield each._replace(address=_address(used[each.statement[0]]))


def _address(site: EventSite) -> str:
    """Returns the register with the address of the tensor map that a copy uses, or ""."""
    record, known = site.found.record, site.known
    for event in known.events.accesses if known is not None else ():
        place = site.operand(event.operand)
        if event.by == _TENSOR_MAP and place is not None and isinstance(record, Shape):
            elements = written_operands(record, site.found.text)[place].elements
            return elements[0].text if elements else ""
    return ""


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def unacquired_tensor_map(mismatch: BrokenProtocol, context: RuleContext) -> Finding:
    """Reports a copy whose tensor map was changed but not acquired.

    ## Why is this bad?
    Copies read tensor maps through the tensormap proxy. After a change is released, a thread that
    uses the tensor map must acquire the map with `fence.proxy.tensormap::generic.acquire [map],
    128`. Otherwise, its copies may use the old map.

    ```text
    tensormap.replace ─▶ cp_fenceproxy or fence ... release ─▶ fence ... acquire ─▶ copy with it
    ```

    ## Example
    ```ptx
    .version 8.3
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 map, .param .b64 data)
    .reqntid 32
    {
        .reg .pred %p<3>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        .shared .align 128 .b8 tile[1024];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [map];
        ld.param.b64 %rd2, [data];
        mov.b32 %r3, 0;
        cvta.to.global.u64 %rd3, %rd1;
        mov.u32 %r1, tile;
        mov.u32 %r2, full;
        elect.sync _|%p1, -1;
        @%p1 mbarrier.init.shared::cta.b64 [%r2], 1;
        @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 1024;
        bar.warp.sync -1;
        @%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%rd3], %rd2;
        fence.proxy.tensormap::generic.release.gpu;
        @%p1 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes
            [%r1], [%rd1, {%r3}], [%r2];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
        @!%p2 bra wait;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.3
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 map, .param .b64 data)
    .reqntid 32
    {
        .reg .pred %p<3>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        .shared .align 128 .b8 tile[1024];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [map];
        ld.param.b64 %rd2, [data];
        mov.b32 %r3, 0;
        cvta.to.global.u64 %rd3, %rd1;
        mov.u32 %r1, tile;
        mov.u32 %r2, full;
        elect.sync _|%p1, -1;
        @%p1 mbarrier.init.shared::cta.b64 [%r2], 1;
        @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 1024;
        bar.warp.sync -1;
        @%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%rd3], %rd2;
        fence.proxy.tensormap::generic.release.gpu;
        fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;
        @%p1 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes
            [%r1], [%rd1, {%r3}], [%r2];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
        @!%p2 bra wait;
        ret;
    }
    ```
    """
    repairs: tuple[Repair, ...] = ()
    if mismatch.address:
        fence = f"{_ACQUIRE} [{mismatch.address}], {_N_BYTES};"
        repairs = with_statements_ahead(mismatch.statement[0], [fence], context)
    return Finding(
        "this instruction uses a tensor map that was changed but not acquired: insert "
        "`fence.proxy.tensormap::generic.acquire` before this instruction",
        related=related_at(mismatch.other, "the tensor map is changed here"),
        repairs=repairs,
    )
