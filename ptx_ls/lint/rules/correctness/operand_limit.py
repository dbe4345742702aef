"""The rule operand-limit.

Source: PTX ISA, "nanosleep", "fns", "bar", "mapa", and "Tracking asynchronous operations by the
mbarrier object".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.candidates.computation import has_unusual_constants
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.constants.usual import LANES, MAX_SLEEP, MAX_TRANSACTIONS
from ptx_ls.semantics.directives.ignored_directives import numbers_of_directives
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIMITS: Final = {
    ("nanosleep", "t"): (MAX_SLEEP, "a thread sleeps at most a millisecond"),
    ("fns", "base"): (LANES - 1, "the mask has 32 bits, so the result is undefined"),
    ("mbarrier", "txCount"): (MAX_TRANSACTIONS, "an mbarrier object cannot count more bytes"),
}
"""The highest value of an operand, and the reason, by opcode and operand."""
_BARRIERS: Final = ("bar", "barrier")
_RANKED: Final = "mapa"
_OPERAND: Final = "b"
_OPCODES: Final = (*dict.fromkeys(opcode for opcode, _ in _LIMITS), *_BARRIERS, _RANKED)
_BLOCK: Final = (".reqntid", ".maxntid")
_CLUSTER: Final = (".reqnctapercluster",)
_WORD: Final = 1 << 32


class OperandLimit(NamedTuple):
    """A constant above the limit of its operand, and the reason for the limit."""

    text: str
    opcode: str
    limit: int
    reason: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[OperandLimit]:
    """Yields the constants of a function that are above the limits of their operands."""
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
    return rounded, f"a block has at most {threads} threads, so the barrier never completes"


def _size(seen: CheckInput, names: tuple[str, ...]) -> int:
    """Returns the product of the numbers of a directive of the kernel; 0 without one."""
    for head in seen.text.of_kind(Kind.FUNCTION):
        for _, numbers in numbers_of_directives(head.text, names):
            return math.prod(numbers)
    return 0


@rule(
    "operand-limit",
    on=OperandLimit,
    severity=Severity.WARNING,
    find=find,
    given=has_unusual_constants,
    looks_at=Instructions(*_OPCODES),
)
def operand_limit(mismatch: OperandLimit, _: RuleContext) -> Finding:
    """Reports a constant above the limit that the manual gives for an operand.

    ## Why is this bad?
    The assembler accepts the constant, but the device does something else: a thread sleeps at most
    a millisecond, a mask of lanes has no bit 32, and a barrier waits forever for more threads than
    the block has.

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
    text, limit = mismatch.text, mismatch.limit
    return Finding(f"`{mismatch.opcode}` takes at most {limit:,}, found {text}: {mismatch.reason}")
