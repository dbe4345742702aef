"""Work in steps, run to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator

Result = TypeVar("Result")


def finish(steps: Generator[None, None, Result]) -> Result:
    """Runs steps to their end; returns their result."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Result = done.value
            return result
