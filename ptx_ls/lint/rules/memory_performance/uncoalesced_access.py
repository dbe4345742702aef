"""The rule uncoalesced-access.

Source: CUDA C++ Programming Guide, "Device Memory Accesses".
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.candidates.accesses import may_be_uncoalesced
from ptx_ls.lint.protocols.broken_protocol import opcode_of
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.lanes.lane_addresses import lane_addresses
from ptx_ls.threads.lanes.memory_sectors import SectorUse, sector_use
from ptx_ls.threads.lanes.warp_accesses import known_accesses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.threads.lanes.warp_accesses import KnownAccess

OPCODES: Final = ("ld", "st")
_SPACE: Final = "global"
_WASTEFUL: Final = 2
"""How many times as many sectors as needed are reported."""
_SLOW: Final = 8
"""How many are reported even if other instructions access the rest of the sectors.

The cache may have the sectors then, but each request still takes many steps.
"""
_MAX_SPANS: Final = 64


class ScatteredAccess(NamedTuple):
    """An access of a warp to more sectors of global memory than its bytes need.

    `stride`: how many bytes the addresses of successive lanes are apart; None if that differs.
    """

    use: SectorUse
    stride: int | None
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ScatteredAccess]:
    """Yields the accesses of a kernel to global memory that touch too many sectors."""
    lanes = lane_addresses(seen.function, seen.module)
    if lanes is None:
        return
    for each in known_accesses(lanes, OPCODES, _SPACE):
        use, addresses = _best(each)
        is_slow = use.factor >= _SLOW
        if use.factor < _WASTEFUL or (seen.is_generated and not is_slow):
            continue
        is_wasteful = _with_others(each, addresses).factor >= _WASTEFUL
        if is_wasteful or (is_slow and not seen.is_generated):
            _, start, end = opcode_of(each.site)
            yield ScatteredAccess(use, _stride(addresses), start, end)


def _best(access: KnownAccess) -> tuple[SectorUse, Mapping[int, int]]:
    """Returns what the worst warp of the best launch uses, with its addresses."""
    found = []
    for launch in access.launches:
        warps = [(_use(access, each.addresses), each.addresses) for each in launch]
        found.append(max(warps, key=lambda each: each[0].factor))
    return min(found, key=lambda each: each[0].factor)


def _use(access: KnownAccess, addresses: Mapping[int, int]) -> SectorUse:
    size = access.n_bytes
    return sector_use({(each, size) for each in addresses.values()}, size & -size)


def _with_others(access: KnownAccess, addresses: Mapping[int, int]) -> SectorUse:
    """Returns what the warp uses together with accesses at constant distances."""
    spans = sorted(access.spans, key=lambda each: (abs(each[0]), each))[:_MAX_SPANS]
    unit = min(size & -size for _, size in spans)
    return sector_use(
        {(each + offset, size) for each in addresses.values() for offset, size in spans}, unit
    )


def _stride(addresses: Mapping[int, int]) -> int | None:
    """Returns the distance of the addresses of successive lanes, if it is the same for all."""
    lanes = sorted(addresses)
    strides = {
        addresses[after] - addresses[before]
        for before, after in pairwise(lanes)
        if after == before + 1
    }
    is_whole = len(lanes) == lanes[-1] - lanes[0] + 1
    return strides.pop() if len(strides) == 1 and is_whole else None


@rule(
    "uncoalesced-access",
    on=ScatteredAccess,
    severity=Severity.HINT,
    find=find,
    looks_at=Instructions(*OPCODES),
    given=may_be_uncoalesced,
)
def uncoalesced_access(mismatch: ScatteredAccess, _: RuleContext) -> Finding:
    """Reports accesses to global memory that use only a part of each sector.

    ## Why is this bad?
    Memory and caches transfer sectors of 32 bytes. If the lanes of a warp access successive
    elements of 4 bytes, the warp needs 4 sectors. If the addresses are 32 or more bytes apart, the
    warp needs 32 sectors, and uses an eighth of each sector. The cache also processes the access in
    more steps.

    Let successive lanes access successive elements, for example with one array per field instead of
    an array of structures, or copy a tile through shared memory.

    An access is reported if a warp accesses at least twice as many sectors as necessary, and no
    other instruction with the same address register and a different offset accesses the rest of
    these sectors. An access to at least eight times as many sectors as necessary is always
    reported. In compiler output, an access must meet both conditions, and only kernels of at most
    300 lines are examined.

    The addresses of all lanes must be known. In a loop, the rule examines the addresses of the
    first iteration. If a kernel has no `.reqntid` and reads `%tid.x` but neither `%tid.y` nor
    `%tid.z`, its blocks are assumed to be one-dimensional.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry first(.param .b64 rows, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<7>;
        ld.param.b64 %rd1, [rows];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd3, %r1, 256;
        add.s64 %rd4, %rd1, %rd3;
        ld.global.b32 %r2, [%rd4];
        mul.wide.u32 %rd5, %r1, 4;
        add.s64 %rd6, %rd2, %rd5;
        st.global.b32 [%rd6], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry first(.param .b64 columns, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<7>;
        ld.param.b64 %rd1, [columns];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd4, %rd1, %rd3;
        ld.global.b32 %r2, [%rd4];
        mul.wide.u32 %rd5, %r1, 4;
        add.s64 %rd6, %rd2, %rd5;
        st.global.b32 [%rd6], %r2;
        ret;
    }
    ```
    """
    use = mismatch.use
    why = ""
    if mismatch.stride is not None:
        why = f": the addresses of successive lanes are {abs(mismatch.stride):,} bytes apart"
    return Finding(
        f"a warp accesses {use.n_sectors} sectors of 32 bytes here, where {use.fewest} would be "
        f"enough{why}"
    )
