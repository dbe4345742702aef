"""Which lines of a function its control flow depends on, as one byte for each line.

The bytes are facts of chunks, so an edit computes those of the edited chunk alone.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import fact
from ptx_ls.document.rows import shares_lines
from ptx_ls.flow.graph import FlowLines
from ptx_ls.semantics.instructions.control_transfer import CONTROL
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.names import NAME_BEGINS, NAME_PATTERN
from ptx_ls.syntax.record import (
    CLOSE,
    OPEN,
    InlineAsmLine,
    InlineAsmPattern,
    Kind,
    MultiLine,
    Record,
    Shape,
    run_stop,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.region_text import RegionText

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
_CALLEES: Final = re.compile(
    rf"{NAME_BEGINS}call(?:\s*+\.\w++)*\s++({NAME_PATTERN})", re.ASCII
).findall
"""The functions that calls without results name."""
_CONTROL_WORD: Final = re.compile(rf"{NAME_BEGINS}(?:ret|exit|trap|bra|brx|call)", re.ASCII).search
_CONTROL_LINES: Final = re.compile(_MATTERS).finditer
_PLAIN_BLOCK: Final = re.compile(b"\4([\0\1]*+)\5")
"""A pair of braces with nothing between that control flow depends on."""
_OTHER_BRACES: Final = bytes.maketrans(_OPENS + _CLOSES, _MATTERS * 2)
_MAX_KEPT_CODES: Final = 1 << 14
"""Records whose codes are kept."""
_STRUCTURE: Final = frozenset({Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.FUNCTION, Kind.DIRECTIVE})
_DEPTH_CHANGES: Final[dict[Record, int]] = {OPEN: 1, CLOSE: -1}
"""How much deeper each brace leads."""
_BRACE_CODES: Final = {Kind.OPEN: _OPENS[0], Kind.CLOSE: _CLOSES[0]}


@fact
def flow_codes(function: Function) -> bytes:
    """A byte for each row of a function: what it has to do with control flow."""
    if shares_lines(function):
        text = region_text(function)
        return _codes(text.lines, text.records)
    return b"".join(map(_codes_of_chunk, function.leaves()))


@fact
def _codes_of_chunk(chunk: Chunk) -> bytes:
    """A byte for each row of a chunk: what it has to do with control flow."""
    return _codes(chunk.lines, chunk.records)


def flow_lines(text: RegionText, codes: bytes, never_returning: AbstractSet[str]) -> FlowLines:
    """The lines of a function that `reading` reads; `codes` are those of `flow_codes`.

    Calls of functions that come back are instructions like others.
    """
    leaving = _called_in(text.lines, codes) & never_returning
    codes = codes.replace(_CALLS, _MATTERS if leaving else FILLED).replace(_CALLS_TOO, _MATTERS)
    if _OPENS in codes or _CLOSES in codes:
        codes = _PLAIN_BLOCK.sub(_without_braces, codes).translate(_OTHER_BRACES)
    numbers = array("i", [match.start() for match in _CONTROL_LINES(codes)])
    texts = [text.lines[number] for number in numbers]
    return FlowLines(numbers, texts, codes, leaving)


def _called_in(lines: Sequence[str], codes: bytes) -> set[str]:
    """The functions that a function calls for no results."""
    if _CALLS not in codes and _CALLS_TOO not in codes:
        return set()
    text = "".join([lines[match.start()] for match in _CALL_LINES(codes)])
    return set(_CALLEES(without_comments(text)))


def _without_braces(block: re.Match[bytes]) -> bytes:
    return b"\0%b\0" % block[1]


def _codes(lines: Sequence[str], records: Sequence[Record]) -> bytes:
    """A byte for each line: whether it matters, holds another instruction, or neither."""
    codes = bytes(map(_code_of, records))
    return _settled(lines, records, codes) if _DOUBTFUL in codes else codes


def _settled(lines: Sequence[str], records: Sequence[Record], codes: bytes) -> bytes:
    """The codes of lines with broken statements by what these say; a run is settled as a whole."""
    settled = bytearray(codes)
    first = codes.find(_DOUBTFUL)
    while first >= 0:
        stop = run_stop(records, first)
        matters = any(map(_CONTROL_WORD, lines[first:stop]))
        settled[first:stop] = (_CALLS_TOO if matters else FILLED) * (stop - first)
        first = codes.find(_DOUBTFUL, stop)
    return bytes(settled)


@lru_cache(maxsize=_MAX_KEPT_CODES)
def _code_of(read: Record | InlineAsmPattern) -> int:
    """The code of a line that was read so."""
    if isinstance(read, InlineAsmLine):
        return _code_of(read.form)
    if isinstance(read, InlineAsmPattern | MultiLine):
        return _code(_without_blocks(read.records))
    return _BRACE_CODES.get(read.kind) or _code({read})


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
