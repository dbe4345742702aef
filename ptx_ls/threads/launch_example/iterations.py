"""The iterations of loops in which a statement is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Iterations = tuple[tuple[int, int], ...]
"""The heads of loops with the numbers of finished iterations, in order."""


def iterations_of(finished: Mapping[int, int]) -> Iterations:
    """Returns the iterations with these numbers."""
    return tuple(sorted(finished.items()))
