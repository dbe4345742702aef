"""Decides whether a hint would repeat what its line already says."""

from __future__ import annotations

import re
from functools import lru_cache
from math import isclose
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.operand_traits import class_of_type
from ptx_ls.features.tokens.statement_tokens import comments
from ptx_ls.features.tokens.token_kinds import TokenTrait
from ptx_ls.semantics.symbols.symbols import UNKNOWN_TYPE
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.literals import integer, number
from ptx_ls.syntax.names import has_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.source import Position

_MAX_DIGITS: Final = 6
"""Maximum number of digits of a float that somebody wrote, rather than the fit of a function."""
_FLOATS: Final = ("0f", "0F", "0d", "0D")
"""Prefixes of floats; each is also a zero without its trailing zeros."""
BIT_PREFIXES: Final = ("0x", "0X", "0b", "0B")
"""Prefixes of integers that are written as bits."""
_LEADING: Final = "0xXbB"
_SUFFIX: Final = "U"
_NUMERIC: Final = ("signed", "unsigned")
_NEAR: Final = 8
"""Number of lines above a hint in which the same hint is not repeated."""
_MIN_ONES: Final = 8
"""Minimum number of adjacent ones in a mask."""
_MAX_SHOWN: Final = 5
"""Maximum number of digits of an integer that is clearer in decimal than in bits."""
_MAX_NAME: Final = 24
"""Maximum length of a name of a special register in CUDA C++ that is shown in a line."""
_NUMBERS: Final = LazyPattern(
    r"(?<![\w.])[-+]?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|inf(?:inity)?)(?!\w)", re.ASCII | re.IGNORECASE
).findall
_TOLERANCE: Final = 1e-6
_LETTER: Final = 1
_TYPES_BY_PREFIX: Final = {
    "%p": ".pred",
    "%rs": ".b16",
    "%h": ".f16",
    "%hh": ".f16x2",
    "%r": ".b32",
    "%f": ".f32",
    "%rd": ".b64",
    "%fd": ".f64",
    "%rq": ".b128",
}
"""The types of the registers that nvcc and other compilers give these names."""
_DIGITS: Final = "0123456789"


def is_plain_integer(word: str, shown: str, type_: str) -> bool:
    """Whether the decimal form of an integer, `shown`, says nothing new.

    `type_`: that of the operand or variable; "" for the offset of an address. The digits of an
    integer that is a pattern of bits, such as a mask or a hash, are clearer as they are written.
    """
    value = integer(word) or 0
    if shown.isdecimal() and _is_mask(value):
        return True
    is_power = value & (value - 1) == 0
    if word[:2] in BIT_PREFIXES and len(shown.lstrip("-")) > _MAX_SHOWN and not is_power:
        return True
    if word.lstrip(_LEADING).rstrip(_SUFFIX) == shown.lstrip("0"):
        return True
    return bool(type_) and isa.database().type_facts.get(type_, (0, ""))[1] not in _NUMERIC


def _is_mask(value: int) -> bool:
    """Whether a number selects adjacent bits, as `0xFF00` does."""
    n_zeros = (value & -value).bit_length() - 1
    ones = value.bit_count()
    return ones >= _MIN_ONES and value.bit_length() == n_zeros + ones


def is_repeated(word: str, lines: Sequence[str], line: int) -> bool:
    """Whether one of the lines above a line has the same float, and therefore the same hint."""
    near = lines[max(line - _NEAR, 0) : line]
    return word.startswith(_FLOATS) and any(word in each for each in near)


def is_named_near(register: str, lines: Sequence[str], position: Position) -> bool:
    """Whether the text a little before a position names a special register.

    A name in CUDA C++ for one component of a vector also explains the others.
    """
    line = position.line
    before = lines[line][: position.column].rpartition(register)[0]
    near = (*lines[max(line - _NEAR, 0) : line], before)
    return any(has_name(each, register) for each in near)


def is_told(word: str, shown: str, line: str) -> bool:
    """Whether a comment on the line of a word contains its hint `shown`, or its value."""
    if "//" not in line and "/*" not in line:
        return False
    said = " ".join(line[start:end] for start, end in comments(line)).lower()
    value = number(word)
    if value is not None and any(
        isclose(value, float(each), rel_tol=_TOLERANCE) for each in _NUMBERS(said)
    ):
        return True
    return re.search(rf"(?<![\w.]){re.escape(shown.lower())}(?!\.?\w)", said) is not None


def is_plain_register(register: str, cuda: str, destinations: Sequence[str]) -> bool:
    """Whether the name of a special register in CUDA C++ says nothing new, or is too long.

    It says nothing if it is the register's own, as that of `%clock` is, or if the register that
    receives the value is named after it.
    """
    own = register.removeprefix("%")
    if len(cuda) > _MAX_NAME or cuda.removesuffix("()") == own:
        return True
    names = [each.lower() for each in destinations]
    return any(each in name for name in names for each in (own, cuda.lower()))


def is_plain_float(word: str, shown: str) -> bool:
    """Whether the decimal form of a float says nothing: it is 0, or a coefficient of many digits.

    Series of such coefficients are a third of the lines of a mathematical function.
    """
    if word.rstrip("0") in _FLOATS:
        return True
    return sum(map(str.isdecimal, shown.partition("e")[0].lstrip("-0."))) > _MAX_DIGITS


@lru_cache(maxsize=1 << 13)
def is_plain_type(register: str, declared: str, opcode: str) -> bool:
    """Whether the name of a register, or an opcode that writes it, says its declared type."""
    if declared in ("", UNKNOWN_TYPE):
        return True
    usual = _TYPES_BY_PREFIX.get(register.rstrip(_DIGITS))
    used = {*isa.split_modifiers(opcode)[1]}
    return any(_is_like(declared, each) for each in (used if usual is None else {usual, *used}))


def is_plain_operand(name: str) -> bool:
    """Whether the manual's name of an operand is a letter, which only says its place."""
    return len(name) <= _LETTER


def _is_like(declared: str, used: str) -> bool:
    """Whether a type is as wide as the declared type, and a float if that is."""
    if declared == used:
        return True
    facts = isa.database().type_facts
    if declared not in facts or used not in facts or facts[declared][0] != facts[used][0]:
        return False
    is_float = class_of_type(declared) is TokenTrait.FLOAT
    return not is_float or class_of_type(used) is TokenTrait.FLOAT
