"""Finds the word being typed, and the tokens of its statement before it."""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statements_on
from ptx_ls.source import Position, Range
from ptx_ls.syntax import tokens
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import LINKAGES, MAX_STATEMENT_LENGTH, TOKEN, Token, tokenize

if TYPE_CHECKING:
    from ptx_ls.document.document import Document
    from ptx_ls.syntax.statement import Statement

_PLAIN_WORD: Final = f"._${string.ascii_letters}{string.digits}"
_WORD: Final = f"%:{_PLAIN_WORD}"
"""Characters of a word: a name, or an opcode with its modifiers."""
_ENDS: Final = (";", "{", "}", ":")
_QUOTE: Final = '"'
_COMMENT: Final = "/*"
"""The token that an unclosed comment begins with."""
_CONTINUES: Final = (",", "|", "+", "=", "(", "[")
"""A statement that ends with one of these continues below."""
MIN_OF_CUDA: Final = 3
"""Number of letters from which the name of a function or register in CUDA C++ is completed."""
CLOSING_BRACKETS: Final = {"[": "]", "{": "}", "(": ")"}
_MAX_BLANK_LINES: Final = 20
"""Maximum number of blank lines to skip above the cursor."""
_TERMINATORS: Final = (";", "{", "}")


@dataclass(frozen=True, slots=True)
class TypingPlace:
    """The word being typed, and the tokens of its statement before it.

    `range` is the part of the word before the cursor, `inside` the brackets that are open. `begin`
    is the start of the statement if that is on the cursor's line, `after` the rest of that line.
    """

    word: str
    range: Range
    before: tuple[Token, ...]
    inside: str
    after: str = ""
    begin: Position | None = None

    @property
    def is_open(self) -> bool:
        """Whether only a comment or `}` follows on the line, so that a whole statement fits in."""
        rest = self.after.strip()
        is_comment = rest.startswith("/*") and rest.endswith("*/")
        return not rest or is_comment or rest.startswith(("}", "//"))

    @property
    def guard(self) -> int:
        """The number of tokens of the guard before the word."""
        if self.first != "@":
            return 0
        return 3 if [token.string for token in self.before[1:2]] == ["!"] else 2

    @property
    def is_guard(self) -> bool:
        """Whether the predicate of a guard is being typed."""
        return len(self.before) < self.guard

    @property
    def first(self) -> str:
        """The statement's first token; "" at its beginning."""
        return self.before[0].string if self.before else ""

    @property
    def previous(self) -> str:
        """The token right before the word."""
        return self.before[-1].string if self.before else ""


def typing_place(document: Document, position: Position) -> TypingPlace | None:
    """Finds the word typed at a position; None in a comment or a very long line."""
    position = document.clamped(position)
    start = _statement_start(document, position)
    lines = document.lines[start.line : position.line + 1]
    lines[-1] = lines[-1][: position.column]
    lines[0] = lines[0][start.column :]
    text = "".join(lines)
    last = _last_token(text) if len(text) <= MAX_STATEMENT_LENGTH else _COMMENT
    if last == _COMMENT or (last.startswith("//") and not last.endswith(("\n", "\r"))):
        return None
    is_open_string = last.startswith(_QUOTE) and not last.endswith(_QUOTE, 1)
    word = last if is_open_string else text[len(text.rstrip(_WORD)) :]
    before = tuple(_of_statement(list(tokenize(text[: len(text) - len(word)]))))
    typed = Range(Position(position.line, position.column - len(word)), position)
    after = document.lines[position.line][position.column :]
    begin: Position | None = typed.start
    if before:
        line, column = before[0].start_pos
        column += start.column if len(lines) == 1 else 0
        begin = Position(position.line, column) if line == len(lines) else None
    return TypingPlace(word, typed, before, _open_brackets(before), after, begin)


def _statement_start(document: Document, position: Position) -> Position:
    """Returns the place to read from: after the last complete statement before a position."""
    run = document.run_at(position.line)
    found = Position(run.start, 0)
    is_linkage = False
    for statement in statements_on(document, position.line):
        if statement.start >= position:
            break
        is_over = statement.end <= position and statement.text.endswith(_ENDS)
        is_over = is_over and not _is_open(statement)
        is_above = statement.end.line < position.line and statement.text[-1:] not in _CONTINUES
        if is_over or is_above:
            found = statement.end
        elif not is_linkage:  # a `.visible` before it is a statement by itself
            found = statement.start
        is_linkage = statement.text in LINKAGES
    if found == Position(position.line, 0) and _is_word(document, position):
        return _open_head(document, position) or found
    return found


def _is_open(statement: Statement) -> bool:
    """Whether the brace that ends a statement opens a vector or initial values."""
    text = statement.text
    is_vector = statement.record.kind is Kind.BROKEN and not text.startswith((".", "{", "}"))
    return text.endswith("{") and (is_vector or text[:-1].rstrip().endswith("="))


def _is_word(document: Document, position: Position) -> bool:
    """Whether a position's line has only words and white space before it."""
    return not document.lines[position.line][: position.column].strip(f" \t{_PLAIN_WORD}")


def _open_head(document: Document, position: Position) -> Position | None:
    """Returns the start of a function head above that has no body or `;` yet, or None."""
    for line in range(position.line - 1, max(-1, position.line - _MAX_BLANK_LINES), -1):
        statements = list(statements_on(document, line))
        if statements:
            last = statements[-1]
            is_open = last.record.kind is Kind.FUNCTION_DECLARATION and last.text[-1:] != ";"
            return last.start if is_open else None
    return None


def _last_token(text: str) -> str:
    """Returns the last token, perhaps white space; `/*` if the text ends in a block comment."""
    last = ""
    for match in TOKEN.finditer(text):
        last = match[0]
        if last == _COMMENT:
            break
    return last


def _of_statement(stream: list[Token]) -> list[Token]:
    """Returns the tokens after the last terminator or label."""
    found: list[Token] = []
    depth = 0
    for token in stream:
        if token.type is tokens.ENDMARKER:
            break
        string = token.string
        is_operand = bool(found) and found[0].type in (tokens.WORD, tokens.REG, tokens.OPERATOR)
        is_vector = is_operand and found[0].string != "{"
        if string == "{" and (is_vector or depth or (found and found[-1].string == "=")):
            depth += 1
        elif string == "}" and depth:
            depth -= 1
        elif string in _TERMINATORS or (string == ":" and len(found) == 1):
            found, depth = [], 0
            continue
        found.append(token)
    return found


def _open_brackets(before: tuple[Token, ...]) -> str:
    inside = ""
    for token in before:
        if token.string in "([{":
            inside += token.string
        elif token.string in ")]}" and inside:
            inside = inside[:-1]
    return inside
