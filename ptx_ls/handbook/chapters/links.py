"""Links from instructions and directives to the chapters that explain them."""

from __future__ import annotations

from collections.abc import Sequence

from ptx_ls.isa import database
from ptx_ls.isa.chapters import explaining
from ptx_ls.source.site import SITE


def chapter_links(name: str, modifiers: Sequence[str] | None = None) -> list[str]:
    """Returns links to the chapters about an instruction or a directive, for its page."""
    found = explaining(database().chapters, name, modifiers)
    return [f"[{each.title}]({each.name})" for each in found]


def with_chapters(source: str, name: str, modifiers: Sequence[str] | None = None) -> str:
    """Returns the last line of a hover: its source in the manual, and the chapters on the site."""
    found = explaining(database().chapters, name, modifiers)
    links = (f"[{each.title}]({SITE}/isa/{each.name})" for each in found)
    return " · ".join(filter(None, (source, *links)))
