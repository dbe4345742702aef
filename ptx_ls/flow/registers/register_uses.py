"""Finds all uses of registers in a function, as arrays of numbers.

A function may have hundreds of thousands. `syntax/register_events.py` finds those in lines with one
instruction; the statements of other lines are read one by one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.document.rows import rows_of
from ptx_ls.semantics.instructions.accesses import accesses_in, accesses_of_shape
from ptx_ls.semantics.instructions.control_transfer import CONTROL
from ptx_ls.semantics.instructions.plain_block import declared_in
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.offsets import slice_lines
from ptx_ls.syntax.record import (
    INSTRUCTIONS,
    InlineAsmLine,
    InlineAsmPattern,
    Kind,
    MultiLine,
    Record,
    Shape,
)
from ptx_ls.syntax.register_events import (
    BEGINS,
    GUARDS,
    KILLS,
    NEGATED,
    PARTIAL,
    READS,
    WRITES,
    Ways,
    find_events,
    group_uses,
)
from ptx_ls.syntax.written.names import opcode_and_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function
    from ptx_ls.flow.registers.register_table import RegisterTable
    from ptx_ls.semantics.instructions.accesses import AccessKind
    from ptx_ls.syntax.record import Pattern, Piece

_NOT: Final = "!"
_MAX_KEPT: Final = 1 << 12
"""Number of shapes and patterns whose ways are kept."""


class RegisterUses(NamedTuple):
    """The uses of registers in some lines, in the order of the text, as parallel arrays.

    Attributes:
        rows: the line where the instruction of each begins, from the first line.
        codes: the register of each, as in a `RegisterTable`.
        ways: how it is used: bits of `READS`, `WRITES`, `KILLS` and `BEGINS`.
        columns: where the instruction of a use begins on its line. For other uses, that is not
            known, or it begins with the line; if the line declares their register, it is that one.
    """

    rows: array[int]
    codes: array[int]
    ways: bytes
    columns: dict[int, int]

    def place(self, number: int) -> FunctionPosition:
        """Returns the place of the instruction of a use, or the start of its line."""
        return FunctionPosition((self.rows[number], self.columns.get(number, 0)))


def register_uses(function: Function, table: RegisterTable) -> RegisterUses:
    """Returns the uses of the registers of a function."""
    if function.shares_lines:
        lines, records = rows_of(function.leaves())
        return _told_apart(_examined(records, lines, range(len(records)), table, 0), table)
    rows, codes, ways, columns = array("i"), array("i"), bytearray(), {}
    first = 0
    for chunk in function.leaves():
        found = _uses_in(chunk, table, first)
        for number, column in found.columns.items():
            columns[len(ways) + number] = column
        rows.extend(found.rows)
        codes.extend(found.codes)
        ways += found.ways
        first += chunk.extent.lines
    return _told_apart(RegisterUses(rows, codes, bytes(ways), columns), table)


def _told_apart(uses: RegisterUses, table: RegisterTable) -> RegisterUses:
    """Returns uses with different codes for registers of one name in different blocks in braces.

    Where the name means something else, such as a parameter, the use does nothing.
    """
    shared = table.shared
    if not shared:
        return uses
    codes, ways = array("i", uses.codes), bytearray(uses.ways)
    at, order = group_uses(codes, table.n_codes)
    code = shared.find(1)
    while code >= 0:
        own = table.declared_on_rows(code)
        for use in order[at[code] : at[code + 1]]:
            found = own.get(uses.rows[use]) if use not in uses.columns else None
            meant = table.code_at(code, uses.place(use)) if found is None else found
            if meant < 0:
                ways[use] &= BEGINS
            else:
                codes[use] = meant
        code = shared.find(1, code + 1)
    return uses._replace(codes=codes, ways=bytes(ways))


def _uses_in(chunk: Chunk, table: RegisterTable, first: int) -> RegisterUses:
    """Returns the uses in a chunk whose first line has a number in its function."""
    ways = tuple(map(ways_of, chunk.patterns))
    events = find_events(chunk.text, chunk.numbers, ways, table.ranges, table.others, first)
    if not events.others:
        return RegisterUses(events.rows, events.codes, events.ways, {})
    examined = _examined(chunk.records, chunk.lines_on_demand, events.others, table, first)
    return _merged(RegisterUses(*events[:3], {}), examined)


def _merged(plain: RegisterUses, others: RegisterUses) -> RegisterUses:
    """Returns the uses of two different sets of lines in order."""
    rows, codes, ways, columns = array("i"), array("i"), bytearray(), {}
    n_plain = number = 0
    while number < len(others.rows):
        stop = bisect_right(others.rows, others.rows[number], number)
        until = bisect_left(plain.rows, others.rows[number], n_plain)
        for into, one, other in (
            (rows, plain.rows, others.rows),
            (codes, plain.codes, others.codes),
        ):
            into.extend(one[n_plain:until] + other[number:stop])
        ways += plain.ways[n_plain:until]
        for each in range(number, stop):
            if each in others.columns:
                columns[len(ways) + each - number] = others.columns[each]
        ways += others.ways[number:stop]
        n_plain, number = until, stop
    return RegisterUses(
        rows + plain.rows[n_plain:],
        codes + plain.codes[n_plain:],
        bytes(ways + plain.ways[n_plain:]),
        columns,
    )


def _examined(
    records: Sequence[Record],
    lines: Sequence[str],
    rows: Sequence[int],
    table: RegisterTable,
    first: int,
) -> RegisterUses:
    """Returns the uses in lines that may have several statements, or only a part of one."""
    found = RegisterUses(array("i"), array("i"), b"", {})
    ways = bytearray()
    previous: Record | None = None
    for row in rows:
        record = records[row]
        if isinstance(record, MultiLine) and record is previous:
            continue
        previous = record
        for piece_record, text, at in _statements(record, lines, row):
            begins = BEGINS
            guard = guard_of(text)
            is_negated = guard is not None and guard.is_negated
            for used in accesses_in(piece_record, text):
                code = table.code(used.name)
                way = way_of(used.access, is_conditional=used.is_conditional, is_negated=is_negated)
                if code >= 0 and way:
                    if isinstance(record, MultiLine):
                        found.columns[len(ways)] = at[1]
                    found.rows.append(first + at[0])
                    found.codes.append(code)
                    ways.append(way | begins)
                    begins = 0
    return found._replace(ways=bytes(ways))


def _statements(
    record: Record, lines: Sequence[str], row: int
) -> Iterator[tuple[Record, str, tuple[int, int]]]:
    """Yields the record, the text and the place of each instruction of a line or run."""
    if not isinstance(record, MultiLine):
        yield record, lines[row], (row, 0)
        return
    for piece in record.pieces:
        if piece.record.kind in INSTRUCTIONS:
            start, end = _moved(piece.start, row), _moved(piece.end, row)
            yield piece.record, slice_lines(lines, start, end), start


def _moved(place: tuple[int, int], row: int) -> FunctionPosition:
    return FunctionPosition((place[0] + row, place[1]))


@lru_cache(maxsize=_MAX_KEPT)
def ways_of(pattern: Pattern) -> Ways:
    """Returns how the lines with a pattern use their names."""
    if isinstance(pattern, Shape):
        return True if pattern.has_gap else _ways_of_shape(pattern)
    if isinstance(pattern, InlineAsmPattern):
        return _ways_of_block(pattern)
    return True if isinstance(pattern, tuple) or pattern.kind is Kind.BROKEN else None


def _ways_of_shape(shape: Shape) -> bytes:
    is_guarded, is_negated = bool(shape.guard), _NOT in shape.guard
    ways = [
        way_of(each, is_conditional=is_guarded, is_negated=is_negated)
        for each in accesses_of_shape(shape)
    ]
    ways.insert(1 if is_guarded else 0, 0)  # the opcode
    ways[0] |= BEGINS
    return bytes(ways)


def _ways_of_block(pattern: InlineAsmPattern) -> Ways:
    """Returns the ways of a line with several statements; True if it has to be examined.

    It has to be if a place on it decides what block a statement or what register a name is in.
    """
    if pattern.is_structural or (pattern.is_declaring and declared_in(pattern) is None):
        return True
    text, ways = pattern.text, bytearray()
    for piece in InlineAsmLine(text, pattern).pieces:
        names, record = opcode_and_names(_text_of(piece, text)), piece.record
        if _separates_blocks(record):
            return True
        found = _ways_of_shape(record) if isinstance(record, Shape) else bytes(len(names))
        if len(found) != len(names) or (isinstance(record, Shape) and record.has_gap):
            return True
        ways += found
    return bytes(ways)


def _separates_blocks(record: Record) -> bool:
    return record.kind is Kind.LABEL or (isinstance(record, Shape) and record.name in CONTROL)


def uses_of_pieces(block: InlineAsmLine, line: str, table: RegisterTable) -> Iterator[int]:
    """Yields the number of uses in each statement of a plain block on one line."""
    for piece in block.pieces:
        ways = _ways_of_shape(piece.record) if isinstance(piece.record, Shape) else b""
        names = zip(opcode_and_names(_text_of(piece, line)), ways, strict=False)
        used = [name.partition(".")[0] for name, way in names if way & (READS | WRITES)]
        yield sum(table.code(name) >= 0 for name in used)


def _text_of(piece: Piece, text: str) -> str:
    return text[piece.start[1] : piece.end[1]]


def way_of(access: AccessKind, *, is_conditional: bool, is_negated: bool = False) -> int:
    """Returns the bits of an access to a register.

    `is_conditional`: whether the instruction has a guard; `is_negated`: whether that has a `!`.
    """
    is_whole = access.is_write and not (is_conditional or access.is_partial)
    found = READS * access.is_read | WRITES * access.is_write | KILLS * is_whole
    if access.is_guard:
        found |= GUARDS | NEGATED * is_negated
    return found | PARTIAL * access.is_partial
