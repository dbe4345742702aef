"""Integer formulas of the data files, such as `lane / 4 + 8 * (i / 2 % 2)`: read, evaluate, print.

    formula := sum ("==" sum)*
    sum     := product (("+" | "-") product)*
    product := atom (("*" | "/" | "%") atom)*
    atom    := number | name | "(" formula ")"

Division rounds down; a comparison is 1 or 0. `Formula.given` replaces names with numbers and
drops operations without effect, so that a general formula reads like the manual's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_TOKEN: Final = re.compile(r"\s*(?:(\d+)|([a-z_]\w*)|(==|[-+*/%()]))")
_PRECEDENCE: Final = {"==": 0, "+": 1, "-": 1, "*": 2, "/": 2, "%": 2}

Tree = int | str | tuple["str", "Tree", "Tree"]
Bounds = Mapping[str, tuple[int, int]]


class FormulaError(ValueError):
    """The text is not a formula, or a name in it has no value."""


class Formula:
    """A formula over named integers. Immutable; `str()` returns its text."""

    __slots__ = ("tree",)

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    @classmethod
    def parse(cls, text: str | int) -> Formula:
        """Reads a formula. Raises FormulaError."""
        return cls(_FormulaParser(str(text)).whole())

    def value(self, names: Mapping[str, int]) -> int:
        """Returns the value with these numbers for names. Raises FormulaError if one is missing."""
        return _value(self.tree, names)

    def given(self, names: Mapping[str, int], bounds: Bounds) -> Formula:
        """Returns the formula with numbers for some names; `bounds` (inclusive) limits the others.

        Names without bounds may have any value from 0 on.
        """
        return Formula(_simplified(self.tree, names, bounds))

    def __str__(self) -> str:
        return _text(self.tree, 0)

    def __repr__(self) -> str:
        return f"Formula({self})"


class _FormulaParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = []
        position = 0
        while position < len(text.rstrip()):
            match = _TOKEN.match(text, position)
            if match is None:
                raise FormulaError(f"cannot read {text[position:]!r} in {text!r}")
            self.tokens.append(match[0].strip())
            position = match.end()
        self.position = 0

    def whole(self) -> Tree:
        tree = self.binary(0)
        if self.position < len(self.tokens):
            raise FormulaError(f"{self.tokens[self.position]!r} is not expected in {self.text!r}")
        return tree

    def take(self) -> str:
        if self.position >= len(self.tokens):
            raise FormulaError(f"{self.text!r} ends too early")
        self.position += 1
        return self.tokens[self.position - 1]

    def binary(self, level: int) -> Tree:
        """Parses a chain of operators of this precedence, grouped from the left."""
        last = max(_PRECEDENCE.values())
        left = self.atom() if level > last else self.binary(level + 1)
        while (
            self.position < len(self.tokens)
            and _PRECEDENCE.get(self.tokens[self.position]) == level
        ):
            symbol = self.take()
            left = (symbol, left, self.atom() if level == last else self.binary(level + 1))
        return left

    def atom(self) -> Tree:
        token = self.take()
        if token == "(":
            inner = self.binary(0)
            if self.take() != ")":
                raise FormulaError(f"')' is missing in {self.text!r}")
            return inner
        if token.isdecimal():
            return int(token)
        if token in _PRECEDENCE or token == ")":
            raise FormulaError(f"{token!r} is not expected in {self.text!r}")
        return token


def _compute(symbol: str, left: int, right: int) -> int:
    match symbol:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "==":
            return int(left == right)
        case _ if right == 0:
            raise FormulaError("division by zero")
        case "/":
            return left // right
        case _:
            return left % right


def _value(tree: Tree, names: Mapping[str, int]) -> int:
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        if tree not in names:
            raise FormulaError(f"nothing is known about {tree}")
        return names[tree]
    return _compute(tree[0], _value(tree[1], names), _value(tree[2], names))


def _simplified(tree: Tree, names: Mapping[str, int], bounds: Bounds) -> Tree:
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return names.get(tree, tree)
    symbol = tree[0]
    left, right = _simplified(tree[1], names, bounds), _simplified(tree[2], names, bounds)
    if isinstance(left, int) and isinstance(right, int):
        return _compute(symbol, left, right)
    if symbol == "*" and isinstance(left, tuple) and isinstance(right, int):
        left, right = right, left  # numbers first, so that they can be combined
    return _neutral(symbol, left, right, bounds)


def _neutral(symbol: str, left: Tree, right: Tree, bounds: Bounds) -> Tree:
    """Returns an operation, or its operand if it has no effect, such as `x + 0`."""
    if symbol in "+-" and right == 0:
        return left
    if symbol == "+" and left == 0:
        return right
    if symbol == "*" and 0 in (left, right):
        return 0
    if symbol == "*" and left == 1:
        return right
    if symbol in "*/" and right == 1:
        return left
    if symbol in "/%" and isinstance(right, int):
        low, high = _range(left, bounds)
        if symbol == "%" and right == 1:
            return 0
        if low >= 0 and high < right:
            return 0 if symbol == "/" else left
    return (symbol, left, right)


_ENDLESS: Final = 1 << 62


def _range(tree: Tree, bounds: Bounds) -> tuple[int, int]:
    """Returns bounds of the value, for formulas that are never negative."""
    if isinstance(tree, int):
        return tree, tree
    if isinstance(tree, str):
        return bounds.get(tree, (0, _ENDLESS))
    symbol = tree[0]
    (low, high), (least, most) = _range(tree[1], bounds), _range(tree[2], bounds)
    match symbol:
        case "+":
            return low + least, high + most
        case "*" if low >= 0 and least >= 0:
            return low * least, high * most
        case "/" if low >= 0 and least > 0:
            return low // most, high // least
        case "%" if low >= 0 and least > 0:
            return 0, min(high, most - 1)
        case "==":
            return 0, 1
        case _:
            return -_ENDLESS, _ENDLESS


def _text(tree: Tree, level: int) -> str:
    if isinstance(tree, int | str):
        return str(tree)
    own = _PRECEDENCE[tree[0]]
    text = f"{_text(tree[1], own)} {tree[0]} {_text(tree[2], own + 1)}"
    return f"({text})" if own < level else text
