"""Work in steps: a generator that yields after each short step, and returns its result.

`finished` runs it to its end; the server answers other requests between the steps
(`server/scheduling/cooperative.py`).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

Item = TypeVar("Item")
Result = TypeVar("Result")

_MAX_ITEMS_OF_STEP: Final = 64
"""The number of tokens, names or similar items to process in one step."""


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
    return number % _MAX_ITEMS_OF_STEP == _MAX_ITEMS_OF_STEP - 1


def portions(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yields the items of one step after the other, if each takes some microseconds."""
    left = iter(items)
    while portion := list(islice(left, _MAX_ITEMS_OF_STEP)):
        yield portion


def collected(items: Iterable[Item]) -> Generator[None, None, list[Item]]:
    """Returns all items as a list; yields after some of them."""
    found: list[Item] = []
    for portion in portions(items):
        found += portion
        yield
    return found
