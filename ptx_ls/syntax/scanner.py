"""Looks up the records of lines by their text without numbers.

The key of a line is its text with each run of digits, except in the opcode, as one 0; so lines that
differ only in registers and plain numbers share a key. Reading a large file takes most of its time
here, so `_scanner.c`, if it could be compiled, does the same ten times as fast.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.syntax.names import NO_MORE, OF_NAMES
from ptx_ls.syntax.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

try:
    from ptx_ls.syntax import _scanner
except ImportError:  # it is not compiled for this machine
    _scanner = None  # type: ignore[assignment]
SOURCE: Final = "87029f6f8344"
"""The beginning of the hash of the `_scanner.c` that fits this file and `reader.py`."""
if getattr(_scanner, "source", None) != SOURCE:
    _scanner = None  # type: ignore[assignment]
compiled: Final = _scanner
"""The module in C; None if it is not built, or built from another source."""

Key: TypeAlias = str | tuple[str, str]
"""A line without its digits, alone or after its opcode; equal for lines that differ in numbers."""
Read: TypeAlias = "Callable[[int, Key], tuple[Record, int]]"

_DIGITS: Final = {ord(digit): "0" for digit in "123456789"}
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
_LONG_MARK: Final = "\0"
_LINES_OF_BLOCK: Final = 16_384
"""Number of lines read together, as a compromise between speed and peak memory."""


def scan(lines: list[str], known: dict[Key, Record], read: Read) -> list[Record]:
    """Returns the record of each line: that of its key in `known`, or the result of `read`.

    `read` takes the number of a line and its key; it returns the record, and the number of the line
    after the record. It may add to `known`.
    """
    if compiled is not None:
        return compiled.scan(lines, known, read)
    return scan_blocks(lines, known, read)


def scan_blocks(lines: list[str], known: dict[Key, Record], read: Read) -> list[Record]:
    """Does the same as `scan` in Python only, block by block."""
    records: list[Record] = []
    for start in range(0, len(lines), _LINES_OF_BLOCK):
        stop = min(start + _LINES_OF_BLOCK, len(lines))
        if len(records) < stop:
            records += _block(lines[len(records) : stop], len(records), known, read)
    return records


def _block(block: list[str], start: int, known: dict[Key, Record], read: Read) -> list[Record]:
    """Returns the records of the lines from `start` on, and of later lines in a run with them."""
    keys = _keys(block)
    found: list[Record | None] = list(map(known.get, keys))
    over = 0
    for index in [number for number, hit in enumerate(found) if hit is None]:
        if index < over:
            continue
        found[index] = known.get(keys[index])
        if found[index] is None:
            record, stop = read(start + index, keys[index])
            over = stop - start
            found[index:over] = [record] * (over - index)
    return found  # type: ignore[return-value]  # every miss was filled in


def is_long(key: Key) -> bool:
    """Whether a line with this key has a decimal number that may be too large."""
    return _LONG_MARK in (key if isinstance(key, str) else key[1])


def first_words(line: str) -> str:
    """Returns the part of a line whose digits its key keeps: normally, the opcode."""
    words: str = OPCODES(line)[0]
    return words


def without_bits(text: str) -> str:
    """Returns a text without the digits of hexadecimal numbers."""
    return _BITS(_TAKEN_OUT, text)


def _keys(block: list[str]) -> Sequence[Key]:
    """Returns the key of each line."""
    text = "".join(block)
    plain = without_bits(text).translate(_DIGITS).replace(_LONG_DIGITS, _LONG_MARK)
    plain = plain.replace("000", "0").replace("00", "0")
    bare = plain.split("\n")
    opcodes = OPCODES(text)
    is_parallel = len(bare) == len(block) + block[-1].endswith("\n")
    if is_parallel and len(opcodes) >= len(block) and _BITS_MARK not in text:
        return list(zip(opcodes, bare, strict=False))[: len(block)]
    return [(_WHOLE, line) for line in block]
