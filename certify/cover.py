"""Chooses samples that leave nothing out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def covering_first(
    items: Iterable[Item], features: Callable[[Item], Iterable[Hashable]]
) -> tuple[list[Item], list[Item]]:
    """Splits items into those that showed a feature first, in order, and all others."""
    seen: set[Hashable] = set()
    first: list[Item] = []
    rest: list[Item] = []
    for item in items:
        own = set(features(item))
        if own <= seen:
            rest.append(item)
        else:
            first.append(item)
            seen |= own
    return first, rest


def in_turn(groups: Sequence[Sequence[Item]]) -> list[Item]:
    """One item of each group, then the second of each, and so on."""
    longest = max(map(len, groups), default=0)
    return [group[index] for index in range(longest) for group in groups if index < len(group)]
