"""Shortens vectors of many registers: `{%r1 … %r128}`."""

from __future__ import annotations

import re
from typing import Final

_MAX_ELEMENTS: Final = 8
"""Maximum number of elements of a vector that are all shown."""
_NUMBERED: Final = re.compile(r"(.*?)(0|[1-9][0-9]*)").fullmatch


def shortened_vector(text: str) -> str:
    """Returns a vector with the first and the last of its elements, if it has many.

    Elements with consecutive numbers are a range; of others, the number of elements is shown.
    """
    elements = [each.strip() for each in text.strip("{} ").split(",")]
    if len(elements) <= _MAX_ELEMENTS or "{" in text[1:]:
        return text
    first, last = elements[0], elements[-1]
    if _are_consecutive(elements):
        return f"{{{first} … {last}}}"
    return f"{{{first}, {elements[1]}, …, {last}: {len(elements)} registers}}"


def _are_consecutive(elements: list[str]) -> bool:
    start = _NUMBERED(elements[0])
    if start is None:
        return False
    head, number = start[1], int(start[2])
    return elements == [f"{head}{number + index}" for index in range(len(elements))]
