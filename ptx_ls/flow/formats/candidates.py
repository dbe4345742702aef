"""Finds the few registers of a function whose values may be read in another format.

A function may have many thousands of instructions with floats. For each format, the registers that
are read in it and those that are written in another one are found as arrays, without a look at
single instructions.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.shape_formats import NO_FORMATS, shape_formats
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import InlineAsmLine, InlineAsmPattern, Shape
from ptx_ls.syntax.register_events import BEGINS, READS, WRITES, find_events
from ptx_ls.syntax.written.names import opcode_and_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function
    from ptx_ls.flow.registers.register_table import RegisterTable
    from ptx_ls.syntax.record import Pattern, Record
    from ptx_ls.syntax.register_events import Ways

_MAX_KEPT: Final = 1 << 12
"""Number of records and banks for which the ways are kept."""
_COPIES: Final = READS | WRITES
"""The bits of a name in a copy; `_TARGET` marks the destination."""
_TARGET: Final = 64
_IS_READ: Final = bytes((way & _COPIES) == READS for way in range(256))
_IS_WRITTEN: Final = bytes((way & _COPIES) == WRITES for way in range(256))
_IS_COPIED: Final = bytes((way & _COPIES) == _COPIES for way in range(256))


class Banks(NamedTuple):
    """Where values may be read in a format that they do not have.

    A bank is the name of a register with 0 for its number; registers of one bank have one type.

    Attributes:
        wanted: the format.
        read: the banks whose registers are read in it.
        written: those that are written in another one, and those to which copies lead from them.
    """

    wanted: str
    read: frozenset[str]
    written: frozenset[str]


class _BankFormats(NamedTuple):
    """The banks in an instruction with the formats in which it reads and writes registers of them.

    `copies`: pairs of banks: that of the source, and that of the destination.
    """

    reads: tuple[tuple[str, str], ...]
    writes: tuple[tuple[str, str], ...]
    copies: tuple[tuple[str, str], ...]


@lru_cache(maxsize=_MAX_KEPT)
def _bank_formats(shape: Shape) -> _BankFormats:
    found = shape_formats(shape)
    names = [each.name for each in shape.identifiers] if found is not NO_FORMATS else []
    return _BankFormats(
        tuple((names[number], wanted) for number, wanted in found.reads),
        tuple((names[number], made) for number, made in found.writes),
        tuple((names[source], names[target]) for source, target in found.copies),
    )


def banks_with(shapes: Iterable[Shape], formats: Collection[str]) -> set[str]:
    """Returns the banks to which values of some formats are written, or copies of them."""
    found = [_bank_formats(shape) for shape in shapes]
    banks = {bank for each in found for bank, made in each.writes if made in formats}
    return _spread(banks, set[tuple[str, str]]().union(*[each.copies for each in found]))


def misread_banks(shapes: Iterable[Shape]) -> Iterator[Banks]:
    """Yields for each format the banks in which values of another one may be read in it."""
    made: dict[str, set[str]] = {}
    read: dict[str, set[str]] = {}
    found = [_bank_formats(shape) for shape in shapes]
    for bank, wanted in set[tuple[str, str]]().union(*[each.reads for each in found]):
        read.setdefault(wanted, set()).add(bank)
    for bank, format_ in set[tuple[str, str]]().union(*[each.writes for each in found]):
        made.setdefault(format_, set()).add(bank)
    copies = set[tuple[str, str]]().union(*[each.copies for each in found])
    for wanted in sorted(read):
        others = set[str]().union(*[made[each] for each in made if each != wanted])
        written = _spread(others, copies)
        common = read[wanted] & written
        if common:
            yield Banks(wanted, frozenset(common), frozenset(written))


def _spread(banks: AbstractSet[str], copies: Collection[tuple[str, str]]) -> set[str]:
    """Returns some banks and all to which copies lead from them."""
    found = set(banks)
    size = -1
    while size != len(found):
        size = len(found)
        found.update(target for source, target in copies if source in found)
    return found


def candidates(function: Function, table: RegisterTable, banks: Banks) -> set[int]:
    """Returns the registers that may be read in a format that their values do not have."""
    read, written, copies = set[int](), set[int](), list[tuple[int, int]]()
    for chunk in function.leaves():
        ways = tuple([_ways(pattern, banks) for pattern in chunk.patterns])
        if not any(ways):
            continue
        events = find_events(chunk.text, chunk.numbers, ways, table.ranges, table.others)
        read.update(compress(events.codes, events.ways.translate(_IS_READ)))
        written.update(compress(events.codes, events.ways.translate(_IS_WRITTEN)))
        copies += _copies_of(events.codes, events.ways)
        if events.others:
            odd = _codes_in(chunk, events.others, table)
            read |= odd
            written |= odd
    return read & _reached(written, copies)


def _codes_in(chunk: Chunk, rows: Iterable[int], table: RegisterTable) -> set[int]:
    """Returns the codes of all registers on some lines."""
    lines = chunk.lines_on_demand
    names = {name for row in rows for name in names_in(lines[row])}
    return {code for code in map(table.code, names) if code >= 0}


def _copies_of(codes: Sequence[int], ways: bytes) -> list[tuple[int, int]]:
    """Returns the source and the destination of each copy."""
    is_copied = ways.translate(_IS_COPIED)
    found, target = [], -1
    if 1 in is_copied:
        for code, way in compress(zip(codes, ways, strict=True), is_copied):
            if way & _TARGET:
                target = code
            else:
                found.append((code, target))
    return found


def _reached(codes: set[int], copies: Sequence[tuple[int, int]]) -> set[int]:
    """Returns some registers, and those to which copies lead from them."""
    targets: dict[int, list[int]] = {}
    for source, target in copies:
        targets.setdefault(source, []).append(target)
    waiting = deque(codes & targets.keys())
    found = codes
    while waiting:
        for target in targets.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


@lru_cache(maxsize=_MAX_KEPT)
def _ways(pattern: Pattern, banks: Banks) -> Ways:
    """Returns how the names of a pattern matter; None if none does."""
    if isinstance(pattern, Shape):
        return _ways_of_shape(pattern, banks)
    if isinstance(pattern, InlineAsmPattern):
        return _ways_of_block(pattern, banks)
    return (isinstance(pattern, tuple) and _has_ways(pattern, banks)) or None


def _has_ways(records: Iterable[Record], banks: Banks) -> bool:
    held = (each for each in records if isinstance(each, Shape))
    return any(_ways_of_shape(each, banks) for each in held)


def _ways_of_block(pattern: InlineAsmPattern, banks: Banks) -> Ways:
    """Returns how the names on a line with several statements matter.

    True if the pattern does not tell, so that the line has to be examined.
    """
    if not _has_ways(pattern.records, banks):
        return None
    ways, text = bytearray(), pattern.text
    for piece in InlineAsmLine(text, pattern).pieces:
        names = opcode_and_names(text[piece.start[1] : piece.end[1]])
        found = bytes(len(names))
        if isinstance(piece.record, Shape):
            found = _ways_of_shape(piece.record, banks) or found
            if piece.record.has_gap or len(found) != len(names):
                return True
        ways += found
    return bytes(ways)


def _ways_of_shape(shape: Shape, banks: Banks) -> bytes | None:
    found = shape_formats(shape)
    if found is NO_FORMATS:
        return None
    identifiers = shape.identifiers
    names = [each.name for each in identifiers]
    ways = bytearray(len(names))
    for number, wanted in found.reads:
        if wanted == banks.wanted and names[number] in banks.read:
            ways[number] = READS
    for number, made in found.writes:
        if made != banks.wanted and names[number] in banks.written:
            ways[number] = WRITES
    for source, target in found.copies:
        if names[source] in banks.written:
            ways[target], ways[source] = _COPIES | _TARGET, _COPIES
    if not any(ways):
        return None
    place = 1 if shape.guard else 0
    ways.insert(place, 0)  # the opcode
    ways[0] |= BEGINS
    return bytes(ways)
