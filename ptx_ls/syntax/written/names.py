"""Finds the names in an instruction: with a pattern if it is simple, else in its syntax tree."""

from __future__ import annotations

import re
from sys import intern
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax import parser
from ptx_ls.syntax.names import IN_NAME, OPERAND_BEGINS, WITH_COMPONENTS
from ptx_ls.syntax.offsets import StatementPosition
from ptx_ls.syntax.operands import Identifier
from ptx_ls.syntax.parsing.instruction_parts import of_instruction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.syntax.record import Shape

_NAME: Final = re.compile(rf"{OPERAND_BEGINS}{WITH_COMPONENTS}", re.ASCII)
NEEDS_TREE: Final = ("/", '"', "].")
"""Signs of comments, of strings, and of an index with a component, which belongs to the name."""
_MARKS_INSIDE: Final = ("%", ".", "::")
"""Text before a place that shows that the place is within a name or modifier."""
_REST: Final = re.compile(rf"{IN_NAME}*", re.ASCII).match

opcode_and_names: Final = _NAME.findall
"""Returns the guard predicate, the opcode and the names of an instruction, with dotted parts."""
numbers_in: Final = LazyPattern(rf"{OPERAND_BEGINS}\.?\d[\w.]*+", re.ASCII).findall
"""Returns all numbers among the operands of an instruction."""


def plain_names(shape: Shape, text: str) -> list[str] | None:
    """Returns the names of a statement in the order of the shape's identifiers.

    Returns None if the statement has to be parsed for that.
    """
    names = opcode_and_names(text)
    if len(names) != len(shape.identifiers) + 1 or not _is_plain(shape, text):
        return None
    del names[1 if shape.guard else 0]
    return names


def names_of(shape: Shape, text: str) -> list[str]:
    """Returns the names of a statement in the order of the shape's identifiers."""
    names = plain_names(shape, text)
    if names is not None:
        return names
    return [identifier.full for identifier in of_instruction(parser.parse(text).tree)[1]]


def identifiers_of(shape: Shape, text: str) -> tuple[Identifier, ...]:
    """Returns the names of a statement with their places, in the order of the text."""
    spans = _spans(shape, text)
    if spans is None:
        return tuple(of_instruction(parser.parse(text).tree)[1])
    return tuple([_identifier(text[start:end], start, end) for start, end in spans])


def identifier_of(shape: Shape, text: str, number: int) -> Identifier | None:
    """Returns the name with a number in a statement, or None; as in `identifiers_of`, but fast."""
    spans = _spans(shape, text)
    if spans is None:
        found = of_instruction(parser.parse(text).tree)[1]
        return found[number] if number < len(found) else None
    start, end = spans[number]
    return _identifier(text[start:end], start, end)


def _spans(shape: Shape, text: str) -> list[tuple[int, int]] | None:
    """Returns the start and end of each name; None if the statement has to be parsed for that."""
    spans = [match.span() for match in _NAME.finditer(text)]
    is_plain = len(spans) == len(shape.identifiers) + 1 and _is_plain(shape, text)
    if not is_plain or "\n" in text or "\r" in text:
        return None
    del spans[1 if shape.guard else 0]
    return spans


def _is_plain(shape: Shape, text: str) -> bool:
    """Whether a statement has no comment, string, or index with a component (`[%r1].x`)."""
    return not shape.has_gap and not any(mark in text for mark in NEEDS_TREE)


def _identifier(full: str, start: int, end: int) -> Identifier:
    # Interned, because thousands of mismatches may have the same name.
    name = intern(full.partition(".")[0])
    return Identifier(name, full, StatementPosition((0, start)), StatementPosition((0, end)))


def offsets_of_name(text: str, name: str) -> Iterator[int]:
    """Yields the offsets of a name in a text, but not within longer names."""
    for start, end in spans_of_name(text, name):
        if end == start + len(name):
            yield start


def spans_of_name(text: str, prefix: str) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each name in a text that begins with `prefix`.

    Components, and parts of modifiers such as `.a::b`, are not names.
    """
    start = text.find(prefix)
    while start >= 0:
        before = text[max(0, start - 2) : start]
        is_inside = before.endswith(_MARKS_INSIDE) or _end_of_name(before[-1:], 0) > 0
        end = _end_of_name(text, start + len(prefix))
        if not is_inside and not text.startswith("::", end):
            yield start, end
        start = text.find(prefix, start + 1)


def _end_of_name(text: str, offset: int) -> int:
    match = _REST(text, offset)
    return match.end() if match is not None else offset
