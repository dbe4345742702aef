"""Parses the pseudo-code of instructions; docs/isa-format.md describes the language.

statement   := "if" "(" expression ")" statement
             | "for" name "in" domain ":" statement*
             | expression ["=" expression] ";"
domain      := expression [".." expression]
expression  := logical ["?" expression ":" expression]
logical     := C's binary operators, with C's precedence
unary       := ("-" | "~" | "!" | "+") unary | postfix
postfix     := atom ("[" expression [":" expression] "]" | "." part | "of lane" unary)*
atom        := number | name | "." slot | function "(" [name "in" domain ":"] expressions ")"
             | "(" expression ")" | "{" expressions "}" | "|" sum "|"
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

from ptx_ls.isa.execution.tree import (
    Assignment,
    Binary,
    BitField,
    BitRange,
    Bits,
    Conditional,
    EffectCall,
    Expression,
    For,
    FunctionCall,
    If,
    Number,
    Over,
    SlotReference,
    Statement,
    Subscript,
    Unary,
    Variable,
    Vector,
)

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|0[fF][0-9a-fA-F]{8}(?![\w.])"
    r"|0[dD][0-9a-fA-F]{16}(?![\w.])|\d+\.(?!\.)\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+U?"
    r"|(?:NaN|Infinity)\b)"
    r"|(?P<name>CC\.CF|[%A-Za-z_$][\w$]*(?:\.[xyzwrgba](?![\w$]))?)"
    r"|(?P<slot>\.(?=[A-Za-z_])[\w:]+)"
    r"|(?P<symbol>\.\.|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>=?:;,(){}\[\]]))"
)
PRECEDENCE: Final = {
    operator: level
    for level, operators in enumerate(
        ("||", "&& BoolOp", "|", "^", "&", "== !=", "< <= > >= CmpOp cmp", "<< >>", "+ -", "* / %")
    )
    for operator in operators.split()
}
"""The precedence of binary operators, as in C: a higher number binds tighter."""
_MAX_DEPTH: Final = 64
"""The maximum nesting of expressions; those in the data nest far less."""


class PseudoCodeError(ValueError):
    """The text is not in the language of the pseudo-code; the message quotes it."""


class _PseudoCodeParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self._tokens())
        self.position = 0
        self.depth = 0

    def _tokens(self) -> list[tuple[str, str]]:
        found = []
        position, text = 0, self.text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise PseudoCodeError(f"cannot read {text[position:]!r} in {text!r}")
            found.append((str(match.lastgroup), match[match.lastgroup or 0]))
            position = match.end()
        return found

    @property
    def is_done(self) -> bool:
        return self.position >= len(self.tokens)

    def peek(self, ahead: int = 0) -> str:
        place = self.position + ahead
        return self.tokens[place][1] if place < len(self.tokens) else ""

    def take(self) -> tuple[str, str]:
        if self.is_done:
            raise PseudoCodeError(f"{self.text!r} ends too early")
        self.position += 1
        return self.tokens[self.position - 1]

    def fail(self) -> NoReturn:
        raise PseudoCodeError(f"{self.peek()!r} is not expected in {self.text!r}")

    def expect(self, text: str) -> None:
        if self.peek() != text:
            self.fail()
        self.take()

    def enter(self) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise PseudoCodeError("the expression is nested too deeply")

    def name(self) -> str:
        kind, text = self.take()
        if kind != "name":
            raise PseudoCodeError(f"{text!r} is not a name in {self.text!r}")
        return text

    def statements(self) -> tuple[Statement, ...]:
        found = []
        while not self.is_done:
            found.append(self.statement())
        return tuple(found)

    def statement(self) -> Statement:
        if self.peek() == "if" and self.peek(1) == "(":
            self.take()
            self.expect("(")
            condition = self.expression()
            self.expect(")")
            return If(condition, self.statement())
        if self.peek() == "for":
            self.take()
            variable = self.name()
            domain = self.domain()
            self.expect(":")
            return For(variable, domain, self.statements())
        target = self.postfix()
        if isinstance(target, FunctionCall) and self.peek() == ";":
            self.take()
            return EffectCall(target)
        self.expect("=")
        value = self.expression()
        self.expect(";")
        return Assignment(target, value)

    def domain(self) -> Expression:
        if self.name() != "in":
            self.fail()
        first = self.expression()
        if self.peek() != "..":
            return first
        self.take()
        return BitRange(first, self.expression())

    def expression(self) -> Expression:
        self.enter()
        condition = self.binary(0)
        if self.peek() == "?":
            self.take()
            then = self.expression()
            self.expect(":")
            condition = Conditional(condition, then, self.expression())
        self.depth -= 1
        return condition

    def binary(self, level: int) -> Expression:
        left = self.unary()
        while PRECEDENCE.get(self.peek(), -1) >= level:
            operator = self.take()[1]
            left = Binary(operator, left, self.binary(PRECEDENCE[operator] + 1))
        return left

    def unary(self) -> Expression:
        if self.peek() in ("-", "~", "!", "+"):
            operator = self.take()[1]
            self.enter()
            operand = self.unary()
            self.depth -= 1
            return operand if operator == "+" else Unary(operator, operand)
        return self.postfix()

    def postfix(self) -> Expression:
        found = self.atom()
        while True:
            kind, text = self.tokens[self.position] if not self.is_done else ("", "")
            if text == "[":
                found = self.subscript(found)
            elif kind == "slot":
                found = self.part(found)
            elif text == "of" and self.peek(1) == "lane":
                self.position += 2
                found = Binary("of lane", found, self.unary())
            else:
                return found

    def subscript(self, operand: Expression) -> Expression:
        self.take()
        index = self.expression()
        if self.peek() == ":":
            self.take()
            low = self.expression()
            self.expect("]")
            return Bits(operand, index, low)
        self.expect("]")
        return Subscript(operand, index)

    def part(self, operand: Expression) -> Expression:
        name = self.take()[1][1:]
        if name not in ("byte", "half"):
            return BitField(operand, name)
        self.expect("[")
        index = self.expression()
        self.expect("]")
        return BitField(operand, name, index)

    def atom(self) -> Expression:
        kind, text = self.take()
        if kind == "number":
            return Number(text)
        if kind in ("name", "slot") and self.peek() == "(":
            return self.call(text)
        if kind == "name":
            return Variable(text)
        if kind == "slot":
            return SlotReference(text[1:])
        if text == "(":
            inner = self.expression()
            self.expect(")")
            return inner
        if text == "{":
            return Vector(self.expressions("}"))
        if text == "|":
            inner = self.binary(PRECEDENCE["+"])
            self.expect("|")
            return Unary("|", inner)
        raise PseudoCodeError(f"{text!r} is not expected in {self.text!r}")

    def expressions(self, end: str) -> tuple[Expression, ...]:
        found = []
        while self.peek() != end:
            found.append(self.expression())
            if self.peek() != end:
                self.expect(",")
        self.take()
        return tuple(found)

    def call(self, function: str) -> Expression:
        self.expect("(")
        if self.peek(1) == "in":
            variable = self.name()
            domain = self.domain()
            self.expect(":")
            body = self.expression()
            self.expect(")")
            return Over(function, variable, domain, body)
        return FunctionCall(function, self.expressions(")"))


def parse_statements(text: str) -> tuple[Statement, ...]:
    """Returns the statements of a line that has no comment. Raises PseudoCodeError."""
    return _PseudoCodeParser(text).statements()


def parse_expression(text: str) -> Expression:
    """Returns a single expression, such as an operand. Raises PseudoCodeError."""
    parser = _PseudoCodeParser(text)
    found = parser.expression()
    if not parser.is_done:
        parser.fail()
    return found
