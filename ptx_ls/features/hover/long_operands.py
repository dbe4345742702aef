"""Shortens operands: vectors of many registers, `{%r1 … %r128}`, and long mangled names."""

from __future__ import annotations

from string import digits
from typing import Final

_MAX_ELEMENTS: Final = 8
"""Maximum number of elements of a vector that are all shown."""


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
    head = elements[0].rstrip(digits)
    number = elements[0][len(head) :]
    if not number:
        return False
    return elements == [f"{head}{int(number) + index}" for index in range(len(elements))]
