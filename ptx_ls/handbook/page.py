"""Entries of the handbook, and the parts of their pages: for Markdown, a terminal, a web view.

Texts are one paragraph with inline Markdown: code in backquotes, `**bold**`, `[text](target)`.
A target without a scheme is a page, such as `add` or `special-registers#tid`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Heading:
    """A title of a part of the page; level 2 is directly below the page's title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """Paragraphs, lists and tables in Markdown, as in the data."""

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


@dataclass(frozen=True, slots=True)
class Entry:
    """Everything that the handbook has about a name.

    `kind` is `instruction`, `special register`, `predefined name`, `directive`, `pragma`, `type`,
    `state space`, `chapter`, `version`, `target` or `modifier`. `facts` is a dataclass or a
    dictionary; the names of its fields are the keys of the JSON output.
    """

    kind: str
    name: str
    summary: str
    facts: object
    page: Page

    def as_data(self) -> dict[str, Any]:
        """Returns the facts as values that JSON can represent."""
        data = plain(self.facts)
        return {"kind": self.kind, **data}


def plain(value: object) -> Any:  # noqa: ANN401  # JSON is of any type
    """Converts dataclasses and named tuples to dictionaries, other tuples to lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list, set, frozenset)):
        return [plain(each) for each in value]
    return value
