"""Reads the operand mini-language of the data files, `reg .type | imm 0..31` (docs/isa-format.md).

Used when data is compiled, never when it is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from ptx_ls.isa.notation.expression_parser import ExpressionError, ExpressionNames, parse_expression
from ptx_ls.isa.notation.table import Node, SpecRow

ROLES = frozenset({"read", "write", "readwrite"})
_FLAGS = frozenset(
    """
    bare braces decimal exact generic imm indexed joined negated offset outside
    plain sink untyped wide word
    """.split()
)
_PACKED = ("call", "packed")
_KINDS = frozenset(
    {
        "reg",
        "wide",
        "val",
        "imm",
        "pred",
        "vec",
        "pack",
        "addr",
        "name",
        "sreg",
        "list",
        "any",
        "str",
    }
)
_RANGE = re.compile(r"(-?\w+)\.\.(-?\w+)$")


class OperandSpecError(ValueError):
    """The operand specification cannot be read; the message quotes it."""


@dataclass(frozen=True)
class OperandSpecs:
    """A parsed specification: the alternatives, and the role, "" if none is named."""

    alternatives: tuple[SpecRow, ...]
    role: str


def _words(text: str) -> list[str]:
    """Splits at white space outside brackets."""
    words = [""]
    depth = 0
    for character in text:
        depth += character in "({"
        depth -= character in ")}"
        if character.isspace() and depth == 0:
            words.append("")
        else:
            words[-1] += character
    return [word for word in words if word]


def parse_operand_spec(text: str, names: ExpressionNames, types: Collection[str]) -> OperandSpecs:
    """Reads alternatives separated by ` | `. Raises OperandSpecError."""
    rows: list[SpecRow] = []
    role = ""
    for alternative in text.split(" | "):
        words = _words(alternative)
        lenient = words[:1] == ["~"]
        words = words[1:] if lenient else words
        roles = [word for word in words if word in ROLES]
        role = roles[0] if roles else role
        words = [word for word in words if word not in ROLES]
        if not words or words[0] not in _KINDS:
            expected = f"expected one of {', '.join(sorted(_KINDS))}"
            raise OperandSpecError(f"{alternative!r} in {text!r} has no operand kind; {expected}")
        try:
            builder = _OperandSpecBuilder(words, names, types)
            if lenient:
                builder.flags.add("lenient")
            rows.extend(builder.rows())
        except (ExpressionError, ValueError) as error:
            raise OperandSpecError(f"{error} in the operand {text!r}") from None
    return OperandSpecs(tuple(rows), role)


class _OperandSpecBuilder:
    def __init__(self, words: list[str], names: ExpressionNames, types: Collection[str]) -> None:
        self.names = names
        self.types = types
        self.kind = words[0]
        self.flags: set[str] = set()
        self.literals: list[str] = []
        self.expressions: list[Node] = []
        self.low: int | None = None
        self.high: int | None = None
        self.multiple = 1
        self.choices: tuple[int | float, ...] = ()
        self.index: Node | None = None
        rest = words[1:]
        while rest:
            rest = self._read(rest)

    def _read(self, words: list[str]) -> list[str]:
        word = words[0]
        bounds = _RANGE.match(word)
        if word in _FLAGS:
            self.flags.add(word)
        elif word == "multiple" and words[1:2] == ["of"]:
            self.multiple = int(words[2])
            return words[3:]
        elif word == "after":
            self.index = self._parse(words[1])
            return words[2:]
        elif word == "in":
            self.choices = tuple(
                _number(item) for item in words[1].strip("{}").replace(",", " ").split()
            )
            return words[2:]
        elif bounds:
            self.low, self.high = int(bounds[1], 0), int(bounds[2], 0)
        elif self.kind == "imm" and re.fullmatch(r"-?[\d.]+", word):
            self.choices = (_number(word),)
        elif self.kind == "name" and not word.startswith("."):
            self.literals.append(word)
        elif self.kind == "addr":
            self._space(word)
        else:
            self.expressions.append(self._parse(word))
        return words[1:]

    def _space(self, word: str) -> None:
        if word[1:] in self.names.slots:
            self.expressions.append(self._parse(word))
        else:
            self.literals.append(word)

    def _parse(self, word: str) -> Node:
        return parse_expression(word, self.names, self.types, types_first=True)[0]

    def rows(self) -> list[SpecRow]:
        expressions = self.expressions
        type_ = expressions[0] if expressions else None
        count = expressions[1] if len(expressions) > 1 else None
        if self.kind == "pred":
            return [self._row("reg", ("constant", ".pred"), None)]
        if self.kind == "wide":
            self.flags.add("wide")
            return [self._row("reg", type_, None)]
        if self.kind == "val":
            return [self._row("reg", type_, None), self._row("imm", type_, None)]
        if self.kind == "vec" and count is None:
            raise ValueError("vec needs a type and a count")
        if self.kind == "vec" and count is not None and count[0] == "slot":
            return [self._row("vec", type_, ("call", "n", (count,)))]
        if self.kind == "vec":
            self.flags.add("braces")
        return [self._row(self.kind, type_, count)]

    def _row(self, kind: str, type_: Node | None, count: Node | None) -> SpecRow:
        spelled_out = type_ is not None and (type_[0] == "constant" or type_[:2] == _PACKED)
        is_fixed = spelled_out and "wide" not in self.flags
        return SpecRow(
            kind=kind,
            type=type_,
            size=count,
            flags=frozenset({*self.flags, "fixed"} if is_fixed else self.flags),
            words=tuple(self.literals),
            low=self.low,
            high=self.high,
            multiple=self.multiple,
            choices=self.choices,
            n_before=self.index,
        )


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text, 0)
