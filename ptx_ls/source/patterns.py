"""Regular expressions that are compiled on first use, because most files need only some of them."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class LazyPattern:
    """A regular expression that is compiled when it is first used.

    Python takes 0.1 to 2 ms to compile one, and a small file needs a third of them. The methods are
    those of `re.Pattern`; each call takes about 0.1 us longer, so patterns that are searched for
    every token or line are compiled on import instead.
    """

    __slots__ = ("_compiled", "_flags", "_text")

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text, self._flags = text, flags
        self._compiled: re.Pattern[str] | None = None

    def _compile(self) -> re.Pattern[str]:
        self._compiled = re.compile(self._text, self._flags)
        return self._compiled

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Returns the match that begins at `start`."""
        return (self._compiled or self._compile()).match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Returns the match from `start` to `end`."""
        return (self._compiled or self._compile()).fullmatch(text, start, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Returns the first match."""
        return (self._compiled or self._compile()).search(text, start, end)

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> Iterator[re.Match[str]]:
        """Yields all matches."""
        return (self._compiled or self._compile()).finditer(text, start, end)

    def findall(self, text: str, start: int = 0, end: int = sys.maxsize) -> list[Any]:
        """Returns the texts of all matches, or of their groups."""
        return (self._compiled or self._compile()).findall(text, start, end)

    def split(self, text: str) -> list[Any]:
        """Returns the texts between all matches, and the groups of the matches between these."""
        return (self._compiled or self._compile()).split(text)

    def sub(
        self, replacement: str | Callable[[re.Match[str]], str], text: str, count: int = 0
    ) -> str:
        """Returns the text with each match replaced."""
        return (self._compiled or self._compile()).sub(replacement, text, count)
