"""Names for what a snippet declares, so that nothing is hidden or declared twice."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.names import NAME_PATTERN

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position

_NAME: Final = re.compile(NAME_PATTERN, re.ASCII)


def renamed(text: str, own: frozenset[str], analysis: Analysis, position: Position) -> str:
    """A text with those of its own names changed that already mean something at a position."""
    taken = {name for name in own if _is_taken(name, analysis, position)}
    names = {name: _free(name, own, analysis, position) for name in sorted(taken)}
    return _NAME.sub(lambda match: names.get(match[0], match[0]), text)


def _free(name: str, own: frozenset[str], analysis: Analysis, position: Position) -> str:
    for number in count(2):
        found = f"{name}_{number}"
        if found not in own and not _is_taken(found, analysis, position):
            return found
    return name


def _is_taken(name: str, analysis: Analysis, position: Position) -> bool:
    if analysis.lookup(name, position) is not None:
        return True
    return analysis.special_register(name) is not None
