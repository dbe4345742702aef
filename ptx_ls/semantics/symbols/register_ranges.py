"""Finds registers behind the end of their range, as `%r10` where `%r<10>` is declared."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.numerals import decimal
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import LETTERS, NAME_ENDS
from ptx_ls.syntax.scanner import compiled

_NUMBERED: Final = LazyPattern(rf"%{LETTERS}\d++{NAME_ENDS}", re.ASCII).findall
_LINES_OF_STEP: Final = 2000
"""Lines that are searched at once: meanwhile, no other thread gets its turn."""
_MAX_UNCOMPILED_LENGTH: Final = 20_000
"""Texts shorter than this are searched faster than a pattern is compiled."""


def may_overflow(lines: list[str], ranges: tuple[tuple[str, int], ...]) -> bool:
    """Whether lines may have a register behind the end of its range.

    `ranges`: what stands before the number, without digits, and the count.
    """
    if compiled is not None:
        return compiled.may_overflow(lines, ranges)
    if len(lines) <= _LINES_OF_STEP:
        text = "\n".join(lines)
        if len(text) < _MAX_UNCOMPILED_LENGTH:
            return _overflows(set(_NUMBERED(text)), ranges)
    high = re.compile(_high_pattern(ranges), re.ASCII).findall
    return any(
        _overflows(set(high("\n".join(lines[start : start + _LINES_OF_STEP]))), ranges)
        for start in range(0, len(lines), _LINES_OF_STEP)
    )


def _overflows(registers: set[str], ranges: tuple[tuple[str, int], ...]) -> bool:
    """Whether the number of one of the registers is not below the count of its range."""
    counts = dict(ranges)
    for name in registers:
        prefix = name.rstrip("0123456789")
        if prefix in counts and decimal(name[len(prefix) :]) >= counts[prefix]:
            return True
    return False


def _high_pattern(ranges: tuple[tuple[str, int], ...]) -> str:
    """A pattern for registers near or beyond the end of their range.

    It is quicker to compile than the exact one, and has few matches in orderly text.
    """
    names = "|".join(rf"{re.escape(prefix[1:])}(?:{_high(count)})" for prefix, count in ranges)
    return rf"%(?:{names})\d*+{NAME_ENDS}"


def _high(count: int) -> str:
    """A pattern for the beginning of all numbers that are at least `count`, and of some below."""
    digits = str(max(count, 0))
    first, rest = digits[0], len(digits) - 1
    if not rest:
        return rf"[{first}-9]|\d\d"
    longer = rf"0\d|\d{{{rest + 2}}}"
    tail = rf"\d{{{rest - 1}}}" if rest > 1 else ""
    same = rf"{first}[{digits[1]}-9]{tail}"
    return (
        f"{same}|{longer}" if first == "9" else rf"{same}|[{int(first) + 1}-9]\d{{{rest}}}|{longer}"
    )


def overflow_pattern(ranges: tuple[tuple[str, int], ...]) -> str | None:
    """A pattern for registers whose number is not below the count of their range; None without any.

    `ranges`: what stands before the number, and the count.
    """
    parts = [
        rf"{re.escape(prefix[1:])}0*+{_at_least(count)}{NAME_ENDS}" for prefix, count in ranges
    ]
    return f"%(?:{'|'.join(parts)})" if parts else None


def _at_least(count: int) -> str:
    """A pattern for decimal numbers without leading zeros that are `count` or more."""
    if count <= 0:
        return r"\d++"
    digits = str(count)
    choices = [rf"[1-9]\d{{{len(digits)},}}+"]
    for index, digit in enumerate(digits):
        rest = len(digits) - index - 1
        if digit < "9":
            choices.append(rf"{digits[:index]}[{int(digit) + 1}-9]\d{{{rest}}}")
    choices.append(digits)
    return f"(?:{'|'.join(choices)})"
