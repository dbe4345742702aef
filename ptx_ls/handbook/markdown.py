"""Pages as Markdown files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ptx_ls.handbook.page import Block, Bullets, Code, Heading, Page, Table, TableOfContents, Text
from ptx_ls.source.site import SITE

_LINK: Final = re.compile(r"\]\(([\w./%-]+)((?:#[^)]*)?)\)")
_TO_OTHER_FOLDERS: Final = re.compile(r"\]\(\.\./([\w./-]+)\.md((?:#[^)]*)?)\)")
_TO_OTHER_PAGES: Final = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")
_NOT_IN_SLUG: Final = re.compile(r"[^\w\- ]")


def markdown(page: Page) -> str:
    """Returns a page as the text of a file, with links to other pages as links to files."""
    slugs = list(_slugs(page))
    parts = [f"# {page.title}"]
    for index, block in enumerate(page.blocks):
        if isinstance(block, TableOfContents):
            parts.append(_contents(page.blocks, slugs, index, block))
        else:
            parts.append(block_markdown(block))
    return _LINK.sub(r"](\1.md\2)", "\n\n".join(filter(None, parts))) + "\n"


def with_site_links(text: str) -> str:
    """Returns pages with links to pages in other folders as links to the site."""
    return _TO_OTHER_FOLDERS.sub(
        lambda found: f"]({SITE}/{found[1].removesuffix('README')}{found[2]})", text
    )


def without_page_links(text: str) -> str:
    """Returns pages with links to other pages as text, as these lead nowhere from a page alone."""
    return _TO_OTHER_PAGES.sub(r"\1", text)


def pages_markdown(pages: Iterable[Page]) -> str:
    """Returns pages as one text, with rules between them and without links to other pages."""
    return "\n---\n\n".join([without_page_links(markdown(each)) for each in pages])


def block_markdown(block: Block) -> str:
    """Returns a block by itself; "" for a table of contents, which needs its page."""
    match block:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Text(text):
            return text.strip()
        case Code(text, language):
            return fenced(text, language)
        case Bullets(items):
            return "\n".join(f"- {item}" for item in items)
        case Table(header, rows):
            return table(header, rows)
        case TableOfContents():
            return ""


def _contents(
    blocks: Sequence[Block], slugs: Sequence[str], index: int, block: TableOfContents
) -> str:
    return "\n".join(
        f"{'  ' * (heading.level - block.first)}- [{_without_links(heading.text)}](#{slugs[at]})"
        for at, heading in _following(blocks, index, block)
    )


def fenced(text: str, language: str) -> str:
    """Returns a fenced block."""
    return f"```{language}\n{text.strip(chr(10))}\n```"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table; cells are Markdown on one line."""
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _following(
    blocks: Sequence[Block], index: int, contents: TableOfContents
) -> Iterator[tuple[int, Heading]]:
    for at in range(index + 1, len(blocks)):
        block = blocks[at]
        if isinstance(block, Heading):
            if block.level < contents.first:
                return
            if block.level <= contents.last:
                yield at, block


def _slugs(page: Page) -> Iterator[str]:
    """Yields the anchor that GitHub gives each heading; "" for other blocks."""
    seen: dict[str, int] = {slug(page.title): 0}
    for block in page.blocks:
        if not isinstance(block, Heading):
            yield ""
            continue
        text = slug(block.text)
        number = seen.get(text, -1) + 1
        seen[text] = number
        yield f"{text}-{number}" if number else text


def slug(text: str) -> str:
    """Returns the anchor of a heading, as GitHub and most other sites make it."""
    return _NOT_IN_SLUG.sub("", _without_links(text).strip().lower()).replace(" ", "-")


def _without_links(text: str) -> str:
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
