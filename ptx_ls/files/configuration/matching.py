"""Matches paths with compiled patterns, in time linear in the pattern and in the path.

The state of a match is the set of places in the path that the steps so far lead to, as the bits of
a number. Each step moves all places at once, so no text and no alternative is tried twice, however
the pattern is made. A pattern such as `*a*a*a*a*b` may come with a workspace: as a regular
expression, it would stop the server for minutes at a name of a hundred `a`.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class OneCharacter(NamedTuple):
    """Moves over a character in one of some ranges, or in none of them.

    A step without ranges moves over nothing, so that its pattern matches nothing.
    """

    ranges: tuple[tuple[str, str], ...]
    is_negated: bool = False

    def has(self, character: str) -> bool:
        """Whether the step moves over a character."""
        return any(least <= character <= most for least, most in self.ranges) != self.is_negated


class Move(Enum):
    """Another step."""

    IN_NAME = auto()
    """Moves over any text without a slash."""
    ANYWHERE = auto()
    """Moves over any text."""
    OPEN = auto()
    """Begins the first of some alternatives."""
    OR = auto()
    """Begins the next one."""
    CLOSE = auto()
    """Ends the last one."""


Step = OneCharacter | Move
NOTHING: Final = OneCharacter(())
NOT_A_SLASH: Final = OneCharacter((("/", "/"),), is_negated=True)


@lru_cache(maxsize=1024)
def between(least: str, most: str) -> OneCharacter:
    """Returns the step over a character in a range."""
    return OneCharacter(((least, most),))


def literal(character: str) -> OneCharacter:
    """Returns the step over a certain character."""
    return between(character, character)


SLASH: Final = literal("/")
ANY_FOLDERS: Final = (Move.OPEN, Move.ANYWHERE, SLASH, Move.OR, Move.CLOSE)
"""The steps over any number of folders, each with the slash after it."""


class MatchedPath:
    """A path that is matched with patterns; slashes separate its names."""

    def __init__(self, path: str) -> None:
        self._places: dict[str, int] = {}
        for place, character in enumerate(path):
            self._places[character] = self._places.get(character, 0) | 1 << place
        self._found: dict[OneCharacter, int] = {}
        self._end = 1 << len(path)
        self._in_names = self._before(NOT_A_SLASH)

    def has(self, steps: Iterable[Step]) -> bool:
        """Whether steps lead from the start of the path to its end."""
        reached, opened = 1, list[tuple[int, int]]()
        for step in steps:
            if isinstance(step, OneCharacter):
                reached = (reached & self._before(step)) << 1
                if not reached and not opened:
                    return False
            elif step is Move.IN_NAME:
                # The carry of the sum moves to the end of each name.
                names = self._in_names
                reached |= ((reached & names) + names) ^ names
            elif step is Move.ANYWHERE:
                reached = (2 * self._end - 1) & -(reached & -reached)
            elif step is Move.OPEN:
                opened.append((reached, 0))
            elif step is Move.OR:
                start, ends = opened.pop()
                opened.append((start, ends | reached))
                reached = start
            else:
                reached |= opened.pop()[1]
        return reached & self._end != 0

    def _before(self, step: OneCharacter) -> int:
        """Returns the places before characters that a step moves over."""
        found = self._found.get(step)
        if found is None:
            found = sum(places for it, places in self._places.items() if step.has(it))
            self._found[step] = found
        return found
