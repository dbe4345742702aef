"""Finds the known name that is most similar to a mistyped one, for "did you mean"."""

from __future__ import annotations

import string
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_MAX_COMPARED_NAMES: Final = 500
"""Maximum number of names to compare; if there are more, only names one mistake away are found."""
_MAX_NAME_LENGTH: Final = 200
_MAX_MISTAKES: Final = 8
"""Maximum number of typing mistakes; more suggest another name, and take long to count."""
_TYPES: Final = "busf"
"""The letters of types that consist of a letter and a number of bits."""
_CHARACTERS: Final = string.ascii_letters + string.digits + "_$%"


def nearest(
    name: str,
    *candidates: Collection[str],
    fits: Callable[[str], bool] | None = None,
    is_crowded: bool = False,
) -> str | None:
    """Returns the nearest candidate that `fits`, or the nearest if none does; None if none is near.

    For `candidates` and `is_crowded` see `all_near`.
    """
    near = all_near(name, *candidates, is_crowded=is_crowded)
    if fits is None or len(near) < 2:  # noqa: PLR2004  nothing to choose from
        return near[0] if near else None
    return next(filter(fits, near), near[0] if near else None)


def unused_modifiers(opcode: str, modifiers: tuple[str, ...]) -> frozenset[str]:
    """Returns the modifiers that some form of an opcode takes, except those already there."""
    instruction = isa.database().instruction(opcode)
    return instruction.known.difference(modifiers) if instruction is not None else frozenset()


@lru_cache(maxsize=1024)
def near_modifiers(known: frozenset[str], found: str) -> tuple[str, ...]:
    """Returns the modifiers of `known` that look like an unknown one, the nearest first."""
    near = all_near(found, known) or sorted(it for it in known if _is_like_type(found, it))
    return tuple(near)


def _is_like_type(found: str, other: str) -> bool:
    """Whether a type has one digit too many or too few: `.b3` and `.b322` are `.b32`.

    This does not apply to counts: `.x3` is not closer to `.x32` than to other modifiers.
    """
    if found[:2] != other[:2] or found[1:2] not in _TYPES:
        return False
    are_numbers = found[2:].isdecimal() and other[2:].isdecimal()
    return are_numbers and abs(len(found) - len(other)) == 1 and mistakes(found, other, 1) == 1


def all_near(name: str, *candidates: Collection[str], is_crowded: bool = False) -> list[str]:
    """Returns the names in some collections that are near to `name`, the nearest first.

    A mistake is an extra, missing or wrong character, or a swap of neighbours. A name may have one
    for every three letters, at least one and at most `_MAX_MISTAKES`; with a single letter, only a
    swap. Ties are broken by the longer common beginning, then alphabetically. If there are many
    candidates, or with `is_crowded`, only names one mistake away are found, by looking up each
    possible mistake, which takes no longer in a large set.
    """
    lowered = name.lower()
    if lowered != name and any(lowered in part for part in candidates):
        return [lowered]
    n_letters = sum(map(str.isalpha, name))
    limit = min(max(1, n_letters // 3), _MAX_MISTAKES) if n_letters > 1 else 0
    if is_crowded or sum(map(len, candidates)) > _MAX_COMPARED_NAMES:
        limit = min(limit, 1)
        mistaken = _mistaken(name)
        names = {each for part in candidates for each in _common(mistaken, part)}
    else:
        names = set().union(*candidates)
    names.discard(name)
    letters, characters = sorted(name), _characters(name)
    found: list[tuple[int, int, str]] = []
    for other in names:
        if abs(len(other) - len(name)) > limit or _n_missing(characters, other) > limit:
            continue
        is_mixed_up = len(other) == len(name) and sorted(other) == letters
        distance = mistakes(name, other, max(limit, is_mixed_up))
        if distance <= max(limit, is_mixed_up):
            found.append((distance, -_alike(name, other), other))
    return [rank[2] for rank in sorted(found)]


def _common(names: frozenset[str], others: Collection[str]) -> AbstractSet[str]:
    """Returns the names in both collections; quick if `others` is a set."""
    return names & others if isinstance(others, AbstractSet) else names.intersection(others)


@lru_cache(maxsize=4096)
def _characters(name: str) -> int:
    """Returns the characters of a name as a bit set, in which some characters share a bit."""
    bits = 0
    for character in name:
        bits |= 1 << (ord(character) & 127)
    return bits


def _n_missing(characters: int, other: str) -> int:
    """Returns a lower bound for the number of mistakes: how many characters one name lacks."""
    others = _characters(other)
    return max((characters & ~others).bit_count(), (others & ~characters).bit_count())


def mistakes(first: str, second: str, limit: int) -> int:
    """Returns the number of typing mistakes between two names; `limit + 1` if there are more."""
    start = _alike(first, second)
    first, second = first[start:], second[start:]
    end = _alike(first[::-1], second[::-1])
    first, second = first[: len(first) - end], second[: len(second) - end]
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(second) + 1))
    for line, left in enumerate(first, 1):
        last, before, row = before, row, [line, *[limit + 1] * len(second)]
        for column in range(max(1, line - limit), min(len(second), line + limit) + 1):
            right = second[column - 1]  # in other columns there are more than `limit` mistakes
            cost = min(
                before[column] + 1, row[column - 1] + 1, before[column - 1] + (left != right)
            )
            is_swapped = (
                column > 1 and line > 1 and left == second[column - 2] and right == first[line - 2]
            )
            if is_swapped:
                cost = min(cost, last[column - 2] + 1)
            row[column] = cost
        if min(row) > limit:
            return limit + 1
    return row[-1]


@lru_cache(maxsize=2)
def _mistaken(name: str) -> frozenset[str]:
    """Returns all names that differ by one mistake; none if `name` is too long to be typed."""
    if len(name) > _MAX_NAME_LENGTH:
        return frozenset()
    cuts = [(name[:index], name[index:], name[index + 1 :]) for index in range(len(name) + 1)]
    found = {before + rest for before, _, rest in cuts}
    found.update([before + rest[:1] + after[:1] + rest[1:] for before, after, rest in cuts])
    for character in _CHARACTERS:
        found.update([f"{before}{character}{after}" for before, after, _ in cuts])
        found.update([f"{before}{character}{rest}" for before, _, rest in cuts])
    return frozenset(found)


def _alike(first: str, second: str) -> int:
    """Returns the length of the common beginning of two names."""
    length = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        length += 1
    return length
