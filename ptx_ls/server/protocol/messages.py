"""Properties of JSON-RPC messages, and the limit of their nesting."""

from __future__ import annotations

from typing import Any, Final, TypeGuard

Message = dict[str, Any]

VERSION: Final = "2.0"
"""The version of JSON-RPC, as in each message."""
_MAX_DEPTH: Final = 100
"""Maximum depth of nesting in a message; converting or encoding a deeper one may fail."""


def is_id(value: object) -> TypeGuard[int | str]:
    """Whether a value is valid as the id of a request."""
    return isinstance(value, int | str) and not isinstance(value, bool)


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
