"""What an editor may colour: kinds of tokens, and what else is known of one."""

from __future__ import annotations

from enum import IntEnum, IntFlag, auto


class TokenKind(IntEnum):
    """What a token is."""

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
    """A word that stands for a fixed value: a target, `WARP_SZ`."""
    NUMBER = auto()
    STRING = auto()
    COMMENT = auto()


class TokenTrait(IntFlag):
    """What else is known of a token."""

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
