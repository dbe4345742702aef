"""Labels: names with a colon, at the start of a statement."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.syntax.names import NAME_PATTERN

NAMED_DIRECTIVES: Final = frozenset({".branchtargets", ".calltargets", ".callprototype"})
"""Directives that a label before them names; such a label is not a branch target."""
_LABEL: Final = re.compile(rf"\s*+({NAME_PATTERN})\s*+:(?!:)", re.ASCII).match


def label_at(text: str, offset: int = 0) -> str:
    """Returns the label at an offset, after white space; "" if there is none."""
    match = _LABEL(text, offset)
    return match[1] if match is not None else ""


def after_labels(text: str) -> str:
    """Returns the text after the labels at its beginning."""
    offset = 0
    while (match := _LABEL(text, offset)) is not None:
        offset = match.end()
    return text[offset:]
