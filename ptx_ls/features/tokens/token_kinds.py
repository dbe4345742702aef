"""Kinds and traits of tokens, and styles.

A style is a number: a `TokenKind` in the low bits, with `TokenTrait`s above. Styles are compared
and kept by the thousand, so they are not objects.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag, auto
from typing import Final


class TokenKind(IntEnum):
    """The kind of a token."""

    OPCODE = 0
    MODIFIER = auto()
    TYPE = auto()
    STATE_SPACE = auto()
    DIRECTIVE = auto()
    REGISTER = auto()
    SPECIAL_REGISTER = auto()
    LABEL = auto()
    KERNEL = auto()
    FUNCTION = auto()
    PARAMETER = auto()
    VARIABLE = auto()
    CONSTANT = auto()
    """A word with a fixed value: a target, `WARP_SZ`."""
    NUMBER = auto()
    STRING = auto()
    COMMENT = auto()


class TokenTrait(IntFlag):
    """Further properties of a token."""

    DECLARATION = auto()
    DEFINITION = auto()
    READONLY = auto()
    DEPRECATED = auto()
    WRITTEN = auto()
    PREDEFINED = auto()
    CONTROL_FLOW = auto()
    MEMORY = auto()
    ARITHMETIC = auto()
    LOGIC = auto()
    COMPARISON = auto()
    CONVERSION = auto()
    DATA_MOVEMENT = auto()
    SYNCHRONIZATION = auto()
    MATRIX = auto()
    TEXTURE = auto()
    VIDEO = auto()
    INTEGER = auto()
    FLOAT = auto()
    PREDICATE = auto()
    ADDRESS = auto()
    GUARD = auto()
    UNREACHABLE = auto()


UNKNOWN: Final = -1
"""The style of a name that nothing declares."""
_SHIFT: Final = 8
_KIND: Final = (1 << _SHIFT) - 1
_CLASSES: Final = int(TokenTrait.INTEGER | TokenTrait.FLOAT | TokenTrait.PREDICATE)
_ADDRESS: Final = int(TokenTrait.ADDRESS)
_REGISTER: Final = int(TokenKind.REGISTER)
_NO_TRAIT: Final = TokenTrait(0)


def style(kind: TokenKind, traits: TokenTrait = _NO_TRAIT) -> int:
    """Returns the style of a kind with traits."""
    return int(kind) | int(traits) << _SHIFT


def joined(found: int, default: int, always: int, by_type: int) -> tuple[int, int]:
    """Returns kind and traits of a name, from its style and from its use in an instruction."""
    kind, traits = (default, 0) if found == UNKNOWN else (found & _KIND, found >> _SHIFT)
    if kind != _REGISTER:
        return kind, traits | (always & ~_ADDRESS)
    return kind, traits | always | (0 if traits & _CLASSES else by_type)
