"""Finds the token under the cursor, its statement, and its role there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.source import Position, Range
from ptx_ls.syntax import tokens
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts
from ptx_ls.syntax.record import INSTRUCTIONS
from ptx_ls.syntax.tokens import Token, tokenize

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.syntax.statement import Statement
    from ptx_ls.syntax.tokens import ParsoPosition


class At(Enum):
    """The role of a token in its statement."""

    OPCODE = auto()
    MODIFIER = auto()
    NAME = auto()
    """A register, label, variable, parameter, function or special register."""
    SELECTOR = auto()
    """The part after a name: `.x`, `.b0`."""
    NUMBER = auto()
    STRING = auto()
    DOTTED = auto()
    """A directive, type, state space or other dotted name."""
    WORD = auto()
    """A bare word that is not a name of the program: a target, `function_name`."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A token under the cursor, or the part of one that is looked up by itself.

    `number` is the number of a modifier, from 0. `whole` is a name with its selector, such as
    `%tid.x`; `text` is one part of it.
    """

    at: At
    text: str
    range: Range
    statement: Statement
    number: int = -1
    whole: str = ""

    def tokens_before(self) -> list[Token]:
        """Returns the tokens of the statement before this one."""
        text = self.statement.text[: self.statement.offset(self.range.start)]
        return list(tokenize(text))[:-1]


def cursor(analysis: Analysis, position: Position) -> Cursor | None:
    """Returns the token at a position, the later one where two meet; None if there is none."""
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
    """Returns the declared name at a position and its symbol; None if there is none."""
    under = cursor(analysis, position)
    if under is None or under.at is not At.NAME:
        return None
    declared = analysis.lookup(under.text, under.range.start)
    return (under, declared) if declared is not None else None


def _place(statement: Statement, position: Position) -> ParsoPosition:
    """Returns a position in the text of a statement as parso counts: lines from 1."""
    start = statement.start
    column = position.column - (start.column if position.line == start.line else 0)
    return position.line - start.line + 1, column


@lru_cache(maxsize=4)
def _tokens_at(text: str, offset: int, place: ParsoPosition) -> tuple[Token, ...]:
    """Returns the tokens that touch a position: `offset` in characters, `place` as parso counts.

    Cached because several features ask about one position, and a statement may be very long.
    """
    return tuple(takewhile(lambda token: token.start_pos <= place, tokenize(text, offset)))


def _of_token(
    statement: Statement, token: Token, start: Position, position: Position
) -> Cursor | None:
    if statement.record.kind in INSTRUCTIONS and token.type is not tokens.REG:
        parts = opcode_parts(statement.parsed.tree)
        for number, (text, first, last) in enumerate(parts):
            place = statement.range(first, last)
            is_last = number == len(parts) - 1
            if start <= place.start <= position <= place.end and (position < place.end or is_last):
                at = At.MODIFIER if number else At.OPCODE
                return Cursor(at, text, place, statement, number - 1)
    whole = Range(start, Position(start.line, start.column + len(token.string)))
    kind = _PLAIN.get(token.type)
    if kind is not None:
        return Cursor(kind, token.string, whole, statement)
    if token.type in (tokens.WORD, tokens.REG):
        return _of_name(statement, token.string, start, position)
    return None


def _of_name(statement: Statement, text: str, start: Position, position: Position) -> Cursor:
    name, dot, selector = text.partition(".")
    middle = Position(start.line, start.column + len(name))
    if dot and position > middle:
        end = Position(start.line, start.column + len(text))
        return Cursor(At.SELECTOR, dot + selector, Range(middle, end), statement, whole=text)
    is_name = name not in _WORDS and not statement.text.startswith(".target")
    at = At.NAME if is_name else At.WORD
    return Cursor(at, name, Range(start, middle), statement, whole=text)


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
