"""Where a region calls functions.

Source: PTX ISA, "call".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.comments import blanked
from ptx_ls.syntax.guards import GUARD
from ptx_ls.syntax.literals import MARKER
from ptx_ls.syntax.names import NAME_PATTERN
from ptx_ls.syntax.offsets import place_of, shifted
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_CALL: Final = LazyPattern(
    rf"(?:{GUARD}\s++)?call(?:\.uni)*\s*+"
    rf"(?:\((?P<results>[^()]*+)\)\s*+,\s*+)?(?P<name>{NAME_PATTERN})\s*+"
    rf"(?:,\s*+\((?P<arguments>[^()]*+)\)\s*+)?(?:,\s*+(?P<list>{NAME_PATTERN})\s*+)?;",
    re.ASCII,
).match
_OPCODE: Final = "call"
_MARKER: Final = LazyPattern(rf"{MARKER}|#[^\r\n]*+").sub


def call_sites(text: RegionText) -> Iterator[tuple[Found, re.Match[str]]]:
    """The calls of a region that can be read.

    The groups of the match are `results`, `name`, `arguments`, and `list` for what tells the
    signature: a prototype, or a list of functions.
    """
    for found in statements_with(text, frozenset({_OPCODE})):
        match = _CALL(_bare(found.text))
        if match is not None:
            yield found, match


def _bare(text: str) -> str:
    """A statement with blanks in place of comments and line markers."""
    text = blanked(text)
    return _MARKER(lambda marker: " " * len(marker[0]), text) if "#" in text else text


def statements_with(text: RegionText, opcodes: frozenset[str]) -> Iterator[Found]:
    """The instructions of a region that have one of these opcodes."""
    for found in text.statements_of(text.with_opcodes(opcodes)):
        if isinstance(found.record, Shape) and found.record.name in opcodes:
            yield found


def position(found: Found, offset: int) -> FunctionPosition:
    """Where a statement has its character `offset`."""
    return shifted(place_of(found.text, offset), found.start)
