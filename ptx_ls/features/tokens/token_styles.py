"""The style of a token: a number, a `TokenKind` with `TokenTrait`s above it.

Styles are compared and kept by the thousand, so they are not objects.
"""

from __future__ import annotations

from typing import Final

from ptx_ls.features.tokens.token_kinds import TokenKind, TokenTrait

UNKNOWN: Final = -1
"""The style of a name that nothing declares."""
_SHIFT: Final = 8
_KIND: Final = (1 << _SHIFT) - 1
_CLASSES: Final = int(TokenTrait.INTEGER | TokenTrait.FLOAT | TokenTrait.PREDICATE)
_ADDRESS: Final = int(TokenTrait.ADDRESS)
_REGISTER: Final = int(TokenKind.REGISTER)
_NO_TRAIT: Final = TokenTrait(0)


def style(kind: TokenKind, traits: TokenTrait = _NO_TRAIT) -> int:
    """The style of a kind with traits."""
    return int(kind) | int(traits) << _SHIFT


def joined(found: int, default: int, always: int, by_type: int) -> tuple[int, int]:
    """Kind and traits of a name: of its style, and of what the instruction says of it."""
    kind, traits = (default, 0) if found == UNKNOWN else (found & _KIND, found >> _SHIFT)
    if kind != _REGISTER:
        return kind, traits | (always & ~_ADDRESS)
    return kind, traits | always | (0 if traits & _CLASSES else by_type)
