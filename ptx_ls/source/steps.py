"""Work in steps: a generator that yields every few milliseconds, and returns its result.

Who has time runs it to its end; the server lets others have their turns between the steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

Item = TypeVar("Item")
Result = TypeVar("Result")

_N_ITEMS: Final = 64
"""Tokens, names or the like that are taken in one step."""


def finished(steps: Generator[None, None, Result]) -> Result:
    """Runs steps to their end and returns their result."""
    try:
        while True:
            next(steps)
    except StopIteration as done:
        result: Result = done.value
        return result


def collected(items: Iterable[Item]) -> Generator[None, None, list[Item]]:
    """A list of items, some of them in each step."""
    found: list[Item] = []
    for item in items:
        found.append(item)
        if not len(found) % _N_ITEMS:
            yield
    return found
