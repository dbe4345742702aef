"""Work in steps: a generator that yields every few milliseconds, and returns its result.

Who has time runs it to its end; the server lets others have their turns between the steps.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

Item = TypeVar("Item")
Result = TypeVar("Result")

_N_ITEMS: Final = 64
"""Tokens, names or the like that are looked at in one step."""


def finished(steps: Generator[None, None, Result]) -> Result:
    """Runs steps to their end and returns their result."""
    try:
        while True:
            next(steps)
    except StopIteration as done:
        result: Result = done.value
        return result


def ends_step(number: int) -> bool:
    """Whether a step ends at the item with this number, where each takes some microseconds."""
    return number % _N_ITEMS == _N_ITEMS - 1


def portions(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The items of one step after the other, where each takes some microseconds."""
    left = iter(items)
    while portion := list(islice(left, _N_ITEMS)):
        yield portion


def collected(items: Iterable[Item]) -> Generator[None, None, list[Item]]:
    """A list of items, some of them in each step."""
    found: list[Item] = []
    for portion in portions(items):
        found += portion
        yield
    return found
