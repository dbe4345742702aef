"""Phrases of all pages: lists, code, and words for the roles of operands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ptx_ls.syntax.literals import integer

ROLE_WORDS: Final = {
    "read": "read",
    "write": "written",
    "readwrite": "read and written",
    "address": "address",
}


def listed(words: Iterable[str], last: str = "or") -> str:
    """Returns `a, b or c`."""
    parts = list(words)
    if len(parts) < 2:  # noqa: PLR2004  # nothing to join
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def capitalised(text: str) -> str:
    """Returns the text with its first letter capitalised, unless it begins with "ptxas"."""
    return text if text.startswith("ptxas ") else text[:1].upper() + text[1:]


def uncapitalised(text: str) -> str:
    """Returns the text with its first letter in lower case, unless it begins with a short form."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def code(text: str) -> str:
    """Returns inline code of Markdown."""
    return f"`{text}`"


def quantity(text: str) -> str:
    """Returns an integer literal in decimal, and any other operand as inline code."""
    value = integer(text)
    return code(text) if value is None else f"{value:,}"
