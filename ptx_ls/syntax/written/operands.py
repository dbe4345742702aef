"""Finds the operands of a statement from those of its shape, without making a tree.

A statement has the same tokens as its shape, except for digits and names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax import parser, tokens
from ptx_ls.syntax.literals import NUMBER_PATTERN
from ptx_ls.syntax.names import NAME_PATTERN
from ptx_ls.syntax.offsets import StatementPosition
from ptx_ls.syntax.operands import OperandSyntax, of_instruction

if TYPE_CHECKING:
    from ptx_ls.syntax.record import Shape

_TOKENS: Final = LazyPattern(
    rf"{NAME_PATTERN}{tokens.SUFFIX}*|{NUMBER_PATTERN}|[^\s\w]|\w++",
    re.ASCII,
).finditer
_NEEDS_TREE: Final = re.compile(r"[\n\r\"/]").search
"""Matches signs of line ends, strings and comments, which shapes do not have."""


def written_operands(shape: Shape, text: str) -> tuple[OperandSyntax, ...]:
    """Returns the operands of a statement of a shape, like `of_instruction` from its tree."""
    if _NEEDS_TREE(text) is None and not shape.has_gap:
        spans = [token.span() for token in _TOKENS(text)]
        patterns = _spans(shape.read.text)
        if len(spans) == len(patterns):
            starts = {start: span[0] for (start, _), span in zip(patterns, spans, strict=True)}
            ends = {end: span[1] for (_, end), span in zip(patterns, spans, strict=True)}
            try:
                return tuple([_placed(one, text, starts, ends) for one in shape.operands])
            except KeyError:  # an operand begins or ends within a token
                pass
    return of_instruction(parser.parse(text).tree)[0]


@lru_cache(maxsize=1 << 10)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """Returns the spans of the tokens of a shape's text."""
    return tuple([token.span() for token in _TOKENS(text)])


def _placed(
    operand: OperandSyntax, text: str, starts: dict[int, int], ends: dict[int, int]
) -> OperandSyntax:
    """Returns an operand of a shape with its text and places in a statement.

    `starts` and `ends` convert columns in the shape to columns in the statement.
    """
    start, end = starts[operand.start[1]], ends[operand.end[1]]
    elements, paired = operand.elements, operand.paired
    return OperandSyntax(
        operand.form,
        StatementPosition((0, start)),
        StatementPosition((0, end)),
        text[start:end],
        operand.identifier,
        tuple([_placed(one, text, starts, ends) for one in elements]) if elements else (),
        _placed(paired, text, starts, ends) if paired is not None else None,
        operand.negation,
        operand.selector,
        operand.has_offset,
    )
