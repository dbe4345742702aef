"""Compares names with what is typed: all of a name, a prefix, a part, or some letters in order."""

from __future__ import annotations

from typing import Final

EXACT: Final = 0
_PREFIX: Final = 1
_WORD: Final = 2
_PART: Final = 3
_LETTERS: Final = 4
"""Levels of how well a name matches, best first."""


class SymbolQuery:
    """A case-insensitive search for names.

    Words are separated by spaces, and all of them have to match. An empty query matches every name.
    """

    def __init__(self, query: str) -> None:
        self._words = query.casefold().split()

    def rank(self, *names: str) -> int | None:
        """Returns the best rank among some names (lower is better); None if none matches."""
        ranks = (self._rank(name.casefold()) for name in names if name)
        return min((rank for rank in ranks if rank is not None), default=None)

    def _rank(self, name: str) -> int | None:
        worst = EXACT
        for word in self._words:
            rank = _fit(word, name)
            if rank is None:
                return None
            worst = max(worst, rank)
        return worst


def _fit(word: str, name: str) -> int | None:
    if name.startswith(word):
        return EXACT if len(name) == len(word) else _PREFIX
    at = name.find(word)
    if at < 0:
        return _LETTERS if _has_in_order(word, name) else None
    while at >= 0 and name[at - 1].isalnum():
        at = name.find(word, at + 1)
    return _PART if at < 0 else _WORD


def _has_in_order(letters: str, name: str) -> bool:
    at = 0
    for letter in letters:
        at = name.find(letter, at) + 1
        if not at:
            return False
    return True
