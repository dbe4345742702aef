"""Numbers for values that two texts share, so that sequences of values are compared as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable


class Vocabulary:
    """Gives equal values the same number, from 0."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def number(self, value: Hashable) -> int:
        """Returns the number of a value."""
        return self._numbers.setdefault(value, len(self._numbers))
