"""Makes text of a document safe to show: no character affects how others are shown.

Escape sequences move the cursor of a terminal and set its title; marks for text that runs from
right to left make a name look like another one.
"""

from __future__ import annotations


def printable(text: str, kept: str = "\t\n") -> str:
    r"""Escapes invisible and control characters, as `\x1b`, except those in `kept`."""
    if text.isprintable():
        return text
    rest = text
    for each in kept:
        rest = rest.replace(each, "")
    if rest.isprintable():
        return text
    return "".join(it if it.isprintable() or it in kept else _escape(it) for it in text)


def on_one_line(text: str) -> str:
    """Escapes text as `printable` does, and replaces line ends and tabs with spaces."""
    if text.isprintable():
        return text
    return printable(text.replace("\r\n", " ").translate(_BLANKS), kept="")


def without_links(text: str) -> str:
    """Breaks links in a message; a click on `[x](command:...)` would run a command in VS Code."""
    return printable(text).replace("](", "] (")


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


_BLANKS = str.maketrans("\r\n\t", "   ")
