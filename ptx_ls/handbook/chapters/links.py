"""Links from instructions and directives to the chapters that explain them."""

from __future__ import annotations

from collections.abc import Sequence

from ptx_ls.isa import database
from ptx_ls.isa.chapters import Chapter, explaining
from ptx_ls.source.site import SITE


def chapter_links(name: str, modifiers: Sequence[str] | None = None) -> list[str]:
    """Returns links to the chapters about an instruction or a directive, for its page."""
    found = explaining(database().chapters, name, modifiers)
    return [f"[{each.title}]({each.name})" for each in found]


def links_to(*names: str) -> list[str]:
    """Returns links to chapters on the site, by their names."""
    chapters = database().chapters
    return [_on_site(chapters[name]) for name in names]


def _on_site(chapter: Chapter) -> str:
    return f"[{chapter.title}]({SITE}/isa/{chapter.name})"


def with_chapters(source: str, name: str, modifiers: Sequence[str] | None = None) -> str:
    """Returns the last line of a hover: its source in the manual, and the chapters on the site."""
    found = explaining(database().chapters, name, modifiers)
    return " · ".join(filter(None, (source, *map(_on_site, found))))
