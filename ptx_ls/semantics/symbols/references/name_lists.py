"""The names in directives: targets of branches and calls, and aliases with their functions.

Source: PTX ISA, "Control Flow Directives" and "Linking Directives: .alias".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statements_on
from ptx_ls.semantics.symbols.label_lists import count_after
from ptx_ls.source import Position, Range
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.labels import NAMED_DIRECTIVES
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.semantics.analysis import LocatedSymbol
    from ptx_ls.syntax.statement import Statement

_ALIAS: Final = ".alias"
_MAX_LINES_AFTER_LABEL: Final = 64
"""Maximum number of lines between a label and its directive."""


class Named(NamedTuple):
    """A name in a directive. `size` is the N of `L<N>`, which is short for N names; else 0."""

    name: str
    range: Range
    size: int = 0


def aliases(document: Document) -> Iterator[tuple[Named, Named]]:
    """Yields the aliases of a module, each with the name of its function."""
    for line in _outside_of_bodies(document):
        if document.records[line].is_declaring and _ALIAS in document.lines[line]:
            for statement in statements_on(document, line):
                if statement.start.line == line and statement.text.startswith(_ALIAS):
                    found = list(names_in(statement))
                    if len(found) == len(("alias", "function")):
                        yield found[0], found[1]


def _outside_of_bodies(document: Document) -> Iterator[int]:
    for located in document.functions:
        start = located.first_line
        if located.head is not None:
            if located.close is None:
                continue
            start = located.close
        yield from range(start, located.stop_line)


def listed(document: Document, declared: LocatedSymbol) -> list[Named]:
    """Returns the names in the directive after a label: a list of labels or of functions."""
    statement = directive_of(document, declared)
    return list(names_in(statement)) if statement is not None else []


def directive_of(document: Document, declared: LocatedSymbol) -> Statement | None:
    """Returns the list of targets or the prototype that a label names; None if there is none."""
    position = declared.range.end
    stop = min(position.line + _MAX_LINES_AFTER_LABEL, len(document.lines))
    for line in range(position.line, stop):
        if document.records[line].kind in (Kind.BLANK, Kind.COMMENT):
            continue
        for statement in statements_on(document, line):
            if statement.start >= position:
                return statement if opcode_of(statement.text) in NAMED_DIRECTIVES else None
    return None


def names_in(statement: Statement) -> Iterator[Named]:
    """Yields the names in a directive in order."""
    stream = list(tokenize(statement.text))
    for number, token in enumerate(stream):
        if token.type not in (WORD, REG):
            continue
        start = statement.position(token.start)
        place = Range(start, Position(start.line, start.column + len(token.string)))
        yield Named(token.string, place, count_after(stream, number) or 0)
