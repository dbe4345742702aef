"""Finds pages by the words in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.index import index
from ptx_ls.handbook.lookup import describe
from ptx_ls.handbook.markdown import markdown, without_page_links
from ptx_ls.handbook.page import Block, Bullets, Page, Text
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MARKS: Final = " >#*|-"
"""Characters around the text of a line of Markdown."""
_HEADING: Final = "#"
_FENCE: Final = "```"
_ITEM: Final = "- "
_MAX_LISTED: Final = 50
"""Maximum number of pages in a list."""
_MAX_LINE_WIDTH: Final = 100
"""Maximum number of characters shown of the line of a page."""


class Searched(NamedTuple):
    """A page to search: its name, a short text that says what it is, and its text."""

    name: str
    kind: str
    text: str


class Hit(NamedTuple):
    """A page that has the words.

    Attributes:
        name: of the page.
        kind: what the page is about.
        line: the first sentence or line with all words, or with the first one.
    """

    name: str
    kind: str
    line: str


def pages() -> Iterator[Searched]:
    """Yields the pages on everything in the instruction set."""
    for each in index():
        for entry in describe(each.name):
            yield Searched(each.name, each.category, without_page_links(markdown(entry.page)))


def found(words: str, searched: Iterable[Searched]) -> list[Hit]:
    """Returns the pages that have all words, in any case and as parts of words.

    Pages with the words in their title come first, then those with them side by side in a heading,
    side by side or apart in a line, then those that have them most often.
    """
    wanted = words.casefold().split()
    hits = []
    for page in searched:
        text = page.text.casefold()
        if wanted and all(word in text for word in wanted):
            line, distance = _line(page.text, wanted)
            hits.append((distance, -sum(map(text.count, wanted)), Hit(page.name, page.kind, line)))
    return [hit for *_, hit in sorted(hits)]


def hits_page(words: str, hits: list[Hit]) -> Page:
    """Returns a page with links to the pages that a search found."""
    items = [f"[`{hit.name}`]({hit.name}), {hit.kind}: {_shortened(hit.line)}" for hit in hits]
    n_more = len(items) - _MAX_LISTED
    blocks: list[Block] = [Bullets(tuple(items[:_MAX_LISTED]))]
    if n_more > 0:
        blocks.append(Text(f"{n_more} more pages contain these words."))
    return Page(f"Pages that contain {code(words)}", tuple(blocks))


def _shortened(line: str) -> str:
    """Returns the beginning of a line of Markdown, with all of its code closed."""
    line = line.replace(" | ", " \N{MIDDLE DOT} ")  # cells of a table
    if len(line) <= _MAX_LINE_WIDTH:
        return line
    text = line[:_MAX_LINE_WIDTH].rstrip()
    return f"{text}{'`' * (text.count('`') % 2)}\N{HORIZONTAL ELLIPSIS}"


def _line(text: str, words: list[str]) -> tuple[str, int]:
    """Returns the first sentence with the words side by side, or with all, or with the first one.

    A title with the words is before a heading with them side by side, and that before other lines.
    Also returns which of these it is, from 0 to 5.
    """
    lines = _sentences(text)
    headings = [line for line in lines if line.startswith(_HEADING)]
    phrase = [" ".join(words)]
    title = headings[:1]
    tries = (title, phrase), (title, words), (headings, phrase), (lines, phrase), (lines, words)
    for distance, (searched, parts) in enumerate((*tries, (lines, words[:1]))):
        for line in searched:
            if all(part in line.casefold() for part in parts):
                return line.strip(_MARKS), distance
    return "", len(tries) + 1


def _sentences(text: str) -> list[str]:
    """Returns headings, rows of tables, and the sentences of other text; then the lines of code."""
    found: list[str] = []
    of_code: list[str] = []
    is_code = can_continue = False
    for line in text.splitlines():
        is_text = not (is_code or line.startswith((_HEADING, "|", _FENCE)))
        if line.startswith(_FENCE):
            is_code = not is_code
        elif is_code:
            of_code.append(line)
        elif is_text and can_continue and not line.lstrip().startswith(_ITEM):
            found += _split(f"{found.pop()} {line.lstrip()}")
        else:
            found += _split(line) if is_text else [line]
        can_continue = is_text and bool(line.strip())
    return found + of_code


def _split(text: str) -> list[str]:
    """Returns the sentences of a text."""
    return text.replace(". ", ".\n").split("\n")
