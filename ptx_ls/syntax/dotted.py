"""Finds opcodes, modifiers, types and section names in texts."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.guards import GUARD
from ptx_ls.syntax.names import LINKER_NAME
from ptx_ls.syntax.tokens import TYPES

_OPCODE: Final = LazyPattern(rf"\s*+(?:{GUARD}\s++)?([\w.:]++)", re.ASCII).match
_SECTION: Final = LazyPattern(rf"\.section[ \t]++(\.?{LINKER_NAME})", re.ASCII).search

parts_of_opcode: Final = re.compile(r"^[^.]+|\.[^.]*").finditer
"""Yields a match for the opcode, and for each modifier, of `ld.global.u32`."""
modifiers_of: Final = re.compile(r"\.[^.]*").findall
"""Returns the modifiers of an opcode with modifiers."""
dotted_words: Final = LazyPattern(r"\.\w++", re.ASCII).findall
"""Returns all words after a dot, with the dot."""


def opcode_of(text: str) -> str:
    """Returns the opcode with modifiers, or the directive, at the start of a statement; or ""."""
    match = _OPCODE(text)
    return match[1] if match is not None else ""


def first_type(text: str) -> str:
    """Returns the first type in a text, with its dot; "" if there is none."""
    return next((word for word in dotted_words(text) if word in TYPES), "")


def section_in(text: str, start: int = 0) -> str:
    """Returns the name in the first `.section` of a text; "" if there is none."""
    match = _SECTION(text, start)
    return match[1] if match is not None else ""
