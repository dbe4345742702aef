"""Reads the function, the arguments and the return values of a call.

Source: PTX ISA, "call".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.comments import blanked
from ptx_ls.syntax.guards import GUARD
from ptx_ls.syntax.literals import MARKER
from ptx_ls.syntax.names import NAME_PATTERN

if TYPE_CHECKING:
    from collections.abc import Iterator

_CALL: Final = LazyPattern(
    rf"(?:{GUARD}\s++)?call(?:\.uni)*\s*+"
    rf"(?:\((?P<results>[^()]*+)\)\s*+,\s*+)?(?P<name>{NAME_PATTERN})\s*+"
    rf"(?:,\s*+\((?P<arguments>[^()]*+)\)\s*+)?(?:,\s*+(?P<targets>{NAME_PATTERN})\s*+)?;",
    re.ASCII,
).match
_MARKER: Final = LazyPattern(rf"{MARKER}|#[^\r\n]*+").sub


class CallPart(NamedTuple):
    """A part of a call, and the offsets of its start and end in the statement."""

    text: str
    start: int
    end: int


class CallSyntax(NamedTuple):
    """A call: its function or register, and the text within the parentheses of each list, or None.

    `targets` is the name of a prototype, target list or table of functions.
    """

    name: CallPart
    results: CallPart | None
    arguments: CallPart | None
    targets: CallPart | None


@lru_cache(maxsize=1 << 10)
def call_in(text: str) -> CallSyntax | None:
    """Returns a statement as a call; None if it is not one, or has a syntax error."""
    bare = blanked(text)
    if "#" in bare:
        bare = _MARKER(lambda marker: " " * len(marker[0]), bare)
    match = _CALL(bare)
    if match is None:
        return None
    groups = ("results", "arguments", "targets")
    parts = [
        CallPart(match[group], *match.span(group)) if match[group] is not None else None
        for group in groups
    ]
    return CallSyntax(CallPart(match["name"], *match.span("name")), *parts)


def items_of(parts: CallPart | None) -> Iterator[CallPart]:
    """Yields the arguments or return values in a list."""
    if parts is None or not parts.text or parts.text.isspace():
        return
    begin = parts.start
    for part in parts.text.split(","):
        stripped = part.strip()
        start = begin + len(part) - len(part.lstrip())
        yield CallPart(stripped, start, start + len(stripped))
        begin += len(part) + 1
