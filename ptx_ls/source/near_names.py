"""Proposes the name that a user meant."""

from collections.abc import Iterable
from typing import Final

_LEAST_SIMILARITY: Final = 0.65
"""The least ratio of `difflib`; lower ones propose names that have little in common."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Returns ` (did you mean ...?)` with the nearest known name; "" if none is near."""
    near = nearest(name, known)
    return f" (did you mean `{near}`?)" if near else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """Returns the nearest known name, or else the nearest in any case; "" if none is near."""
    from difflib import get_close_matches  # noqa: PLC0415  only a mistake needs it

    names = list(known)
    near = get_close_matches(name, names, n=1, cutoff=_LEAST_SIMILARITY)
    if near or name == name.casefold():
        return near[0] if near else ""
    folded = {each.casefold(): each for each in reversed(names)}
    near = get_close_matches(name.casefold(), folded, n=1, cutoff=_LEAST_SIMILARITY)
    return folded[near[0]] if near else ""
