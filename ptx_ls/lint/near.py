"""Did you mean: the nearest of some names."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_CUTOFF: Final = 0.66
_MANY: Final = 5_000
"""Beyond so many names only those that begin alike are compared."""


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that looks most like `name`; None if none is near. Ties go by the alphabet."""
    names = sorted(set(candidates) - {name})
    lowered = name.lower()
    if lowered != name and lowered in names:
        return lowered
    if len(names) > _MANY:
        names = [other for other in names if other[:2] == name[:2]][:_MANY]
    found = difflib.get_close_matches(name, names, 1, _CUTOFF)
    return found[0] if found else None
