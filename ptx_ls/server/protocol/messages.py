"""Properties of JSON-RPC messages, and the limit of their nesting."""

from __future__ import annotations

from typing import Any, Final, TypeGuard

from cattrs import transform_error
from lsprotocol import types

Message = dict[str, Any]

VERSION: Final = "2.0"
"""The version of JSON-RPC, as in each message."""
_MAX_DEPTH: Final = 100
"""Maximum depth of nesting in a message; converting or encoding a deeper one may fail."""


def is_id(value: object) -> TypeGuard[int | str]:
    """Whether a value is valid as the id of a request."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def is_request(method: str) -> bool:
    """Whether a method of LSP is a request, which needs an id to be answered."""
    known = types.METHOD_TO_TYPES.get(method)
    return known is not None and known[1] is not None


def is_deep(message: object) -> bool:
    """Whether lists and objects are nested more than `_MAX_DEPTH` levels deep."""
    level = [message]
    for _ in range(_MAX_DEPTH):
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
    """Returns what is wrong with a message that could not be converted."""
    return "; ".join(transform_error(error, path="message"))
