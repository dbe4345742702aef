"""Finds lines that were met before, by what they say without their numbers.

The key of a line is its text with every run of digits as one 0, but for those of its opcode; so
lines that differ in registers and plain numbers share a key. This is where reading a large file
spends its time: `_scanner.c` does the same ten times as fast, where it could be compiled.
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
except ImportError:  # nobody compiled it for this machine
    _scanner = None  # type: ignore[assignment]
SOURCE: Final = "87029f6f8344"
"""The beginning of the hash of `_scanner.c`, which goes with this file and `reader.py`."""
if getattr(_scanner, "source", None) != SOURCE:
    _scanner = None  # type: ignore[assignment]
compiled: Final = _scanner
"""The module in C, None where it is not built, or of another source."""

Key: TypeAlias = str | tuple[str, str]
"""Equal for lines that differ in numbers only; here beside the opcode, there around it."""
Read: TypeAlias = "Callable[[int, Key], tuple[Record, int]]"

_DIGITS: Final = {ord(digit): "0" for digit in "123456789"}
OPCODES: Final = re.compile(
    r"[ \t]*+(?:@[^\r\n \t]*+[ \t]++)?([\w.:]*+(?:[ \t]++\.[\w.:]++)*)[^\n]*+\n?", re.ASCII
).findall
"""The first words of each line; every match is one line."""
_BITS: Final = re.compile(
    rf"0(?<![%{OF_NAMES}.]0)"
    r"(?:([fF])[\da-fA-F]{8}|([dD])[\da-fA-F]{16}|([xX])[\da-fA-F]{1,16}+(U?)"
    rf"|[0-7]*+([89])\d*+){NO_MORE}",
    re.ASCII,
).sub
"""Takes out what is written in hexadecimal, whose digits would make every line another one, but for
its kind, and sets `08`, which is no number, apart from `10`.

The look behind comes after the 0, for `re` is quick to find a first character.
"""
_TAKEN_OUT: Final = "\1\\1\\2\\3\\4\\5"
_BITS_MARK: Final = "\1"
_WHOLE: Final = "\2"
"""What stands for the opcode where a key is the line itself."""
_LONG: Final = "0" * 20
"""What is left of a decimal number that may be too large."""
_LONG_MARK: Final = "\0"
_LINES_OF_BLOCK: Final = 16_384
"""Lines read together: enough to keep the loop in C, few enough to keep the peak of memory low."""


def scan(lines: list[str], known: dict[Key, Record], read: Read) -> list[Record]:
    """The record of each line: what `known` has for its key, or what `read` makes of it.

    `read` is given the number of a line and its key; it returns the record, and the number of the
    line behind it. It may add to `known`.
    """
    if compiled is not None:
        return compiled.scan(lines, known, read)
    return scan_blocks(lines, known, read)


def scan_blocks(lines: list[str], known: dict[Key, Record], read: Read) -> list[Record]:
    """`scan` in Python alone, block by block."""
    records: list[Record] = []
    for start in range(0, len(lines), _LINES_OF_BLOCK):
        stop = min(start + _LINES_OF_BLOCK, len(lines))
        if len(records) < stop:
            records += _block(lines[len(records) : stop], len(records), known, read)
    return records


def _block(block: list[str], start: int, known: dict[Key, Record], read: Read) -> list[Record]:
    """Records of the lines from `start` on; the last may stand for lines behind the block, too."""
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
    """What its key keeps of a line with its digits: the opcode, where it has a plain place."""
    words: str = OPCODES(line)[0]
    return words


def without_bits(text: str) -> str:
    """A text without the digits of what is written in hexadecimal."""
    return _BITS(_TAKEN_OUT, text)


def _keys(block: list[str]) -> Sequence[Key]:
    """What each line says without its digits, beside its opcode with them."""
    text = "".join(block)
    plain = without_bits(text).translate(_DIGITS).replace(_LONG, _LONG_MARK)
    plain = plain.replace("000", "0").replace("00", "0")
    bare = plain.split("\n")
    opcodes = OPCODES(text)
    is_parallel = len(bare) == len(block) + block[-1].endswith("\n")
    if is_parallel and len(opcodes) >= len(block) and _BITS_MARK not in text:
        return list(zip(opcodes, bare, strict=False))[: len(block)]
    return [(_WHOLE, line) for line in block]
