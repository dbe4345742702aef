"""Parses the expression language of the data files into trees (see docs/isa-format.md).

    expression  := or [("=>" | "<=>") expression]
    or          := and ("|" and)*
    and         := not ("&" not)*
    not         := "!" not | comparison
    comparison  := sum [("in" | "notin") "{" values "}" | comparator sum]
    comparator  := "==" | "!=" | "<=" | ">=" | "<" | ">"
    sum         := product (("+" | "-") product)*
    product     := atom (("*" | "/") atom)*
    atom        := "(" expression ")" | number | ".modifier" | "?operand" | "name(" arguments ")"
                 | "@table(" arguments ")"

Used when data is compiled, never when it is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from ptx_ls.isa.notation.expression_functions import FUNCTION_NAMES, INSPECTION_NAMES
from ptx_ls.isa.notation.table import Node

_TOKEN = re.compile(
    r"\s*(?:(?P<symbol><=>|=>|==|!=|<=|>=|[<>()&|!*/+,-])"
    r"|(?P<set>\{[^}]*\})|(?P<modifier>\.[\w:]+(?:-\w+)*)|(?P<operand>\?[\w-]+)|(?P<table>@[\w-]+)"
    r"|(?P<number>\d+)|(?P<name>[A-Za-z_][\w-]*))"
)


class ExpressionError(ValueError):
    """The expression cannot be read; the message quotes it."""


class ExpressionNames:
    """The meaning of names in an expression: slots of a form, its modifiers, and its operands."""

    def __init__(
        self,
        slots: Mapping[str, int],
        literals: Mapping[str, tuple[int, ...]],
        operands: Collection[str],
        known: Collection[str],
    ) -> None:
        """`known`: every name that may be absent from this form without being an error."""
        self.slots = slots
        self.literals = literals
        self.operands = operands
        self.known = known

    def modifier(self, text: str) -> Node:
        """Returns a node for a slot's value, or for the presence of a literal modifier."""
        name = text[1:]
        if name in self.slots:
            return ("slot", self.slots[name])
        if text in self.literals:
            return ("present", text, self.literals[text])
        if name in self.known or text in self.known:
            return ("constant", "")
        raise ExpressionError(f"unknown slot or modifier {text!r}")


class _ExpressionParser:
    def __init__(
        self, source: str, names: ExpressionNames, types: Collection[str], *, types_first: bool
    ) -> None:
        self.source = source
        self.types_first = types_first
        self.names = names
        self.types = types
        self.tokens = self._tokenize()
        self.position = 0
        self.needs_operands = False

    def _tokenize(self) -> list[tuple[str, str]]:
        tokens = []
        position = 0
        text = self.source.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise ExpressionError(f"cannot read {text[position:]!r} in {self.source!r}")
            tokens.append((str(match.lastgroup), match.group(match.lastgroup or 0)))
            position = match.end()
        return tokens

    def peek(self) -> str:
        return self.tokens[self.position][1] if self.position < len(self.tokens) else ""

    def take(self) -> tuple[str, str]:
        if self.position >= len(self.tokens):
            raise ExpressionError(f"{self.source!r} ends too early")
        self.position += 1
        return self.tokens[self.position - 1]

    def expect(self, text: str) -> None:
        if self.take()[1] != text:
            raise ExpressionError(f"{text!r} is missing in {self.source!r}")

    def expression(self) -> Node:
        left = self.alternatives("|", lambda: self.alternatives("&", self.negation))
        if self.peek() in ("=>", "<=>"):
            return (self.take()[1], left, self.expression())
        return left

    def alternatives(self, symbol: str, part: Callable[[], Node]) -> Node:
        parts = [part()]
        while self.peek() == symbol:
            self.take()
            parts.append(part())
        return parts[0] if len(parts) == 1 else (symbol, tuple(parts))

    def negation(self) -> Node:
        if self.peek() == "!":
            self.take()
            return ("!", self.negation())
        return self.comparison()

    def comparison(self) -> Node:
        left = self.sum()
        symbol = self.peek()
        if symbol in ("in", "notin"):
            self.take()
            return (symbol, left, self.values())
        if symbol in ("==", "!=", "<=", ">=", "<", ">"):
            self.take()
            right = self.sum()
            return ("compare", symbol, left, right)
        return left

    def values(self) -> frozenset[str | int]:
        kind, text = self.take()
        if kind != "set":
            raise ExpressionError(f"a set in braces is missing in {self.source!r}")
        words = text[1:-1].replace(",", " ").split()
        return frozenset(
            "" if word == "none" else int(word) if word.isdecimal() else word for word in words
        )

    def sum(self) -> Node:
        left = self.product()
        while self.peek() in ("+", "-"):
            symbol = self.take()[1]
            left = ("compute", symbol, left, self.product())
        return left

    def product(self) -> Node:
        left = self.atom()
        while self.peek() in ("*", "/"):
            symbol = self.take()[1]
            left = ("compute", symbol, left, self.atom())
        return left

    def atom(self) -> Node:
        kind, text = self.take()
        if text == "(":
            inner = self.expression()
            self.expect(")")
            return inner
        if kind == "number":
            return ("constant", int(text))
        if kind == "operand":
            self.needs_operands = True
            if text[1:] not in self.names.operands and text[1:] not in self.names.known:
                raise ExpressionError(f"unknown operand {text[1:]!r} in {self.source!r}")
            return ("?", text[1:])
        if kind == "modifier":
            return self.modifier(text)
        if kind == "table":
            return ("lookup", text[1:], self.arguments())
        if kind == "name" and self.peek() == "(":
            return self.function(text)
        raise ExpressionError(f"{text!r} is not expected in {self.source!r}")

    def modifier(self, text: str) -> Node:
        if self.types_first and text in self.types:
            return ("constant", text)
        try:
            return self.names.modifier(text)
        except ExpressionError as error:
            if text in self.types:
                return ("constant", text)
            raise ExpressionError(f"{error} in {self.source!r}") from None

    def arguments(self) -> tuple[Node, ...]:
        self.expect("(")
        parts = [self.expression()]
        while self.peek() == ",":
            self.take()
            parts.append(self.expression())
        self.expect(")")
        return tuple(parts)

    def function(self, name: str) -> Node:
        if name in FUNCTION_NAMES:
            return ("call", name, self.arguments())
        if name not in INSPECTION_NAMES:
            raise ExpressionError(f"unknown function {name!r} in {self.source!r}")
        self.needs_operands = True
        self.expect("(")
        operand = self.take()[1]
        self.expect(")")
        if operand not in self.names.operands and operand not in self.names.known:
            raise ExpressionError(f"unknown operand {operand!r} in {self.source!r}")
        return ("inspect", name, operand)


def parse_expression(
    source: str, names: ExpressionNames, types: Collection[str], *, types_first: bool = False
) -> tuple[Node, bool]:
    """Parses an expression; returns its tree, and whether it examines operands.

    With `types_first`, a name in `types` is always a value. Otherwise, it is one only if the form
    has no such modifier: else `.f32` in a rule tests whether `.f32` is written.
    Raises ExpressionError.
    """
    parser = _ExpressionParser(source, names, types, types_first=types_first)
    tree = parser.expression()
    if parser.position != len(parser.tokens):
        raise ExpressionError(f"{parser.peek()!r} is not expected in {source!r}")
    return tree, parser.needs_operands
