"""Reads PTX into tokens and statements, as far as is needed to make a fault.

Reads only valid PTX, and uses nothing of ptx-ls, which must not measure itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<space>\s+)|(?P<string>\"[^\"\n]*\")"
    r"|(?P<number>\d+\.\d*(?:[eE][+-]?\d+)?|\d\w*)|(?P<word>[%$_A-Za-z][\w$]*|%)"
    r"|(?P<dotted>\.\w+(?:::\w+)*)|(?P<mark>.)",
    re.DOTALL,
)
_LINE_DIRECTIVES = {".version", ".target", ".address_size", ".file", ".loc"}
_FUNCTIONS = {".entry", ".func"}
_PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Token:
    """A token. `kind`: string, number, word, dotted (a word with its dot) or mark."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after it."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Statement:
    """The tokens [first, end); `kind`: instruction, directive, head, label, brace.

    A head is that of a function, without its body.
    """

    kind: str
    first: int
    end: int
    depth: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """The places of an instruction's parts among the tokens.

    `opcode` is one token, its modifiers follow it up to `operands_at`; each operand is a slice.
    """

    statement: Statement
    opcode: int
    operands_at: int
    operands: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Source:
    """A module's text with its tokens and statements."""

    name: str
    text: str
    tokens: list[Token] = field(init=False)
    statements: list[Statement] = field(init=False)

    def __post_init__(self) -> None:
        """Cuts the text into tokens and statements."""
        self.tokens = list(_tokens(self.text))
        self.statements = list(_statements(self.text, self.tokens))

    def instructions(self) -> list[Instruction]:
        """Returns all instructions, in order."""
        return [_parts(self.tokens, s) for s in self.statements if s.kind == "instruction"]

    def of_kind(self, *kinds: str) -> list[Statement]:
        """Returns the statements of some kinds, in order."""
        return [it for it in self.statements if it.kind in kinds]

    def words(self, statement: Statement) -> list[str]:
        """Returns the texts of the tokens of a statement."""
        return [token.text for token in self.tokens[statement.first : statement.end]]

    def place(self, first: int, end: int) -> tuple[int, int]:
        """Returns where the text of the tokens [first, end) begins and ends."""
        return self.tokens[first].start, self.tokens[end - 1].end

    def between(self, first: int, end: int) -> str:
        """Returns the text of the tokens [first, end)."""
        start, stop = self.place(first, end)
        return self.text[start:stop]


def _tokens(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind not in ("space", "comment"):
            yield Token(kind, match[0], match.start())


def _statements(text: str, tokens: list[Token]) -> Iterator[Statement]:
    at, depth = 0, 0
    while at < len(tokens):
        kind, end = _statement(text, tokens, at)
        if tokens[at].text == "}":
            depth -= 1
        yield Statement(kind, at, end, depth)
        if tokens[at].text == "{":
            depth += 1
        at = end


def _statement(text: str, tokens: list[Token], at: int) -> tuple[str, int]:
    """Returns the kind and the end of the statement that begins at a token."""
    token = tokens[at]
    if token.text in ("{", "}", ";"):
        return "brace", at + 1
    if token.kind == "word" and at + 1 < len(tokens) and tokens[at + 1].text == ":":
        return "label", at + 2
    if token.text in _LINE_DIRECTIVES:
        end = at + 1
        while end < len(tokens) and "\n" not in text[tokens[end - 1].end : tokens[end].start]:
            end += 1
        return "directive", end
    if token.text == ".section":
        return "directive", _closed(tokens, at, "{", "}")
    is_head = False
    for end in range(at, len(tokens)):
        is_head = is_head or tokens[end].text in _FUNCTIONS
        if tokens[end].text == ";":
            return _kind(token, is_head), end + 1
        if is_head and tokens[end].text == "{":
            return "head", end
    return _kind(token, is_head), len(tokens)


def _kind(first: Token, is_head: bool) -> str:  # noqa: FBT001
    if is_head:
        return "head"
    return "directive" if first.kind == "dotted" else "instruction"


def _closed(tokens: list[Token], at: int, opening: str, closing: str) -> int:
    depth = 0
    for end in range(at, len(tokens)):
        depth += (tokens[end].text == opening) - (tokens[end].text == closing)
        if tokens[end].text == closing and not depth:
            return end + 1
    return len(tokens)


def _parts(tokens: list[Token], statement: Statement) -> Instruction:
    opcode = statement.first
    if tokens[opcode].text == "@":
        opcode += 3 if tokens[opcode + 1].text == "!" else 2
    at = opcode + 1
    while tokens[at].kind == "dotted" and tokens[at].start == tokens[at - 1].end:
        at += 1
    return Instruction(
        statement, opcode, at, tuple(split(tokens, at, statement.end - 1, separators=",|"))
    )


def split(
    tokens: list[Token], first: int, end: int, separators: str = ","
) -> Iterator[tuple[int, int]]:
    """Yields the slices of a list of tokens between separators outside of brackets."""
    begin, depth = first, 0
    for at in range(first, end):
        text = tokens[at].text
        depth += (text in _PAIRS) - (text in _PAIRS.values())
        if text in separators and not depth:
            if begin < at:
                yield begin, at
            begin = at + 1
    if begin < end:
        yield begin, end
