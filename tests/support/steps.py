"""Work in steps: run to its end, and counted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

Result = TypeVar("Result")


def finish(steps: Generator[None, None, Result]) -> Result:
    """Runs steps to their end; returns their result."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Result = done.value
            return result


def n_steps(work: Callable[[], object]) -> int:
    """How many functions `work` calls, in Python and in C."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
