"""Phrases of all pages: code, capitals, and words for the roles of operands."""

from __future__ import annotations

from typing import Final

from ptx_ls.syntax.literals import integer

ROLE_WORDS: Final = {
    "read": "read",
    "write": "written",
    "readwrite": "read and written",
    "address": "address",
}


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
