"""The rule bank-conflict.

Source: CUDA C++ Programming Guide, "Shared Memory".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.candidates.accesses import may_have_bank_conflicts
from ptx_ls.lint.protocols.broken_protocol import opcode_of
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.english import listed
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.lanes.bank_conflicts import ROW, bank_conflict, padded
from ptx_ls.threads.lanes.lane_addresses import lane_addresses
from ptx_ls.threads.lanes.warp_accesses import KnownAccess, known_accesses
from ptx_ls.values.affine import AffineTerm, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.threads.lanes.bank_conflicts import BankConflict
    from ptx_ls.threads.lanes.lane_addresses import WarpAccess

OPCODES: Final = ("atom", "ld", "ldmatrix", "red", "st", "stmatrix")
_SPACE: Final = "shared::cta"
_LEAST: Final = 2
_LEAST_OF_COMPILERS: Final = 8
"""The smallest degree that is reported in compiler output."""
_MAX_SHOWN: Final = 4
"""Number of lanes that a message names."""


class SlowSharedAccess(NamedTuple):
    """An access to shared memory that takes as many steps as a bank has different words.

    `row`, `padding`: after how many bytes of the array how many more would avoid this; 0 if that is
    not certain.
    """

    lanes: tuple[int, ...]
    row: int
    padding: int
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[SlowSharedAccess]:
    """Yields the accesses of a kernel to shared memory with bank conflicts."""
    lanes = lane_addresses(seen.function, seen.module)
    if lanes is None:
        return
    known = [*known_accesses(lanes, OPCODES, _SPACE)]
    least = _LEAST_OF_COMPILERS if seen.is_generated else _LEAST
    for each in known:
        conflict = _conflict(each)
        if conflict is not None and conflict.degree >= least:
            padding = _padding(each, conflict, known)
            row = conflict.distance if padding else 0
            _, start, end = opcode_of(each.site)
            yield SlowSharedAccess(conflict.lanes, row, padding, start, end)


def _conflict(access: KnownAccess) -> BankConflict | None:
    """Returns the worst conflict of some warp in the launch where it is smallest."""
    worst = [_worst(launch, access.n_bytes) for launch in access.launches]
    found = [each for each in worst if each is not None]
    if len(found) < len(worst):
        return None
    return min(found, key=lambda each: each.degree)


def _worst(launch: Sequence[WarpAccess], n_bytes: int) -> BankConflict | None:
    found = (bank_conflict(each.addresses, n_bytes) for each in launch)
    return max(filter(None, found), key=lambda each: each.degree, default=None)


def _padding(access: KnownAccess, conflict: BankConflict, known: Sequence[KnownAccess]) -> int:
    """Returns how many bytes more in each row of an array avoid a conflict; 0 if none surely do."""
    variable, row = _variable(access), conflict.distance
    others = [each for each in known if _variable(each) == variable]
    if variable is None or row % ROW:
        return 0
    padding = max(4, *(each.n_bytes for each in others))
    for each in others:
        for launch in each.launches:
            moved = [it._replace(addresses=padded(it.addresses, row, padding)) for it in launch]
            before, after = _worst(launch, each.n_bytes), _worst(moved, each.n_bytes)
            most = 1 if each is access or before is None else before.degree
            if after is not None and after.degree > most:
                return 0
    return padding


def _variable(access: KnownAccess) -> AffineTerm | None:
    """Returns the variable at whose start the places of the lanes count; None for another place."""
    for launch in access.launches:
        for warp in launch:
            if len(warp.unknowns) == 1:
                ((key, times),) = warp.unknowns
                term = key[0] if isinstance(key, tuple) else None
                if isinstance(term, AffineTerm) and term.kind is TermKind.SYMBOL and times == 1:
                    return term
            return None
    return None


@rule(
    "bank-conflict",
    on=SlowSharedAccess,
    severity=Severity.HINT,
    find=find,
    looks_at=Instructions(*OPCODES),
    given=may_have_bank_conflicts,
)
def bank_conflict_rule(mismatch: SlowSharedAccess, _: RuleContext) -> Finding:
    """Reports accesses to shared memory that take several steps because of bank conflicts.

    ## Why is this bad?
    Shared memory has 32 banks. Successive 4-byte words are in successive banks: the banks repeat
    every 128 bytes. Each bank accesses one word at a time. If lanes of a warp access n different
    words in one bank, the access takes n steps. Lanes that access the same word share a step.

    A warp accesses at most 128 bytes at a time: with 8 bytes per lane, only lanes in the same
    half-warp can conflict, and with 16 bytes per lane, only lanes in the same quarter-warp. In
    `ldmatrix` and `stmatrix`, a quarter-warp provides the row addresses of one matrix.

    To spread the words over the banks, add padding after each row of an array, or swizzle the
    columns with an `xor` that depends on the row. The message suggests padding if it is certain to
    help.

    A conflict is reported only if the addresses of all lanes are known. In a loop, the rule
    examines the addresses of the first iteration. If a kernel has no `.reqntid` and reads `%tid.x`
    but neither `%tid.y` nor `%tid.z`, its blocks are assumed to be one-dimensional. In compiler
    output, only conflicts of at least 8 words in one bank are reported, and only in kernels of up
    to 300 lines.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry columns(.param .b64 result)
    .reqntid 32
    {
        .reg .b32 %r<9>;
        .reg .b64 %rd<4>;
        .shared .align 4 .b8 tile[4096];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, tile;
        shl.b32 %r3, %r1, 2;
        add.s32 %r4, %r2, %r3;
        st.shared.b32 [%r4], %r1;
        bar.sync 0;
        mad.lo.s32 %r6, %r1, 128, %r2;
        ld.shared.b32 %r7, [%r6];
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r7;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry columns(.param .b64 result)
    .reqntid 32
    {
        .reg .b32 %r<9>;
        .reg .b64 %rd<4>;
        .shared .align 4 .b8 tile[4224];
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, tile;
        shl.b32 %r3, %r1, 2;
        add.s32 %r4, %r2, %r3;
        st.shared.b32 [%r4], %r1;
        bar.sync 0;
        mad.lo.s32 %r6, %r1, 132, %r2;
        ld.shared.b32 %r7, [%r6];
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r7;
        ret;
    }
    ```
    """
    lanes = mismatch.lanes
    named = [str(each) for each in lanes[:_MAX_SHOWN]]
    is_cut = len(lanes) > _MAX_SHOWN
    shown = f"{', '.join(named)}, ..." if is_cut else listed(named, "and")
    message = (
        f"{len(lanes)}-way bank conflict: lanes {shown} access different words of the same bank"
    )
    if mismatch.padding:
        message += (
            f"; {mismatch.padding} bytes of padding after every {mismatch.row:,} bytes would avoid "
            "this"
        )
    return Finding(message)
