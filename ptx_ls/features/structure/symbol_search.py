"""Search names as they are typed: whole, their beginning, a part, or letters in their order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

EXACT: Final = 0
_PREFIX: Final = 1
_WORD: Final = 2
_PART: Final = 3
_LETTERS: Final = 4
"""How well a name fits, best first."""


class SymbolQuery:
    """What a user types to find a name; letters of either case are the same.

    Blanks part what has to be found piece by piece. Nothing typed fits every name.
    """

    def __init__(self, query: str) -> None:
        self._parts = [_Part(part) for part in query.casefold().split()]

    def rank(self, *names: str) -> int | None:
        """How well the best of some names fits, less is better; None if none does."""
        return min(
            (rank for name in names if name and (rank := self._rank(name)) is not None),
            default=None,
        )

    def _rank(self, name: str) -> int | None:
        folded = name.casefold()
        worst = EXACT
        for part in self._parts:
            rank = part.rank(folded)
            if rank is None:
                return None
            worst = max(worst, rank)
        return worst


class _Part:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at_word: Callable[[str], object] = re.compile(
            rf"(?<![^\W_]){re.escape(text)}", re.ASCII
        ).search
        # Each gap ends at the first such letter, so that the search never goes back.
        letters = [re.escape(letter) for letter in text]
        self._in_order: Callable[[str], object] = re.compile(
            letters[0] + "".join(f"[^{letter}]*{letter}" for letter in letters[1:])
        ).search

    def rank(self, folded: str) -> int | None:
        text = self._text
        if text in folded:
            if folded.startswith(text):
                return EXACT if len(folded) == len(text) else _PREFIX
            return _WORD if self._at_word(folded) else _PART
        return _LETTERS if self._in_order(folded) else None
