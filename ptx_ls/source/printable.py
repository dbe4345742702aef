"""Text of a document where it is shown: no character acts on what shows it.

Escape sequences move the cursor of a terminal and write its title; marks for text that runs from
right to left let a name look like another one.
"""

from __future__ import annotations


def printable(text: str, kept: str = "\t\n") -> str:
    r"""Text with what shows nothing, or acts, as an escape, `\x1b`; the characters `kept` stay."""
    if text.isprintable():
        return text
    rest = text
    for each in kept:
        rest = rest.replace(each, "")
    if rest.isprintable():
        return text
    return "".join(it if it.isprintable() or it in kept else _escape(it) for it in text)


def on_one_line(text: str) -> str:
    """The same with line ends and tabs as blanks."""
    if text.isprintable():
        return text
    return printable(text.replace("\r\n", " ").translate(_BLANKS), kept="")


def without_links(text: str) -> str:
    """A message for the user; VS Code makes a link of `[x](command:...)`, which runs a command."""
    return printable(text).replace("](", "] (")


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


_BLANKS = str.maketrans("\r\n\t", "   ")
