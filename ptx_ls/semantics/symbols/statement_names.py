"""The names in an instruction: by regular expressions where it is plain, else from its tree."""

from __future__ import annotations

import re
from sys import intern
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax import parser
from ptx_ls.syntax.names import (
    NAME_BEGINS,
    NAME_CHARACTERS,
    NAME_PATTERN,
    OPERAND_BEGINS,
    WITH_COMPONENTS,
)
from ptx_ls.syntax.offsets import StatementPosition
from ptx_ls.syntax.operands import Identifier, of_instruction

if TYPE_CHECKING:
    from ptx_ls.syntax.record import Shape

_PLAIN: Final = LazyPattern(
    rf"[ \t]*+(?:@[ \t]*+!?+[ \t]*+({NAME_CHARACTERS})[ \t]++)?"
    r"[a-z][\w.:]*+(?:[ \t]++([^;\"/]*+))?;",
    re.ASCII,
).match
_NAME: Final = LazyPattern(rf"{NAME_BEGINS}{WITH_COMPONENTS}", re.ASCII)

_ELEMENT: Final = LazyPattern(
    rf"{OPERAND_BEGINS}{NAME_PATTERN}(?:\.\w++)*[ \t]*+\[", re.ASCII
).search
"""An index after a name: what follows the `]` is a part of the name."""


def names_of(shape: Shape, text: str) -> list[str]:
    """The names of a statement in the order of the shape's identifiers, with their dotted parts."""
    spans = _plain_spans(shape, text)
    if spans is not None:
        return [text[start:end] for start, end in spans]
    return [identifier.full for identifier in of_instruction(parser.parse(text).tree)[1]]


def identifiers_of(shape: Shape, text: str) -> tuple[Identifier, ...]:
    """The names of a statement at their places, in the order of the shape's identifiers."""
    spans = _plain_spans(shape, text) if "\n" not in text and "\r" not in text else None
    if spans is not None:
        return tuple([_identifier(text[start:end], start, end) for start, end in spans])
    return tuple(of_instruction(parser.parse(text).tree)[1])


def _plain_spans(shape: Shape, text: str) -> list[tuple[int, int]] | None:
    """Starts and ends of the names of a plain statement; None if a tree has to find them."""
    match = _PLAIN(text)
    if match is None or shape.has_gap:
        return None
    spans = [match.span(1)] if match[1] else []
    if match[2]:
        spans += [name.span() for name in _NAME.finditer(text, *match.span(2))]
    is_certain = len(spans) == len(shape.identifiers) and not _ELEMENT(text)
    return spans if is_certain else None


def _identifier(full: str, start: int, end: int) -> Identifier:
    # Interned, because thousands of mismatches may keep the same name.
    name = intern(full.partition(".")[0])
    return Identifier(name, full, StatementPosition((0, start)), StatementPosition((0, end)))
