"""Finds the uses of registers in lines with one instruction, or with a plain block.

`_scanner` does the same thirty times as fast where it is built.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.source.lines import split_lines
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.scanner import compiled
from ptx_ls.syntax.written.names import NEEDS_TREE, opcode_and_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

READS: Final = 1
WRITES: Final = 2
KILLS: Final = 4
"""The whole register is written, whatever the guard."""
BEGINS: Final = 8
"""This is the first use in an instruction."""
GUARDS: Final = 16
"""The register is the guard of the instruction."""
NEGATED: Final = 32
"""The same, and the guard has a `!`."""
PARTIAL: Final = 64
"""Only a component of the register is written."""
Ways: TypeAlias = bytes | bool | None
"""How the lines of a record use each of their names and opcodes.

`BEGINS` is set for the first of each instruction. None if they use no register, True if each line
has to be examined.
"""
Ranges: TypeAlias = tuple[tuple[str, int, int], ...]
"""Parameterised registers: the name before the number, the count, and the code of the first."""
_INT: Final = "i"
_DIGITS: Final = "0123456789"


class RegisterEvents(NamedTuple):
    """Uses of registers in the order of the text, in parallel arrays; and lines to examine."""

    rows: array[int]
    codes: array[int]
    ways: bytes
    others: array[int]


def find_events(
    text: str,
    numbers: Sequence[int],
    ways: tuple[Ways, ...],
    ranges: Ranges,
    others: dict[str, int],
    first: int = 0,
) -> RegisterEvents:
    """Returns the uses of registers in the lines of a text.

    Args:
        text: the lines with their line ends.
        numbers: for each line, the number of its record.
        ways: for each record, how its lines use their names.
        ranges: the parameterised registers.
        others: the codes of other registers by name.
        first: the number of the first line, for the rows of uses. Lines to examine count from 0.
    """
    if compiled is not None and isinstance(numbers, bytes):  # type: ignore[redundant-expr]
        found = compiled.events(text, numbers, ways, ranges, others, first)
        if found is not None:
            rows, codes, used, odd = found
            return RegisterEvents(array(_INT, rows), array(_INT, codes), used, array(_INT, odd))
    return plain_events(text, numbers, ways, ranges, others, first)


def plain_events(
    text: str,
    numbers: Sequence[int],
    ways: tuple[Ways, ...],
    ranges: Ranges,
    others: Mapping[str, int],
    first: int = 0,
) -> RegisterEvents:
    """Does what `find_events` does, in Python."""
    rows, codes, odd, used = array(_INT), array(_INT), array(_INT), bytearray()
    for row, (number, line) in enumerate(zip(numbers, split_lines(text), strict=False)):
        own = ways[number]
        if own is None:
            continue
        found = None if isinstance(own, bool) else _events(line, own, ranges, others)
        if found is None:
            odd.append(row)
            continue
        for code, way in found:
            rows.append(first + row)
            codes.append(code)
            used.append(way)
    return RegisterEvents(rows, codes, bytes(used), odd)


def _events(
    line: str, ways: bytes, ranges: Ranges, others: Mapping[str, int]
) -> list[tuple[int, int]] | None:
    """Returns the codes and ways of a line; None if it has other names than expected."""
    names = opcode_and_names(line)
    if len(names) != len(ways) or any(mark in line for mark in NEEDS_TREE):
        return None
    found, begins = [], BEGINS
    for name, way in zip(names, ways, strict=True):
        begins |= way & BEGINS
        if way & (READS | WRITES):
            code = code_of(name.partition(".")[0], ranges, others)
            if code >= 0:
                found.append((code, way | begins))
                begins = 0
    return found


def group_uses(codes: array[int], n_codes: int) -> tuple[Sequence[int], Sequence[int]]:
    """Groups uses by their registers, whose codes are below `n_codes`.

    Returns where the uses of each register begin in the second list, with its length, and the
    numbers of the uses.
    """
    if compiled is None:
        return plain_groups(codes, n_codes)
    at, order = compiled.group(codes, n_codes)
    return memoryview(at).cast(_INT), memoryview(order).cast(_INT)


def plain_groups(codes: Sequence[int], n_codes: int) -> tuple[array[int], array[int]]:
    """Does what `group_uses` does, in Python."""
    counts = array(_INT, bytes(4 * n_codes))
    for code in codes:
        counts[code] += 1
    at = array(_INT, accumulate(counts, initial=0))
    return at, array(_INT, sorted(range(len(codes)), key=codes.__getitem__))


def code_of(name: str, ranges: Ranges, others: Mapping[str, int]) -> int:
    """Returns the code of a register; -1 for another name."""
    prefix = name.rstrip(_DIGITS)
    digits = name[len(prefix) :]
    if digits and (digits == "0" or digits[0] != "0"):
        number = decimal(digits)
        for known, count, base in ranges:
            if known == prefix and number < count:
                return base + number
    return others.get(name, -1)
