"""The parts of a page, however it is shown: Markdown files, a terminal, a web view.

Texts are one paragraph with inline Markdown: code in backquotes, `**bold**`, `[text](target)`.
A target without a scheme is a page, such as `add` or `special-registers#tid`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A title of a part of the page; level 2 is directly below the page's title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """Paragraphs, lists and the like in Markdown, as in the data."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Lines of code, unchanged."""

    text: str
    language: str = "ptx"


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; a cell is one line with inline Markdown."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class TableOfContents:
    """Links to the following headings of some levels, up to the next higher one."""

    first: int
    last: int


Block = Heading | Text | Code | Bullets | Table | TableOfContents


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its title and its blocks."""

    title: str
    blocks: tuple[Block, ...]
