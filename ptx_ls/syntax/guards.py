"""Guards: the predicate before an instruction, as in `@!%p1 bra done;`."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.names import NAME_CHARACTERS

GUARD: Final = rf"@\s*+!?\s*+{NAME_CHARACTERS}"
_GUARD: Final = LazyPattern(rf"\s*+@\s*+(!?)\s*+({NAME_CHARACTERS})", re.ASCII).match


class Guard(NamedTuple):
    """A guard: its predicate, whether that has a `!`, and the offset where the guard ends."""

    name: str
    is_negated: bool
    end: int


def guard_of(text: str) -> Guard | None:
    """Returns the guard at the start of a statement, after white space; None if there is none."""
    match = _GUARD(text)
    return Guard(match[2], bool(match[1]), match.end()) if match is not None else None
