"""The rule operand-limit.

Source: PTX ISA, "nanosleep", "fns", "bar", "mapa", "cp.async.bulk", and "Tracking asynchronous
operations by the mbarrier object".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.constants.usual import LANES, MAX_SLEEP, MAX_TRANSACTIONS
from ptx_ls.semantics.directives.ignored_directives import numbers_of_directives
from ptx_ls.source import Severity
from ptx_ls.source.english import counted
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import Kind, Shape
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.register_operands import register_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIMITS: Final = {
    ("nanosleep", "t"): (MAX_SLEEP, "a thread can sleep for at most a millisecond"),
    ("fns", "base"): (LANES - 1, "the mask has 32 bits, so the result is undefined"),
    ("mbarrier", "txCount"): (MAX_TRANSACTIONS, "an mbarrier object cannot track more bytes"),
}
"""The highest value of an operand, and the reason, by opcode and operand."""
_BARRIERS: Final = ("bar", "barrier")
_RANKED: Final = "mapa"
_OPERAND: Final = "b"
_RANK: Final = 2
"""The number of the operand of `mapa` with the rank of a block."""
_OPCODES: Final = (*dict.fromkeys(opcode for opcode, _ in _LIMITS), *_BARRIERS, _RANKED)
_BLOCK: Final = (".reqntid", ".maxntid")
_CLUSTER: Final = (".reqnctapercluster",)
_WORD: Final = 1 << 32
_COPY: Final = "cp"
_MASKED: Final = (_COPY, "tcgen05")
_MULTICAST: Final = ".multicast::cluster"
_POLICY: Final = ".L2::cache_hint"
_BULK: Final = ".bulk"
_PREFETCH: Final = ".prefetch"
_NOT_SIZED: Final = frozenset({".tensor", ".commit_group", ".wait_group"})
_BULK_UNIT: Final = 16
"""The number of bytes of which the size of a bulk copy is a multiple."""


class OperandLimit(NamedTuple):
    """A constant above the limit of its operand, and the reason for the limit."""

    text: str
    opcode: str
    limit: int
    reason: str
    start: FunctionPosition
    end: FunctionPosition


class UnevenSize(NamedTuple):
    """A register with the size of a bulk copy, which has to be a multiple of 16.

    `size`: its value; None if only some bits of it are known.
    """

    register: str
    size: int | None
    start: FunctionPosition
    end: FunctionPosition


class AbsentBlock(NamedTuple):
    """A mask of blocks that names one which is not in the cluster.

    `text`: the operand. `rank`: the first such block. `n_blocks`: how many blocks the cluster has.
    """

    text: str
    rank: int
    n_blocks: int
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[OperandLimit | UnevenSize | AbsentBlock]:
    """Yields the values of a function that are not allowed for their operands."""
    yield from _sizes_of_copies(seen)
    yield from _ranks_in_registers(seen)
    yield from _absent_blocks(seen)
    for use in unusual_constants(seen.function):
        opcode = use.shape.name
        for constant in use.constants if opcode in _OPCODES else ():
            key = opcode, constant.place.name
            known = _LIMITS.get(key) or _limit_of_launch(seen, *key)
            if known is None or constant.whole is None:
                continue
            limit, reason = known
            if min(constant.whole % _WORD, -constant.whole % _WORD) > limit:
                at = constant.start, constant.end
                yield OperandLimit(constant.text, use.shape.opcode, limit, reason, *at)


def _sizes_of_copies(seen: CheckInput) -> Iterator[UnevenSize]:
    """Yields the registers with the size of a bulk copy that is surely no multiple of 16."""
    for number, is_sized in ((1, _is_prefetch), (2, _is_bulk_copy)):
        for operand in register_operands(
            seen.function, seen.module, {_COPY: number}, is_sized, is_generated=seen.is_generated
        ):
            if operand.value.ones & (_BULK_UNIT - 1):
                size = operand.value.constant
                yield UnevenSize(operand.name, size, operand.start, operand.end)


def _ranks_in_registers(seen: CheckInput) -> Iterator[OperandLimit]:
    """Yields the registers with the rank of a block that no cluster of the kernel has."""
    known = _limit_of_launch(seen, _RANKED, _OPERAND)
    if known is None or not seen.text.has_opcodes((_RANKED,)):
        return
    limit, reason = known
    for operand in register_operands(
        seen.function, seen.module, {_RANKED: _RANK}, is_generated=seen.is_generated
    ):
        if operand.value.low > limit:
            text = f"`{operand.name}`, which is at least {operand.value.low:,}"
            place = operand.start, operand.end
            yield OperandLimit(text, operand.shape.opcode, limit, reason, *place)


def _absent_blocks(seen: CheckInput) -> Iterator[AbsentBlock]:
    """Yields the masks of multicast instructions that name blocks outside of the cluster."""
    shapes = {each for each in seen.text.shapes_of(_MASKED) if _MULTICAST in each.opcode}
    n_blocks = _size(seen, _CLUSTER) if shapes else 0
    if not n_blocks or any(read.problems for read in seen.text.distinct):
        return
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    values = function_values(seen.function, seen.module)
    for found in seen.text.statements_of(seen.text.with_shapes(shapes)):
        shape = found.record
        if isinstance(shape, Shape) and shape in shapes:
            # The mask is the last operand but for a cache policy.
            number = len(shape.operands) - 1 - (_POLICY in modifiers_of(shape.opcode))
            outside = values.operand(found, number).ones >> n_blocks
            if outside:
                operand = written_operands(shape, found.text)[number]
                start, end = (shifted(it, found.start) for it in (operand.start, operand.end))
                rank = n_blocks + (outside & -outside).bit_length() - 1
                yield AbsentBlock(operand.text, rank, n_blocks, start, end)


def _is_prefetch(shape: Shape) -> bool:
    return _is_bulk(shape) and _PREFETCH in shape.opcode


def _is_bulk_copy(shape: Shape) -> bool:
    return _is_bulk(shape) and _PREFETCH not in shape.opcode


def _is_bulk(shape: Shape) -> bool:
    modifiers = modifiers_of(shape.opcode)
    return _BULK in modifiers and _NOT_SIZED.isdisjoint(modifiers)


def _limit_of_launch(seen: CheckInput, opcode: str, operand: str) -> tuple[int, str] | None:
    """Returns the highest value that a kernel allows, by the size of its block or cluster."""
    if operand != _OPERAND:
        return None
    if opcode == _RANKED:
        blocks = _size(seen, _CLUSTER)
        return (blocks - 1, f"the cluster has {blocks} blocks") if blocks else None
    threads = _size(seen, _BLOCK)
    if opcode not in _BARRIERS or not threads:
        return None
    rounded = -(-threads // LANES) * LANES
    return rounded, f"a block has at most {threads} threads, so the barrier would never complete"


def _size(seen: CheckInput, names: tuple[str, ...]) -> int:
    """Returns the product of the numbers of a kernel directive; 0 without one."""
    for head in seen.text.of_kind(Kind.FUNCTION):
        for _, numbers in numbers_of_directives(head.text, names):
            return math.prod(numbers)
    return 0


@rule(
    "operand-limit",
    on=(OperandLimit, UnevenSize, AbsentBlock),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*_OPCODES, *_MASKED),
)
def operand_limit(mismatch: OperandLimit | UnevenSize | AbsentBlock, _: RuleContext) -> Finding:
    """Reports a value that the manual does not allow for an operand.

    ## Why is this bad?
    ptxas accepts the value, but the device cannot execute the instruction as written. A thread can
    sleep for at most a millisecond, a lane mask does not have a bit 32, and a barrier never
    completes if it expects more threads than the block has. The size of a bulk copy must be a
    multiple of 16 bytes, which ptxas checks only for constants. A multicast mask must not name
    blocks outside of the cluster.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel()
    {
        nanosleep.u32 5000000;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel()
    {
        nanosleep.u32 1000000;
        ret;
    }
    ```
    """
    if isinstance(mismatch, AbsentBlock):
        rank, blocks = mismatch.rank, counted(mismatch.n_blocks, "block")
        return Finding(
            f"the mask `{mismatch.text}` includes block {rank}, but the cluster has only {blocks}"
        )
    if isinstance(mismatch, UnevenSize):
        size = "is not" if mismatch.size is None else f"is {mismatch.size:,}"
        return Finding(
            f"the size of a bulk copy must be a multiple of {_BULK_UNIT} bytes, but "
            f"`{mismatch.register}` {size}"
        )
    text, limit = mismatch.text, mismatch.limit
    if text.isdecimal():
        text = f"{int(text):,}"
    return Finding(
        f"this operand of `{mismatch.opcode}` must be at most {limit:,}, found {text}: "
        f"{mismatch.reason}"
    )
