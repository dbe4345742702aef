"""The words of a statement, for marks on those that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.syntax.tokens import TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator


def words_of(text: str) -> list[str]:
    """Returns the tokens of a statement and the space between them; modifiers are words, too."""
    return [word for match in TOKEN.finditer(text) for word in _parts(match[0])]


def _parts(token: str) -> Iterator[str]:
    first, *others = token.split(".")
    if first:
        yield first
    yield from (f".{other}" for other in others)
