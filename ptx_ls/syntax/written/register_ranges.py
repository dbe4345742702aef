"""Finds registers beyond the end of their range, such as `%r10` where `%r<10>` is declared."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.numerals import decimal
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import LETTERS, NAME_ENDS
from ptx_ls.syntax.scanner import compiled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_numbered: Final = LazyPattern(rf"%{LETTERS}\d++{NAME_ENDS}", re.ASCII).findall


def may_exceed(text: str, ranges: Mapping[str, int]) -> bool:
    """Whether a text may have a register beyond the end of its range.

    `ranges`: the size of each range, by the name before the number, which has no digits.
    """
    if compiled is not None:
        return compiled.may_overflow(text, tuple(ranges.items()))
    return _any_exceeds(_numbered(text), ranges)


def line_exceeds(line: str, ranges: Mapping[str, int]) -> bool:
    """Whether a line has a register beyond the end of its range."""
    return _any_exceeds(_numbered(line), ranges)


def exceeds(register: str, ranges: Mapping[str, int]) -> bool:
    """Whether the number of a register is beyond the end of its range."""
    prefix = register.rstrip("0123456789")
    return prefix != register and decimal(register[len(prefix) :]) >= ranges.get(prefix, math.inf)


def _any_exceeds(registers: Iterable[str], ranges: Mapping[str, int]) -> bool:
    return any(exceeds(register, ranges) for register in set(registers))
