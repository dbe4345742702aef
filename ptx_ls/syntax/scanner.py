"""Looks up the records of lines by their text without numbers.

The key of a line is its text with each run of digits, except in the opcode, as one 0; so lines that
differ only in registers and plain numbers share a key. Reading a large file takes most of its time
here, so `_scanner`, which is compiled from the C code in `inner_loops` where that is possible, does
the same ten times as fast.
"""

from __future__ import annotations

import re
from array import array
from itertools import count, pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.source.lines import split_lines
from ptx_ls.source.text_lines import TextLines
from ptx_ls.syntax.names import NO_MORE, OF_NAMES
from ptx_ls.syntax.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

try:
    from ptx_ls.syntax import _scanner
except ImportError:  # it is not compiled for this machine
    _scanner = None  # type: ignore[assignment]
SOURCE: Final = "33e5e8ed1b18"
"""The beginning of the hash of the C code that fits this file and `reader.py`."""
if getattr(_scanner, "source", None) != SOURCE:
    _scanner = None  # type: ignore[assignment]
compiled: Final = _scanner
"""The module in C; None if it is not built, or built from another source."""

_Key: TypeAlias = str | tuple[str, str]
"""A line without its digits, alone or after its opcode; equal for lines that differ in numbers."""
Read: TypeAlias = "Callable[[int], tuple[Record, int, bool]]"
"""Reads the line with a number. Returns its record, the number of the line after the record, and
whether all lines with the same key have it."""

DIGITS: Final = {ord(digit): "0" for digit in "123456789"}
"""A table for `str.translate` that replaces each digit with 0."""
OPCODES: Final = re.compile(
    r"[ \t]*+(?:@[^\r\n \t]*+[ \t]++)?([\w.:]*+(?:[ \t]++\.[\w.:]++)*)[^\n]*+\n?", re.ASCII
).findall
"""Finds the opcode of each line, or the words in its place; each match is one line."""
_BITS: Final = re.compile(
    rf"0(?<![%{OF_NAMES}.]0)"
    r"(?:([fF])[\da-fA-F]{8}|([dD])[\da-fA-F]{16}|([xX])[\da-fA-F]{1,16}+(U?)"
    rf"|[0-7]*+([89])\d*+){NO_MORE}",
    re.ASCII,
).sub
"""Removes hexadecimal digits, which would make every line different, but keeps the kind of the
number, and distinguishes `08`, which is not a number, from `10`.

The 0 is before the lookbehind, because `re` finds a literal first character quickly.
"""
_TAKEN_OUT: Final = "\1\\1\\2\\3\\4\\5"
_BITS_MARK: Final = "\1"
_WHOLE: Final = "\2"
"""The opcode part of a key that contains the whole line."""
_LONG_DIGITS: Final = "0" * 20
"""A run of digits, each as 0, of a decimal number that may be too large."""
_LONG_RUN: Final = re.compile(rf"\d{{{len(_LONG_DIGITS)}}}", re.ASCII).search
_LONG_MARK: Final = "\0"
_MAX_OF_BYTE: Final = 256
"""Number of different records that a byte can index."""
_LINES_OF_BLOCK: Final = 16_384
"""Number of lines read together, as a compromise between speed and peak memory."""


class PlainKnownLines:
    """Records by the keys of their lines, in Python; does the same as `compiled.KnownLines`."""

    def __init__(self) -> None:
        self._records: dict[_Key, Record] = {}

    def __len__(self) -> int:
        return len(self._records)

    def scan(self, text: str, starts: Sequence[int], read: Read) -> list[Record]:
        """Returns the record of each line of a text: the one for its key, or the result of `read`.

        `starts`: the offsets of all lines, and of the end of the last one. The lines are read block
        by block.
        """
        n_lines = len(starts) - 1
        records: list[Record] = []
        for first in range(0, n_lines, _LINES_OF_BLOCK):
            stop = min(first + _LINES_OF_BLOCK, n_lines)
            first = max(first, len(records))  # noqa: PLW2901  a run may begin in an earlier block
            if first < stop:
                keys = _keys(text[starts[first] : starts[stop]], starts[first : stop + 1])
                records += self._block(keys, first, read)
        return records

    def _block(self, keys: Sequence[_Key], start: int, read: Read) -> list[Record]:
        """Returns the records of the lines from `start` on, and of others in a run with them."""
        known = self._records
        found: list[Record | None] = list(map(known.get, keys))
        over = 0
        for index in [number for number, hit in enumerate(found) if hit is None]:
            if index < over:
                continue
            found[index] = known.get(keys[index])
            if found[index] is None:
                record, stop, is_shared = read(start + index)
                if is_shared:
                    known[keys[index]] = record
                over = stop - start
                found[index:over] = [record] * (over - index)
        return found  # type: ignore[return-value]  # every miss was filled in


def known_lines() -> _scanner.KnownLines | PlainKnownLines:
    """Returns an object without lines that scans texts and keeps records."""
    if compiled is not None:
        return compiled.KnownLines()
    return PlainKnownLines()


def cut_lines(text: str) -> TextLines:
    """Returns the lines of a text, without an empty last one."""
    if compiled is not None:
        starts = compiled.line_starts(text)
        if starts is not None:
            return TextLines(text, memoryview(starts).cast("q"))
    lines = split_lines(text)
    return TextLines.of(lines if lines[-1] else lines[:-1])


def numbered(records: list[Record]) -> tuple[tuple[Record, ...], Sequence[int]]:
    """Returns the distinct records in order, and for each of `records` its number among them."""
    if compiled is not None:
        found = compiled.number(records)
        if found is not None:
            return found
    distinct = tuple(dict.fromkeys(records))
    number_of = dict(zip(distinct, count(), strict=False)).__getitem__
    numbers = map(number_of, records)
    return distinct, bytes(numbers) if len(distinct) <= _MAX_OF_BYTE else array("L", numbers)


def is_long(line: str) -> bool:
    """Whether a line may have a decimal number that is too large."""
    return _LONG_MARK in line or _LONG_RUN(line) is not None


def first_words(line: str) -> str:
    """Returns the part of a line whose digits its key keeps: normally, the opcode."""
    words: str = OPCODES(line)[0]
    return words


def without_bits(text: str) -> str:
    """Returns a text without the digits of hexadecimal numbers."""
    return _BITS(_TAKEN_OUT, text)


def _keys(text: str, starts: Sequence[int]) -> Sequence[_Key]:
    """Returns the key of each line of a text; `starts`: as in `scan`, from its first line on."""
    n_lines, first = len(starts) - 1, starts[0]
    plain = without_bits(text).translate(DIGITS).replace(_LONG_DIGITS, _LONG_MARK)
    plain = plain.replace("000", "0").replace("00", "0")
    bare = plain.split("\n")
    opcodes = OPCODES(text)
    is_parallel = len(bare) == n_lines + text.endswith("\n")
    if is_parallel and len(opcodes) >= n_lines and _BITS_MARK not in text:
        return list(zip(opcodes, bare, strict=False))[:n_lines]
    return [(_WHOLE, text[start - first : stop - first]) for start, stop in pairwise(starts)]
