"""Makes all Markdown for hovers, completions and hints.

Names, comments, strings and paths of a document can contain anything: an image on another machine,
a link that runs a command, HTML. So any text that is not `Markdown` yet is escaped where it is
inserted; only `own`, for texts of this package, takes a text as Markdown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.printable import on_one_line, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MARKS: Final = re.compile(
    r"(?=[\\`*_\[\]<>!|~&@])|(?=://)|(?i:(?<=www)(?=\.)|(?<=mailto)(?=:))|^( *)(?=[#+=-])"
    r"|^( *[0-9]{1,9})(?=[.)](?: |$))"
)
"""Matches before characters that Markdown reads as markup or that make an address a link."""
_TICKS: Final = re.compile(r"`+")
_ESCAPED_BAR: Final = re.compile(r"(?<=\\)\|")
_BLANKS: Final = re.compile(r"[ \t]*\n[ \t]*")
_MIN_FENCE: Final = 3
_DATA_IMAGE: Final = re.compile(r"data:image/[\w.+-]+(?:;[\w=-]+)*,[\w%./+=:;~!*'-]*", re.ASCII)


class Markdown(str):
    """Markdown that is safe to show. An f-string with it is a plain `str`, and will be escaped."""

    __slots__ = ()


def own(text: str) -> Markdown:
    """Marks text of this package, or of its data on the ISA, as Markdown."""
    return Markdown(text)


_INDENT: Final = " " * 4
"""Begins a line of an indented block of code."""
NOTHING: Final = Markdown("")
RULE: Final = Markdown("\n\n---\n\n")


def escaped(text: str) -> Markdown:
    """Escapes text, so that Markdown shows it unchanged on one line."""
    if isinstance(text, Markdown):
        return text
    shown = on_one_line(text)
    if shown.startswith(_INDENT):  # else a line of only this text would be a block of code
        shown = f" {shown.lstrip(' ')}"
    return Markdown(_MARKS.sub(r"\1\2\\", shown))


def filled(template: str, *parts: str) -> Markdown:
    """Replaces each `{}` of our own Markdown with a part."""
    return Markdown(template.format(*map(escaped, parts)))


def joined(separator: str, parts: Iterable[str]) -> Markdown:
    """Joins parts with our own Markdown between them."""
    return Markdown(separator.join(map(escaped, parts)))


def sentence(text: str) -> Markdown:
    """Returns a phrase as a sentence, with a capital letter and a full stop; "" for none."""
    shown = escaped(text)
    return Markdown(f"{shown[0].upper()}{shown[1:]}.") if shown else NOTHING


def quoted(text: str) -> Markdown:
    """Returns a message as Markdown; text in backquotes becomes inline code."""
    parts = text.split("`")
    is_paired = len(parts) % 2 == 1
    return joined("", (code(it) if n % 2 and is_paired else it for n, it in enumerate(parts)))


def code(text: str) -> Markdown:
    """Returns inline code, in a fence longer than any run of backquotes in it."""
    shown = on_one_line(text)
    if "`" not in shown:
        return Markdown(f"`{shown}`" if shown.strip() else "")
    fence = "`" * (1 + max(map(len, _TICKS.findall(shown))))
    fence = fence if len(fence) > 1 else "``"
    return Markdown(f"{fence} {shown} {fence}")


def block(text: str, language: str = "ptx") -> Markdown:
    """Returns a fenced block, whose fence is longer than any run of backquotes in it."""
    shown = printable(text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    longest = max(map(len, _TICKS.findall(shown))) if "`" in shown else 0
    fence = "`" * max(_MIN_FENCE, longest + 1)
    return Markdown(f"{fence}{language}\n{shown}\n{fence}")


def image(title: str, uri: str) -> Markdown:
    """Returns an image in a `data:` URI; "" for any other URI."""
    return Markdown(f"![{escaped(title)}]({uri})") if _DATA_IMAGE.fullmatch(uri) else NOTHING


def link(title: Markdown, address: str) -> Markdown:
    """Makes a link to a web page of ours."""
    return Markdown(f"[{title}]({address})")


def bullets(items: Iterable[str]) -> Markdown:
    """Returns a list of the items that are not empty."""
    return Markdown("\n".join(f"- {escaped(item)}" for item in items if item))


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Markdown:
    """Returns a table; "" without rows. Its columns are aligned for clients that show its text."""
    lines: list[list[str]] = [[*map(escaped, header)], *([*map(_cell, row)] for row in rows)]
    if len(lines) == 1:
        return NOTHING
    widths = [max(3, *map(_shown_width, column)) for column in zip(*lines, strict=True)]
    padded = [
        "| " + " | ".join(_padded(*each) for each in zip(line, widths, strict=True)) + " |"
        for line in (lines[0], ["-" * width for width in widths], *lines[1:])
    ]
    return Markdown("\n".join(padded))


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _shown_width(cell))


def _shown_width(cell: str) -> int:
    """Returns the number of characters of a cell without the marks that editors hide."""
    return len(cell) - cell.count("`") - 2 * cell.count("**")


def _cell(text: str) -> str:
    """Returns a cell on one line; each `|` is escaped, after a space if it follows a backslash."""
    if not isinstance(text, Markdown):
        return escaped(text)
    shown = _BLANKS.sub(" ", text) if "\n" in text else text
    return _ESCAPED_BAR.sub(" |", shown).replace("|", "\\|") if "|" in shown else shown


def paragraphs(*parts: str) -> Markdown:
    """Joins the parts that are not empty with a blank line between them."""
    shown = (escaped(part).strip() for part in parts if part)
    return Markdown("\n\n".join(filter(None, shown)))
