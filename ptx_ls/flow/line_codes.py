"""Which lines of a function its control flow depends on: a byte for each line tells.

The bytes are kept with a stretch of lines, so that after an edit only few lines are looked at.
"""

from __future__ import annotations

import re
from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.graph import FlowLines
from ptx_ls.semantics.instructions.control_transfer import CONTROL
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.record import (
    CLOSE,
    OPEN,
    InlineAsmLine,
    InlineAsmPattern,
    Kind,
    MultiLine,
    Record,
    Shape,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.stretches import Stretch
    from ptx_ls.syntax.outline import Outline

_ALWAYS: Final = CONTROL - {"call"}
FILLED: Final = b"\1"
"""The byte of a line with instructions that control flow does not depend on."""
_MATTERS: Final = b"\2"
_DOUBTFUL: Final = b"\3"
_OPENS: Final = b"\4"
_CLOSES: Final = b"\5"
_CALLS: Final = b"\6"
_CALLS_TOO: Final = b"\7"
"""Of a line that matters anyhow."""
_CALL_LINES: Final = re.compile(b"[\6\7]").finditer
_LEADS_AWAY: Final = re.compile(b"[\2\6\7]").search
_CALLEES: Final = re.compile(
    r"(?<![\w$.%])call(?:\s*+\.\w++)*\s++([%A-Za-z_$][\w$]*+)", re.ASCII
).findall
"""The functions that calls without results name."""
_CONTROL_WORD: Final = re.compile(r"(?<![\w$.%])(?:ret|exit|trap|bra|brx|call)", re.ASCII).search
_CONTROL_LINES: Final = re.compile(_MATTERS).finditer
_PLAIN_BLOCK: Final = re.compile(b"\4([\0\1]*+)\5")
"""A pair of braces with nothing between that control flow depends on."""
_OTHER_BRACES: Final = bytes.maketrans(_OPENS + _CLOSES, _MATTERS * 2)
_KEPT: Final = "flow codes"
"""Key of the codes among what is kept with a stretch, of their table with the outline."""
_STRUCTURE: Final = frozenset({Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.FUNCTION, Kind.DIRECTIVE})
_DEPTH_CHANGES: Final[dict[Record, int]] = {OPEN: 1, CLOSE: -1}
"""How much deeper each brace leads."""
_BRACE_CODES: Final = {Kind.OPEN: _OPENS[0], Kind.CLOSE: _CLOSES[0]}


def table_of(outline: Outline) -> Codes:
    """The codes of a document's records."""
    table = outline.derived.get(_KEPT)
    if not isinstance(table, Codes):
        table = outline.derived[_KEPT] = Codes()
    return table


def codes_of(stretches: Iterable[Stretch], table: Codes) -> bytes:
    """A byte for each line of a region: what it has to do with control flow."""
    return b"".join([_codes(stretch, table) for stretch in stretches])


def called_in(lines: Sequence[str], start: int, codes: bytes) -> set[str]:
    """The functions that a region calls for no results; the region begins at line `start`."""
    if _CALLS not in codes and _CALLS_TOO not in codes:
        return set()
    text = "".join([lines[start + match.start()] for match in _CALL_LINES(codes)])
    return set(_CALLEES(without_comments(text)))


def flow_lines(text: RegionText, raw: bytes, called: Mapping[str, bool]) -> FlowLines:
    """The lines of a region that `flow_reader.reading` reads.

    `raw` are the codes of `codes_of`. `called` says of each function of `called_in` whether calls
    of it do not come back. Where all do, they are instructions like others.
    """
    calls = _MATTERS if any(called.values()) else FILLED
    codes = raw.replace(_CALLS, calls).replace(_CALLS_TOO, _MATTERS)
    if _OPENS in codes or _CLOSES in codes:
        codes = _PLAIN_BLOCK.sub(_without_braces, codes).translate(_OTHER_BRACES)
    numbers = array("i", [match.start() for match in _CONTROL_LINES(codes)])
    return FlowLines(numbers, texts_of(text.lines, 0, numbers), _order(codes), codes, raw, called)


def texts_of(lines: Sequence[str], start: int, numbers: Iterable[int]) -> list[str]:
    """The lines with these numbers, counted from line `start`."""
    return [lines[start + number] for number in numbers]


def _without_braces(block: re.Match[bytes]) -> bytes:
    return b"\0%b\0" % block[1]


def _order(codes: bytes) -> bytes:
    """The codes without lines that say nothing; any number of instructions in a row is one."""
    found = codes.translate(None, b"\0")
    while FILLED * 2 in found:
        found = found.replace(FILLED * 2, FILLED)
    return found


def _codes(stretch: Stretch, table: Codes) -> bytes:
    """A byte for each line: whether it matters, holds another instruction, or neither."""
    found = stretch.kept.get(_KEPT)
    if not isinstance(found, bytes):
        found = bytes(map(table.__getitem__, stretch.records))
        if _DOUBTFUL in found:
            found = _settled(stretch, found)
        stretch.kept[_KEPT] = found
    return found


def _settled(stretch: Stretch, codes: bytes) -> bytes:
    """The codes of lines with broken statements by what these say; a run is settled as a whole."""
    settled = bytearray(codes)
    records, lines = stretch.records, stretch.lines
    first = codes.find(_DOUBTFUL)
    while first >= 0:
        stop = first + 1
        if isinstance(records[first], MultiLine):
            while stop < len(records) and records[stop] is records[first]:
                stop += 1
        is_cut = isinstance(records[first], MultiLine) and (not first or stop == len(records))
        matters = is_cut or any(map(_CONTROL_WORD, lines[first:stop]))
        settled[first:stop] = (_CALLS_TOO if matters else FILLED) * (stop - first)
        first = codes.find(_DOUBTFUL, stop)
    return bytes(settled)


class Codes(dict["Record | InlineAsmPattern", int]):
    """The codes of the records of a document that were met, and of what runs have in common."""

    def __missing__(self, read: Record | InlineAsmPattern) -> int:
        if isinstance(read, InlineAsmLine):
            code = self[read.form]
        elif isinstance(read, InlineAsmPattern | MultiLine):
            code = _code(_without_blocks(read.records))
        else:
            code = _BRACE_CODES.get(read.kind) or _code({read})
        self[read] = code
        return code


def _code(held: AbstractSet[Record]) -> int:
    calls = any(isinstance(it, Shape) and it.name == "call" for it in held)
    is_broken = any(it.kind is Kind.BROKEN for it in held)
    if any(map(_matters, held)):
        return (_CALLS_TOO if calls or is_broken else _MATTERS)[0]
    if is_broken:
        return _DOUBTFUL[0]
    if calls:
        return _CALLS[0]
    return FILLED[0] if any(isinstance(it, Shape) for it in held) else 0


def _without_blocks(held: Sequence[Record]) -> AbstractSet[Record]:
    """The distinct records of some statements, without braces if these are pairs."""
    depths = list(accumulate([_DEPTH_CHANGES.get(read, 0) for read in held], initial=0))
    found = frozenset(held)
    return found if min(depths) < 0 or depths[-1] else found - _DEPTH_CHANGES.keys()


def _matters(read: Record) -> bool:
    return read.name in _ALWAYS if isinstance(read, Shape) else read.kind in _STRUCTURE
