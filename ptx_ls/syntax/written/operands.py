"""Finds the operands of a statement from those of its shape, without making a tree.

A statement has the same tokens as its shape, except for digits and names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax import parser, tokens
from ptx_ls.syntax.literals import NUMBER_PATTERN
from ptx_ls.syntax.names import NAME_PATTERN
from ptx_ls.syntax.offsets import StatementPosition
from ptx_ls.syntax.operands import OperandSyntax
from ptx_ls.syntax.parsing.instruction_parts import of_instruction

if TYPE_CHECKING:
    from ptx_ls.syntax.record import Shape

_TOKENS: Final = LazyPattern(
    rf"{NAME_PATTERN}{tokens.SUFFIX}*|{NUMBER_PATTERN}|[^\s\w]|\w++",
    re.ASCII,
).finditer
_MAX_KEPT: Final = 256
"""Number of statements whose operands are kept: several rules ask for those of the same ones."""
_NEEDS_TREE: Final = re.compile(r"[\n\r\"/]").search
"""Matches signs of line ends, strings and comments, which shapes do not have."""


@lru_cache(maxsize=_MAX_KEPT)
def written_operands(shape: Shape, text: str) -> tuple[OperandSyntax, ...]:
    """Returns the operands of a statement of a shape, like `of_instruction` from its tree."""
    if _NEEDS_TREE(text) is None and not shape.has_gap:
        spans = [token.span() for token in _TOKENS(text)]
        n_tokens, operands = _operand_tokens(shape)
        if len(spans) == n_tokens:
            return tuple([_placed(one, text, spans) for one in operands])
    return of_instruction(parser.parse(text).tree)[0]


class _OperandTokens(NamedTuple):
    """An operand of a shape, with the numbers of its first and last token."""

    operand: OperandSyntax
    first: int
    last: int
    elements: tuple[_OperandTokens, ...]
    paired: _OperandTokens | None


@lru_cache(maxsize=1 << 10)
def _operand_tokens(shape: Shape) -> tuple[int, tuple[_OperandTokens, ...]]:
    """Returns the number of tokens of a shape, and those of its operands.

    The number is -1 if an operand begins or ends within a token.
    """
    spans = [token.span() for token in _TOKENS(shape.read.text)]
    starts = {start: number for number, (start, _) in enumerate(spans)}
    ends = {end: number for number, (_, end) in enumerate(spans)}
    try:
        return len(spans), tuple([_tokens_of(each, starts, ends) for each in shape.operands])
    except KeyError:
        return -1, ()


def _tokens_of(
    operand: OperandSyntax, starts: dict[int, int], ends: dict[int, int]
) -> _OperandTokens:
    paired = operand.paired
    return _OperandTokens(
        operand,
        starts[operand.start[1]],
        ends[operand.end[1]],
        tuple([_tokens_of(each, starts, ends) for each in operand.elements]),
        None if paired is None else _tokens_of(paired, starts, ends),
    )


def _placed(tokens_: _OperandTokens, text: str, spans: list[tuple[int, int]]) -> OperandSyntax:
    """Returns an operand of a shape with its text and places in a statement.

    `spans`: those of the tokens of the statement.
    """
    operand, first, last, elements, paired = tokens_
    start, end = spans[first][0], spans[last][1]
    return OperandSyntax(
        operand.form,
        StatementPosition((0, start)),
        StatementPosition((0, end)),
        text[start:end],
        operand.identifier,
        tuple([_placed(one, text, spans) for one in elements]) if elements else (),
        _placed(paired, text, spans) if paired is not None else None,
        operand.negation,
        operand.selector,
        operand.has_offset,
    )
