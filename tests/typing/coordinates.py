"""Kinds of places that must not pass for each other. Nothing here runs: mypy reads it.

Each `type: ignore` hides the error that a wrong kind must cause. If mypy found no error there, it
would report the comment as unused.
"""

from typing import assert_type

from ptx_ls.document.coordinates import ChunkPosition, FunctionPosition, FunctionSpan
from ptx_ls.document.document import Document
from ptx_ls.document.function import Function
from ptx_ls.document.located import LocatedFunction
from ptx_ls.document.statements import statement_at
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_text import Found
from ptx_ls.semantics.symbols.symbols import Symbol
from ptx_ls.source import Position
from ptx_ls.syntax.cut import Cut
from ptx_ls.syntax.offsets import RunPosition, StatementPosition, along, shifted
from ptx_ls.syntax.operands import OperandSyntax
from ptx_ls.syntax.parser import StatementProblem
from ptx_ls.syntax.record import Piece
from ptx_ls.syntax.statement import Statement
from ptx_ls.syntax.tokens import Token


def converted(
    located: LocatedFunction, statement: Statement, found: Found, piece: Piece, token: Token
) -> None:
    """Outwards, from a text to what contains it."""
    assert_type(shifted(token.start, piece.start), RunPosition)
    assert_type(shifted(piece.start, ChunkPosition((3, 0))), ChunkPosition)
    assert_type(shifted(token.start, found.start), FunctionPosition)
    assert_type(along(found.start, 1), FunctionPosition)
    assert_type(token.placed(found.start), FunctionSpan)
    assert_type(located.position(found.start), Position)
    assert_type(located.place(Position(1, 2)), FunctionPosition)
    assert_type(statement.position(token.start), Position)


def in_document(
    document: Document, place: FunctionPosition, within: ChunkPosition, of: StatementPosition
) -> None:
    """Questions to a document, which uses only positions."""
    document.number_at(Position(1, 2))
    document.number_at(place)  # type: ignore[arg-type]
    document.number_at((1, 2))  # type: ignore[arg-type]
    document.located_at(place)  # type: ignore[arg-type]
    statement_at(document, place)  # type: ignore[arg-type]
    statement_at(document, within)  # type: ignore[arg-type]
    statement_at(document, of)  # type: ignore[arg-type]


def in_function(
    located: LocatedFunction, function: Function, facts: RegionFacts, symbol: Symbol, piece: Piece
) -> None:
    """Questions to a function."""
    in_document = located.position(symbol.start)
    located.range(symbol.start, symbol.end)
    facts.scope_at(symbol.start)
    function.number_at(symbol.start)
    located.position(in_document)  # type: ignore[arg-type]
    located.position(piece.start)  # type: ignore[arg-type]
    located.position((1, 2))  # type: ignore[arg-type]
    located.place(symbol.start)  # type: ignore[arg-type]
    located.range(symbol.start, piece.end)  # type: ignore[arg-type]
    facts.scope_at(in_document)  # type: ignore[arg-type]
    facts.scope_at(ChunkPosition((1, 2)))  # type: ignore[arg-type]
    function.number_at(in_document)  # type: ignore[arg-type]
    symbol._replace(start=piece.start)  # type: ignore[arg-type]
    symbol._replace(start=in_document)  # type: ignore[arg-type]


def in_statement(
    statement: Statement,
    operand: OperandSyntax,
    problem: StatementProblem,
    symbol: Symbol,
    token: Token,
) -> None:
    """Questions to a statement."""
    statement.position(operand.start)
    statement.position(problem.start)
    statement.offset(statement.start)
    statement.position(statement.start)  # type: ignore[arg-type]
    statement.position(symbol.start)  # type: ignore[arg-type]
    statement.position(token.start_pos)  # type: ignore[arg-type]
    statement.range(operand.start, symbol.end)  # type: ignore[arg-type]
    statement.offset(operand.start)  # type: ignore[arg-type]


def in_run(piece: Piece, cut: Cut, operand: OperandSyntax, found: Found) -> None:
    """Conversions of a run, and of a statement in it."""
    Piece(piece.record, cut.start, cut.end)
    Piece(piece.record, operand.start, cut.end)  # type: ignore[arg-type]
    Piece(piece.record, found.start, found.end)  # type: ignore[arg-type]
    Found(piece.record, piece.start, found.end, "")  # type: ignore[arg-type]
    cut._replace(start=found.start)  # type: ignore[arg-type]


def shifted_wrongly(found: Found, operand: OperandSyntax, statement: Statement) -> None:
    """A shifted place counts from where the result counts, and not the other way round."""
    assert_type(shifted(operand.start, found.start), StatementPosition)  # type: ignore[assert-type]
    shifted(found.start, found.start)  # type: ignore[arg-type]
    shifted(statement.start, found.start)  # type: ignore[arg-type]


def plain_pairs(version: tuple[int, int], operand: OperandSyntax) -> FunctionPosition:
    """A version or a pair of numbers is not a place."""
    operand._replace(start=version)  # type: ignore[arg-type]
    return version  # type: ignore[return-value]
