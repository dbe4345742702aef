"""The patterns of a `.gitignore`, as git reads them, with all that its manual leaves out."""

from __future__ import annotations

import string
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.files.configuration.matching import (
    ANY_FOLDERS,
    NOT_A_SLASH,
    MatchedPath,
    Move,
    OneCharacter,
    Step,
    literal,
)
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPECIAL: Final = "*?[\\"
_ALL: Final = tuple(map(chr, range(128)))
_CLASSES: Final = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(it for it in _ALL if it < " " or it == "\x7f"),
    "digit": string.digits,
    "graph": "".join(it for it in _ALL if "!" <= it <= "~"),
    "lower": string.ascii_lowercase,
    "print": "".join(it for it in _ALL if " " <= it <= "~"),
    "punct": string.punctuation,
    "space": " \t\n\v\f\r",
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}


class GitPattern(NamedTuple):
    """A pattern.

    Attributes:
        is_ignored: whether paths that it matches are ignored; otherwise, they are not.
        is_for_folders: whether it matches folders only.
        is_for_names: whether it is about the last name of a path.
        start: the text before its first special character.
        end: the text after a `*`, if that is the only special character, and the first one.
        steps: the steps that match what follows `start`; None if there is nothing to match.
    """

    is_ignored: bool
    is_for_folders: bool
    is_for_names: bool
    start: str
    end: str | None = None
    steps: tuple[Step, ...] | None = None

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether it matches a path as `encoded` returns it; the folders above do not matter."""
        if self.is_for_folders and not is_folder:
            return False
        text = path[path.rfind("/") + 1 :] if self.is_for_names else path
        if not text.startswith(self.start):
            return False
        if self.end is not None:
            return text.endswith(self.end)
        if self.steps is None:
            return text == self.start
        return _matched(text[len(self.start) :]).has(self.steps)


def encoded(text: str) -> str:
    """Returns a text with a character for each byte, as git sees it."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


_matched = lru_cache(maxsize=256)(MatchedPath)


def git_pattern(line: str) -> GitPattern | None:
    """Returns the pattern on a line; None if it is empty, or matches nothing."""
    text = _without_blanks(encoded(line))
    if not text or text[0] == "#":
        return None
    is_ignored = text[0] != "!"
    text = text.removeprefix("!")
    is_for_folders = text.endswith("/")
    text = text.removesuffix("/")
    is_for_names = "/" not in text
    text = text.removeprefix("/")
    if not text:
        return None
    n_plain = next((at for at, it in enumerate(text) if it in _SPECIAL), len(text))
    made = GitPattern(is_ignored, is_for_folders, is_for_names, text[:n_plain])
    rest = text[n_plain:]
    if not rest:
        return made
    if is_for_names and not n_plain and rest[0] == "*" and not {*rest[1:]} & {*_SPECIAL}:
        return made._replace(end=rest[1:])
    steps = tuple(_steps(rest))
    if None in steps:
        return None
    return made._replace(steps=tuple([each for each in steps if each is not None]))


def _without_blanks(text: str) -> str:
    """Returns a line without the blanks at its end, except those after a backslash."""
    kept = text.rstrip(" ")
    n_backslashes = len(kept) - len(kept.rstrip("\\"))
    return text[: len(kept) + 1] if n_backslashes % 2 else kept


def _steps(pattern: str) -> Iterator[Step | None]:
    """Yields the steps of a pattern; None if it matches nothing."""
    place = 0
    while place < len(pattern):
        character, place = pattern[place], place + 1
        if character == "\\":
            yield literal(pattern[place]) if place < len(pattern) else None
            place += 1
        elif character == "?":
            yield NOT_A_SLASH
        elif character == "*":
            start = place - 1
            while pattern.startswith("*", place):
                place += 1
            begins_name = start == 0 or pattern[start - 1] == "/"
            ends_name = place == len(pattern) or pattern.startswith(("/", "\\/"), place)
            if place - start == 1 or not (begins_name and ends_name):
                yield Move.IN_NAME
            elif pattern.startswith("/", place):
                place += 1
                yield from ANY_FOLDERS
            else:
                yield Move.ANYWHERE
        elif character == "[":
            step, place = _characters(pattern, place)
            yield step
        else:
            yield literal(character)


def _characters(pattern: str, place: int) -> tuple[OneCharacter | None, int]:
    """Returns the step of `[...]` and the place after it, from that after the first bracket.

    The step is None if the bracket is not closed, or names an unknown class of characters.
    """
    failed = None, len(pattern)
    is_negated = pattern.startswith(("!", "^"), place)
    place += is_negated
    ranges: list[tuple[str, str]] = []
    least = ""
    begin = place
    while place < len(pattern) and (pattern[place] != "]" or place == begin):
        character = pattern[place]
        if character == "-" and least and pattern[place + 1 : place + 2] not in ("", "]"):
            place += 1 + pattern.startswith("\\", place + 1)
            ranges.append((least, pattern[place : place + 1]))
            least = ""
        elif pattern.startswith("[:", place) and (named := _class(pattern, place + 2)) is not None:
            name, place = named
            if name not in _CLASSES:
                return failed
            ranges += [(it, it) for it in _CLASSES[name]]
            least = ""
        else:
            place += character == "\\"
            least = pattern[place : place + 1]
            ranges.append((least, least))
        if place >= len(pattern):
            return failed
        place += 1
    if place >= len(pattern):
        return failed
    if is_negated:
        return OneCharacter((*ranges, ("/", "/")), is_negated=True), place + 1
    return OneCharacter(tuple(_without_slash(ranges))), place + 1


def _class(pattern: str, place: int) -> tuple[str, int] | None:
    """Returns the name of a class and the place of its last bracket; None if it is not one."""
    end = pattern.find("]", place)
    if end < 0:
        return "", len(pattern)
    return (pattern[place : end - 1], end) if end > place and pattern[end - 1] == ":" else None


def _without_slash(ranges: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yields ranges with the same characters except the slash."""
    for least, most in ranges:
        if least <= "/" <= most:
            yield from ((least, "."), ("0", most))
        else:
            yield least, most
