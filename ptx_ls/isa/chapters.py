"""Chapters of the manual in our own words: the memory model, swizzling, the ABI, ...

The texts are in `data/chapters/NAME.toml`. A chapter names the instructions and directives that it
explains; with modifiers, `ld.acquire`, it explains only those that have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ptx_ls.source.named_tuple import NamedTuple


class ChapterPart(NamedTuple):
    """A part of a chapter with its heading.

    Attributes:
        title: the heading.
        text: Markdown.
        threads: the PTX of each thread of a litmus test.
        outcome: what may be seen at the end of the litmus test.
        figures: pictures and tables that are computed: a kind and its arguments.
        note: Markdown below the figures.
    """

    title: str
    text: str = ""
    threads: tuple[str, ...] = ()
    outcome: str = ""
    figures: tuple[str, ...] = ()
    note: str = ""


class Chapter(NamedTuple):
    """A chapter. `explains` has the instructions and directives whose pages link to it."""

    name: str
    title: str
    summary: str
    sections: tuple[str, ...]
    explains: tuple[str, ...]
    parts: tuple[ChapterPart, ...]


def read_chapters(raw: Mapping[str, Any]) -> dict[str, Chapter]:
    """Returns the chapters of the data by name."""
    return {entry["name"]: _chapter(**entry) for entry in raw["chapter"]}


def explaining(
    chapters: Mapping[str, Chapter], name: str, modifiers: Sequence[str] | None = None
) -> Iterator[Chapter]:
    """Yields the chapters about an instruction with these modifiers, or about a directive.

    Without `modifiers`, yields the chapters about any form of the instruction.
    """
    given = None if modifiers is None else {each.removeprefix(".") for each in modifiers}
    for chapter in chapters.values():
        for each in chapter.explains:
            opcode, *needed = [each] if each.startswith(".") else each.split(".")
            if opcode == name and (given is None or given.issuperset(needed)):
                yield chapter
                break


def _chapter(
    name: str,
    title: str,
    summary: str,
    sections: Sequence[str],
    explains: Sequence[str],
    part: Sequence[Mapping[str, Any]],
) -> Chapter:
    parts = tuple(
        ChapterPart(
            each["title"],
            each.get("text", "").strip(),
            tuple(each.get("threads", ())),
            each.get("outcome", ""),
            tuple(each.get("figures", ())),
            each.get("note", "").strip(),
        )
        for each in part
    )
    return Chapter(name, title, summary, tuple(sections), tuple(explains), parts)
