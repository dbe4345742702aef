"""What is under the cursor: the statement, the token, and what the token is there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.source import Position, Range
from ptx_ls.syntax import tokens
from ptx_ls.syntax.operands import opcode_parts
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import Token, tokenize

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.syntax.statement import Statement
    from ptx_ls.syntax.tokens import ParsoPosition

_INSTRUCTIONS: Final = (Kind.INSTRUCTION, Kind.BROKEN)


class At(Enum):
    """What a token is."""

    OPCODE = auto()
    MODIFIER = auto()
    NAME = auto()
    """A register, label, variable, parameter, function or special register."""
    SELECTOR = auto()
    """What stands behind a name: `.x`, `.b0`."""
    NUMBER = auto()
    STRING = auto()
    DOTTED = auto()
    """A directive, type, state space or other dotted name."""
    WORD = auto()
    """A bare word that is no name of the program: a target, `function_name`."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A token under the cursor. `number` counts modifiers from 0."""

    at: At
    text: str
    range: Range
    statement: Statement
    number: int = -1


def cursor(analysis: Analysis, position: Position) -> Cursor | None:
    """The token at a position; of two that meet there, the one that begins there."""
    document = analysis.document
    position = document.clamped(position)
    statement = statement_at(document, position)
    if statement is None:
        return None
    found: Cursor | None = None
    for token in _tokens_at(
        statement.text, statement.offset(position), _place(statement, position)
    ):
        start = statement.position(token.start)
        if token.type in (tokens.ENDMARKER, tokens.OPERATOR):
            continue
        end = Position(start.line, start.column + len(token.string))
        if start.line == position.line and position <= end:
            found = _of_token(statement, token, start, position) or found
    return found


def declared_at(analysis: Analysis, position: Position) -> tuple[Cursor, LocatedSymbol] | None:
    """Returns the name at a position and what it means; None if there is no declared name."""
    under = cursor(analysis, position)
    if under is None or under.at is not At.NAME:
        return None
    declared = analysis.lookup(under.text, under.range.start)
    return (under, declared) if declared is not None else None


def _place(statement: Statement, position: Position) -> ParsoPosition:
    """A position in the text of a statement, as its tokens count: lines from 1."""
    start = statement.start
    column = position.column - (start.column if position.line == start.line else 0)
    return position.line - start.line + 1, column


@lru_cache(maxsize=4)
def _tokens_at(text: str, offset: int, place: ParsoPosition) -> tuple[Token, ...]:
    """The tokens from the one at `offset` on that begin at `place`, the same place, or before it.

    Kept for a moment: several features ask about one place, and a statement may have thousands.
    """
    return tuple(takewhile(lambda token: token.start_pos <= place, tokenize(text, offset)))


def _of_token(
    statement: Statement, token: Token, start: Position, position: Position
) -> Cursor | None:
    if statement.record.kind in _INSTRUCTIONS:
        for number, (text, first, last) in enumerate(opcode_parts(statement.parsed.tree)):
            place = statement.range(first, last)
            if place.start <= position <= place.end and start <= place.start:
                at = At.MODIFIER if number else At.OPCODE
                part = Cursor(at, text, place, statement, number - 1)
                if position < place.end or _is_last(statement, number):
                    return part
    whole = Range(start, Position(start.line, start.column + len(token.string)))
    kind = _PLAIN.get(token.type)
    if kind is not None:
        return Cursor(kind, token.string, whole, statement)
    if token.type in (tokens.WORD, tokens.REG):
        return _of_name(statement, token.string, start, position)
    return None


def _is_last(statement: Statement, number: int) -> bool:
    return number == len(opcode_parts(statement.parsed.tree)) - 1


def _of_name(statement: Statement, text: str, start: Position, position: Position) -> Cursor:
    name, dot, selector = text.partition(".")
    middle = Position(start.line, start.column + len(name))
    if dot and position > middle:
        end = Position(start.line, start.column + len(text))
        return Cursor(At.SELECTOR, dot + selector, Range(middle, end), statement)
    is_program = statement.text.startswith(".target") is False and name not in _WORDS
    at = At.NAME if is_program else At.WORD
    return Cursor(at, name, Range(start, middle), statement)


_WORDS: Final = frozenset({"function_name", "inlined_at", "_"})
_PLAIN: Final = {
    tokens.NUMBER: At.NUMBER,
    tokens.FLOAT: At.NUMBER,
    tokens.STRING: At.STRING,
    tokens.TYPE: At.DOTTED,
    tokens.VECTOR: At.DOTTED,
    tokens.SPACE: At.DOTTED,
    tokens.LINKAGE: At.DOTTED,
    tokens.FUNCTION: At.DOTTED,
    tokens.TUNING: At.DOTTED,
    tokens.DIRECTIVE: At.DOTTED,
    tokens.NAME: At.DOTTED,
}
