"""Finds directives that ptxas ignores with a warning.

Source: PTX ISA, "Performance-Tuning Directives", the warnings of ptxas, and the limits in the CUDA
C++ Programming Guide.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.problems.module import IgnoredDirective, IgnoredFault
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.tokens import NUMBER, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa import Context
    from ptx_ls.isa.devices import Limits
    from ptx_ls.semantics.symbols.region_text import Found

_BLOCKS: Final = ".minnctapersm"
_REGISTERS: Final = ".maxnreg"
_SIZES: Final = (".maxntid", ".reqntid")
_LIMITED: Final = (_BLOCKS, _REGISTERS, *_SIZES)
_MIN_REGISTERS: Final = 24
"""Minimum number of registers that ptxas gives a thread."""
_FEWEST_SINCE: Final = (75, "")
_WARP_SIZE: Final = 32
_WARP_NAME: Final = "WARP_SZ"
_ABI: Final = (3, 0)


def check_launch(head: Found, context: Context) -> Iterator[IgnoredDirective]:
    """Yields the directives of a kernel's head that ptxas ignores or limits."""
    if not any(name in head.text for name in _LIMITED):
        return
    given = {token.string: (token, numbers) for token, numbers in numbers_of_directives(head.text)}
    sizes = next((given[name] for name in _SIZES if name in given), None)
    target = context.target[0] if context.target else ""
    info = isa.database().targets.get(target)
    limits = info.limits if info is not None else None
    if _BLOCKS in given and sizes is None:
        yield _ignored(IgnoredFault.NO_BLOCK, given[_BLOCKS][0], head)
    elif limits is not None:
        fault = _occupancy(given, limits)
        if fault is not None:
            yield _ignored(fault[0], fault[1], head, fault[2], fault[3], target)
    if _REGISTERS in given and limits is not None:
        token, numbers = given[_REGISTERS]
        count = math.prod(numbers)
        if count > limits.registers:
            fault_kind, limit = IgnoredFault.MOST_REGISTERS, limits.registers
            yield _ignored(fault_kind, token, head, count, limit, target)
        elif 0 < count < _MIN_REGISTERS and (isa.parse_target(target) or (0, "")) >= _FEWEST_SINCE:
            yield _ignored(
                IgnoredFault.FEWEST_REGISTERS, token, head, count, _MIN_REGISTERS, target
            )


def gives_registers(head: str, context: Context) -> bool:
    """Whether a kernel's head sets or limits the number of registers per thread."""
    given = {token.string: (token, numbers) for token, numbers in numbers_of_directives(head)}
    info = isa.database().targets.get(context.target[0]) if context.target else None
    limits = info.limits if info is not None else None
    if _REGISTERS in given:
        return True  # even if a thread cannot have as many, about which ptxas only warns
    if limits is None:
        return _BLOCKS in given
    size = next((math.prod(given[name][1]) for name in _SIZES if name in given), 0)
    if limits.threads_sm < 2 * size <= 2 * limits.threads_sm:
        return True  # no second block has room beside the first
    return _BLOCKS in given and size > 0 and _occupancy(given, limits) is None


def register_count(head: str, context: Context) -> int | None:
    """Returns the number of registers that `.maxnreg` sets; None if ptxas may choose another."""
    given = {token.string: numbers for token, numbers in numbers_of_directives(head)}
    size = next((math.prod(given[name]) for name in _SIZES if name in given), 0)
    info = isa.database().targets.get(context.target[0]) if context.target else None
    if _REGISTERS not in given or info is None or info.limits is None:
        return None
    count = max(math.prod(given[_REGISTERS]), _MIN_REGISTERS)
    if count > info.limits.registers or size * count > info.limits.register_file:
        return None
    return count


def most_registers(head: str, context: Context) -> int | None:
    """Returns the largest number of registers that a thread may begin with; None if unknown."""
    count = register_count(head, context)
    if count is not None:
        return count
    given = {token.string: numbers for token, numbers in numbers_of_directives(head)}
    size = next((math.prod(given[name]) for name in _SIZES if name in given), 0)
    info = isa.database().targets.get(context.target[0]) if context.target else None
    if not size or _REGISTERS in given or info is None or info.limits is None:
        return None
    threads = -(-size // _WARP_SIZE) * _WARP_SIZE * max(math.prod(given.get(_BLOCKS, [1])), 1)
    return min(info.limits.register_file // threads, info.limits.registers)


def _occupancy(
    given: dict[str, tuple[Token, list[int]]], limits: Limits
) -> tuple[IgnoredFault, Token, int, int] | None:
    """Returns the fault of too many blocks or threads, with token, number and limit; or None."""
    token, blocks = given.get(_BLOCKS, (None, [1]))
    name = next((each for each in _SIZES if each in given), "")
    if not name:
        return None
    size = math.prod(given[name][1])
    if token is None:
        if size > limits.threads_sm:
            return IgnoredFault.THREADS, given[name][0], size, limits.threads_sm
        return None
    count = math.prod(blocks)
    if count > limits.blocks_sm:
        return IgnoredFault.BLOCKS, token, count, limits.blocks_sm
    threads = -(-size // _WARP_SIZE) * _WARP_SIZE * count
    if threads > limits.threads_sm:
        return IgnoredFault.THREADS, token, threads, limits.threads_sm
    return None


def numbers_of_directives(
    head: str, names: Sequence[str] = _LIMITED
) -> Iterator[tuple[Token, list[int]]]:
    """Yields the directives of a head that have some names, each with its numbers."""
    name: Token | None = None
    numbers: list[int] = []
    for token in tokenize(_from_directives(head, names)):
        if token.type is NUMBER and name is not None:
            value = number(token.string)
            numbers.append(value if isinstance(value, int) else 0)
        elif token.string == _WARP_NAME and name is not None:
            numbers.append(_WARP_SIZE)
        elif token.string != ",":
            if name is not None and numbers:
                yield name, numbers
            name, numbers = (token if token.string in names else None), []


def _from_directives(head: str, names: Sequence[str]) -> str:
    """Replaces the text of a head before the first directive with one of the names by spaces."""
    places = [at for name in names if (at := head.find(name)) >= 0]
    if not places or "/" in head or "\r" in head:
        return head
    first = min(places)
    n_lines = head.count("\n", 0, first)
    return "\n" * n_lines + " " * (first - head.rfind("\n", 0, first) - 1) + head[first:]


def without_abi(symbol: Symbol, context: Context) -> bool:
    """Whether a declaration is valid only without an ABI."""
    if symbol.kind is SymbolKind.FUNCTION:
        returns = symbol.returns
        return len(returns) > 1 and all(each.space == ".reg" for each in returns)
    is_old = context.version is not None and context.version < _ABI
    return is_old and symbol.space in (".reg", ".local")


def _ignored(
    fault: IgnoredFault,
    token: Token,
    head: Found,
    value: int = 0,
    limit: int = 0,
    target: str = "",
) -> IgnoredDirective:
    start, end = token.placed(head.start)
    return IgnoredDirective(token.string, fault, start, end, value, limit, target)
