"""Reads Markdown as editors show it."""

from __future__ import annotations

from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

_COMMON = MarkdownIt("commonmark").enable("table")
_TEXT = frozenset({"text", "code_inline", "code_block", "fence"})
_ACTING = frozenset({"image", "html_inline", "html_block", "link_open"})


def things_that_act(markdown: str) -> list[str]:
    """Returns the images, links and HTML in Markdown, which may load or run something.

    Also returns its control characters.
    """
    found = []
    for token in _tokens(markdown):
        if token.type in _ACTING:
            target = token.attrs.get("href") or token.attrs.get("src") or token.content
            found.append(f"{token.type}: {target}")
        found += [f"U+{ord(it):04X}" for it in token.content if _acts(it)]
    return found


def shown_text(markdown: str) -> str:
    """Returns the text that a reader sees."""
    return "\n".join(token.content for token in _tokens(markdown) if token.type in _TEXT)


def _acts(character: str) -> bool:
    return not character.isprintable() and character not in "\t\n"


def _tokens(markdown: str) -> Iterator[Token]:
    for token in _COMMON.parse(markdown):
        if token.type != "inline":
            yield token
        yield from token.children or ()
