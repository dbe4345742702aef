"""What a message of JSON-RPC is made of, as far as one look tells."""

from __future__ import annotations

from typing import Final, TypeGuard

from cattrs import transform_error
from lsprotocol import types

_DEEPEST: Final = 100
"""Levels of what a client may mean; what converts or writes more of them fails somewhere."""


def is_id(value: object) -> TypeGuard[int | str]:
    """Whether a value may name a request."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def is_request(method: str) -> bool:
    """Whether a method of LSP wants an answer: without an id there is nobody to get it."""
    known = types.METHOD_TO_TYPES.get(method)
    return known is not None and known[1] is not None


def is_deep(message: object) -> bool:
    """Whether lists and objects are nested in one another beyond reason."""
    level = [message]
    for _ in range(_DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)  # type: ignore[attr-defined]
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def wording(error: Exception) -> str:
    """Says what is wrong with a message that could not be converted."""
    return "; ".join(transform_error(error, path="message"))
