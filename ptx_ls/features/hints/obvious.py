"""Decides whether a hint would repeat what its line already says."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.operand_traits import class_of_type
from ptx_ls.features.tokens.token_kinds import TokenTrait
from ptx_ls.semantics.symbols.symbols import UNKNOWN_TYPE
from ptx_ls.syntax.literals import integer

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_DIGITS: Final = 6
"""Maximum number of digits of a float that somebody wrote, rather than the fit of a function."""
_FLOATS: Final = ("0f", "0F", "0d", "0D")
"""Prefixes of floats; each is also a zero without its trailing zeros."""
_LEADING: Final = "0xXbB"
_SUFFIX: Final = "U"
_NUMERIC: Final = ("signed", "unsigned")
_NEAR: Final = 8
"""Number of lines above a hint in which the same hint is not repeated."""
_MIN_ONES: Final = 8
"""Minimum number of adjacent ones in a mask."""
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
    integer that is a pattern of bits, such as a mask, are clearer as they are written.
    """
    if shown.isdecimal() and _is_mask(integer(word) or 0):
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
    return word.startswith(_FLOATS) and is_near(word, lines, line)


def is_near(text: str, lines: Sequence[str], line: int) -> bool:
    """Whether a line a little above a line contains a text."""
    return any(text in each for each in lines[max(line - _NEAR, 0) : line])


def is_plain_register(register: str, cuda: str) -> bool:
    """Whether the name of a special register in CUDA C++ is its own, as that of `%clock` is."""
    return cuda.removesuffix("()") == register.removeprefix("%")


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
