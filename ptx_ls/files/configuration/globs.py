"""The patterns of an `.editorconfig`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.files.configuration.matching import (
    ANY_FOLDERS,
    NOT_A_SLASH,
    NOTHING,
    SLASH,
    Move,
    OneCharacter,
    Step,
    between,
    literal,
)
from ptx_ls.source.patterns import LazyPattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.files.configuration.matching import MatchedPath

_RANGE: Final = LazyPattern(r"\{([+-]?[0-9]{1,9})\.\.([+-]?[0-9]{1,9})\}")
_ANY_FOLDERS: Final = "**/"
_BRACES: Final = "{,}"


class Glob:
    """A pattern of an `.editorconfig`.

    `*` is any text without a slash, `**` any text, `?` a character except a slash, `[a-z]` one of
    some characters, `[!a-z]` another one, `{a,b}` one of some texts, `{-1..20}` a number. A
    backslash makes the next character an ordinary one. A pattern without a slash is about names
    in all folders.
    """

    def __init__(self, pattern: str) -> None:
        start = "/" if "/" in pattern else f"/{_ANY_FOLDERS}"
        self._steps = _with_alternatives([*_steps(start + pattern.removeprefix("/"))])

    def matches(self, path: MatchedPath) -> bool:
        """Whether it matches a path that begins with a slash, at the folder of the pattern."""
        return path.has(self._steps)


def _steps(pattern: str) -> Iterator[Step | str]:
    """Yields the steps of a pattern; braces and commas as they are."""
    place = unclosed_until = 0
    while place < len(pattern):
        character, place = pattern[place], place + 1
        if character == "\\" and place < len(pattern):
            yield literal(pattern[place])
            place += 1
        elif character == "/":
            yield SLASH
            after = _after(pattern, place, _ANY_FOLDERS)
            yield from ANY_FOLDERS if after > place else ()
            place = after
        elif character == "*":
            after = _after(pattern, place, "*")
            yield Move.ANYWHERE if after > place else Move.IN_NAME
            place = after
        elif character == "?":
            yield NOT_A_SLASH
        elif character == "[" and place > unclosed_until:
            step, place, is_closed = _characters(pattern, place)
            if not is_closed:  # nor are brackets between here and the next slash
                unclosed_until = _next_slash(pattern, place)
            yield step
        elif character == "{" and (numbers := _RANGE.match(pattern, place - 1)):
            yield from _numbers(int(numbers[1]), int(numbers[2]))
            place = numbers.end()
        else:
            yield character if character in _BRACES else literal(character)


def _with_alternatives(steps: Sequence[Step | str]) -> tuple[Step, ...]:
    """Returns the steps in which braces around a comma are alternatives, and others characters.

    No braces are alternatives if any are not paired.
    """
    marks: dict[int, Move] = {}
    opened: list[list[int]] = []
    for place, step in enumerate(steps):
        if step == "{":
            opened.append([place])
        elif step == "," and opened:
            opened[-1].append(place)
        elif step == "}":
            if not opened:
                return _plain(steps)
            start, *commas = opened.pop()
            if commas:
                marks[start], marks[place] = Move.OPEN, Move.CLOSE
                marks.update(dict.fromkeys(commas, Move.OR))
    if opened:
        return _plain(steps)
    return _plain(marks.get(place, step) for place, step in enumerate(steps))


def _plain(steps: Iterable[Step | str]) -> tuple[Step, ...]:
    return tuple([literal(each) if isinstance(each, str) else each for each in steps])


def _after(pattern: str, place: int, part: str) -> int:
    """Returns the place after all repetitions of a part."""
    while pattern.startswith(part, place):
        place += len(part)
    return place


def _next_slash(pattern: str, place: int) -> int:
    """Returns the place of the next slash, or the end."""
    found = pattern.find("/", place)
    return found if found >= 0 else len(pattern)


def _characters(pattern: str, place: int) -> tuple[OneCharacter, int, bool]:
    """Returns the step of `[...]`, the place after it, and whether it is closed.

    `place` is after the first bracket, which is a character if the next slash comes before `]`.
    """
    plain = literal("["), place, False
    is_negated = pattern.startswith(("!", "^"), place)
    place += is_negated
    ranges: list[tuple[str, str]] = []
    while place < len(pattern):
        if pattern[place] == "]" and ranges:
            return OneCharacter(tuple(ranges), is_negated), place + 1, True
        least, place = _character(pattern, place)
        most = least
        if pattern.startswith("-", place) and not pattern.startswith("-]", place):
            most, place = _character(pattern, place + 1)
        if "/" in (least, most):
            return plain
        ranges.append((least, most))
    return plain


def _character(pattern: str, place: int) -> tuple[str, int]:
    """Returns the character at a place in brackets, and the place after it; "/" at the end."""
    place += pattern.startswith("\\", place)
    return pattern[place : place + 1] or "/", place + 1


def _numbers(least: int, most: int) -> Iterator[Step]:
    """Yields steps over a number in a range, which has no zeros at its start."""
    yield from (Move.OPEN, Move.OPEN, literal("+"), Move.OR, Move.CLOSE)
    yield from _one_of(_digits(max(least, 0), most))
    yield from (Move.OR, literal("-"))
    yield from _one_of(_digits(max(-most, 1), -least))
    yield Move.CLOSE


def _one_of(alternatives: Iterable[Iterable[Step]]) -> Iterator[Step]:
    yield Move.OPEN
    for each in alternatives:
        yield from each
        yield Move.OR
    yield from (NOTHING, Move.CLOSE)


def _digits(least: int, most: int) -> Iterator[list[Step]]:
    """Yields steps over the digits of the numbers in a range, none of which is negative."""
    while least <= most:
        n_free = 0
        while least and not least % 10 ** (n_free + 1) and least + 10 ** (n_free + 1) - 1 <= most:
            n_free += 1
        size = 10**n_free
        first = least // size % 10
        n_blocks = min(10 - first, (most - least + 1) // size) if least else 1
        fixed = map(literal, str(least // size)[:-1])
        last = between(str(first), str(first + n_blocks - 1))
        yield [*fixed, last, *[between("0", "9")] * n_free]
        least += n_blocks * size
