"""The rule launch-bounds.

Source: PTX ISA, "Performance-Tuning Directives" and "Cluster Dimension Directives", and the limits
in the CUDA C++ Programming Guide.
"""

from __future__ import annotations

import math
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.candidates.statements import has_head_directives
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.directives.ignored_directives import check_launch, numbers_of_directives
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa import Context
    from ptx_ls.isa.devices import Limits
    from ptx_ls.semantics.symbols.region_text import Found

_BLOCK: Final = (".maxntid", ".reqntid")
_CLUSTER: Final = ".reqnctapercluster"
_RANK: Final = ".maxclusterrank"
_REGISTERS: Final = ".maxnreg"
_DIRECTIVES: Final = (*_BLOCK, _CLUSTER, _RANK, _REGISTERS)
_MAX_THREADS: Final = 1024
_MAX_DIMENSIONS: Final = (1024, 1024, 64)
_PORTABLE_CLUSTER: Final = 8
_MAX_CLUSTER: Final = 16
_WARP: Final = 32
_MAX_TAILS: Final = 1 << 10
"""Number of heads whose judgement is kept."""


class LaunchFault(Enum):
    """The kind of a launch bound that no launch can meet."""

    THREADS = auto()
    DIMENSION = auto()
    CLUSTER = auto()
    PORTABLE = auto()
    REGISTERS = auto()


class LaunchBounds(NamedTuple):
    """A directive of a kernel with a number beyond a limit of the device.

    `dimension`: that of the number, for DIMENSION; the number of threads, for REGISTERS.
    """

    fault: LaunchFault
    number: int
    limit: int
    dimension: int
    directive: str
    start: FunctionPosition
    end: FunctionPosition


class _Bound(NamedTuple):
    """The mistake in a directive; the numbers are those of `LaunchBounds`."""

    fault: LaunchFault
    number: int
    limit: int
    dimension: int = 0


def find(seen: CheckInput) -> Iterator[LaunchBounds]:
    """Yields the bounds of a kernel that exceed the limits of its target."""
    kernel = seen.facts.function
    if kernel is None or kernel.kind is not SymbolKind.KERNEL:
        return
    for head in seen.text.of_kind(Kind.FUNCTION):
        target = seen.module.context.target[0] if seen.module.context.target else ""
        if any(name in head.text for name in _DIRECTIVES) and not _is_possible(
            head.text.rpartition(")")[2], target
        ):
            yield from _of_head(head, target, seen.module.context)


@lru_cache(maxsize=_MAX_TAILS)
def _is_possible(tail: str, target: str) -> bool:
    """Whether no directive after the parameters of a kernel is beyond a limit; many are alike."""
    limits, threads = _limits(target), _threads(tail)
    given = numbers_of_directives(tail, _DIRECTIVES)
    return all(_beyond(token.string, numbers, limits, threads) is None for token, numbers in given)


def _of_head(head: Found, target: str, context: Context) -> Iterator[LaunchBounds]:
    ignored = {each.start for each in check_launch(head, context)}
    limits, threads = _limits(target), _threads(head.text)
    for token, numbers in numbers_of_directives(head.text, _DIRECTIVES):
        start, end = token.placed(head.start)
        found = _beyond(token.string, numbers, limits, threads)
        if found is not None and start not in ignored:
            yield LaunchBounds(*found, token.string, start, end)


def _limits(target: str) -> Limits | None:
    known = isa.database().targets.get(target)
    return known.limits if known is not None else None


def _threads(head: str) -> int:
    """Returns the largest number of threads of a block; 0 if it is not known."""
    given = numbers_of_directives(head, _BLOCK)
    return next((math.prod(numbers) for _, numbers in given), 0)


def _beyond(
    name: str, numbers: Sequence[int], limits: Limits | None, threads: int
) -> _Bound | None:
    """Returns what is wrong with the numbers of a directive; None if nothing is."""
    product = math.prod(numbers)
    if name in _BLOCK:
        most = limits.threads if limits is not None else _MAX_THREADS
        if product > most:
            return _Bound(LaunchFault.THREADS, product, most)
        for dimension, (size, limit) in enumerate(zip(numbers, _MAX_DIMENSIONS, strict=False)):
            if size > limit:
                return _Bound(LaunchFault.DIMENSION, size, limit, dimension)
    if name in (_CLUSTER, _RANK) and product > _PORTABLE_CLUSTER:
        if product > _MAX_CLUSTER:
            return _Bound(LaunchFault.CLUSTER, product, _MAX_CLUSTER)
        return _Bound(LaunchFault.PORTABLE, product, _PORTABLE_CLUSTER)
    if name == _REGISTERS and limits is not None and threads:
        needed = -(-threads // _WARP) * _WARP * product
        if product <= limits.registers and needed > limits.register_file:
            return _Bound(LaunchFault.REGISTERS, needed, limits.register_file, threads)
    return None


@rule(
    "launch-bounds",
    on=LaunchBounds,
    severity=Severity.WARNING,
    find=find,
    given=has_head_directives,
)
def launch_bounds(mismatch: LaunchBounds, _: RuleContext) -> Finding:
    """Reports a block or cluster size that no device can launch.

    ## Why is this bad?
    A block has at most 1,024 threads, and at most 64 in the third dimension; a launch with more
    threads fails. A cluster has at most 16 blocks, and may exceed 8 blocks only if the program
    allows this size for the kernel. The registers of all threads in a block must fit in the
    register file.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel()
    .reqntid 32, 64, 1
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel()
    .reqntid 32, 32, 1
    {
        ret;
    }
    ```
    """
    number, limit, name = mismatch.number, mismatch.limit, mismatch.directive
    if mismatch.fault is LaunchFault.THREADS:
        return Finding(f"`{name}` specifies {number:,} threads, but a block has at most {limit:,}")
    if mismatch.fault is LaunchFault.DIMENSION:
        dimension = "xyz"[mismatch.dimension]
        return Finding(
            f"`{name}` specifies {number:,} threads in dimension {dimension}, but a block has at "
            f"most {limit:,} in this dimension"
        )
    if mismatch.fault is LaunchFault.CLUSTER:
        return Finding(f"`{name}` specifies {number:,} blocks, but a cluster has at most {limit}")
    if mismatch.fault is LaunchFault.PORTABLE:
        return Finding(
            f"`{name}` specifies {number:,} blocks, but a cluster of more than {limit} blocks can "
            "be launched only if the host program sets the function attribute "
            "`NON_PORTABLE_CLUSTER_SIZE_ALLOWED`",
            severity=Severity.INFORMATION,
        )
    return Finding(
        f"a block of {mismatch.dimension:,} threads needs {number:,} registers, but a "
        f"multiprocessor has {limit:,}"
    )
