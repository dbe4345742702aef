"""Lists and plurals in sentences: `a, b or c`, `3 copies`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_ALTERNATIVES: Final = 6
"""Maximum number of alternatives that a message names."""


def listed(parts: Iterable[str], joint: str = "or") -> str:
    """Returns `a, b or c`; "" for no parts."""
    *most, last = [*parts] or [""]
    return f"{', '.join(most)} {joint} {last}" if most else last


def either(parts: Sequence[str]) -> str:
    """Returns `a, b or c`; a long list is cut."""
    if len(parts) > MAX_ALTERNATIVES:
        return ", ".join(parts[:MAX_ALTERNATIVES]) + " …"
    return listed(parts)


def inflected(noun: str, number: int, plural: str = "") -> str:
    """Returns the singular of a noun for the number 1, and else its plural."""
    return noun if number == 1 else plural or f"{noun}s"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Returns a number with a noun: `1 copy`, `7 copies`."""
    return f"{number:,} {inflected(noun, number, plural)}"
