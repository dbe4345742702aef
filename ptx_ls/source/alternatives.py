"""Lists of alternatives in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_ALTERNATIVES: Final = 6
"""Maximum number of alternatives that a message names."""


def either(parts: Sequence[str]) -> str:
    """Returns `a, b or c`; a long list is cut."""
    if len(parts) > MAX_ALTERNATIVES:
        return ", ".join(parts[:MAX_ALTERNATIVES]) + " …"
    if len(parts) > 1:
        return f"{', '.join(parts[:-1])} or {parts[-1]}"
    return parts[0] if parts else ""
