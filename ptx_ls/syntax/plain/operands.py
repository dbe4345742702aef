"""Reads the operands of plain instructions without making a tree.

The text is in canonical form, so it has few different words. A file has some hundred forms of
operands, and to parse one of them takes as long as to look up a hundred lines.
"""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.syntax.names import NAME_PATTERN, NO_MORE
from ptx_ls.syntax.offsets import StatementPosition
from ptx_ls.syntax.operands import (
    SINK,
    Identifier,
    OperandForm,
    OperandSyntax,
    Parts,
    is_parenthesized,
    number_form,
    of_name,
    of_terms,
)

_WORDS: Final = re.compile(
    rf"(?P<name>{NAME_PATTERN}(?:\.\w++)*(?![.:$]))"
    rf"|(?P<number>0(?:\.0|f0{{8}}|d0{{16}})?{NO_MORE})"
    r"|(?P<mark>[-+!~|,()\[\]{}])|\ ++|(?P<other>.)",
    re.ASCII | re.DOTALL,
).finditer
_GUARD: Final = re.compile(rf"@!?({NAME_PATTERN})", re.ASCII).fullmatch
_GROUPS: Final = {
    "[": ("]", OperandForm.ADDRESS),
    "{": ("}", OperandForm.VECTOR),
    "(": (")", OperandForm.LIST),
}
_MAX_DEPTH: Final = 3
"""Maximum depth of groups: `({%r0, %r0})` has two."""
_MAX_NUMBERS: Final = 32
"""Maximum length of a list that may be all numbers; a longer one may be a single token."""
_END: Final = ";"


def plain_parts(guard: str, text: str, start: int) -> Parts | None:
    """Returns the operands and identifiers of an instruction in canonical form.

    Returns None if it is not plain, and has to be parsed.

    Args:
        guard: the guard in canonical form, at the start of the statement; "" for none.
        text: the operands in canonical form.
        start: the column at which they begin.
    """
    reader = _PlainReader(text, start)
    return reader.parts(guard) if reader.is_plain else None


class _NotPlainError(Exception):
    """The operands have to be parsed."""


class _PlainReader:
    """Reads operands from the words of a text."""

    def __init__(self, text: str, start: int) -> None:
        self._text, self._start = text, start
        found = [(each.lastgroup, each[0], each.start()) for each in _WORDS(text) if each.lastgroup]
        self.is_plain = all(kind != "other" for kind, _, _ in found)
        self._words = [*found, ("mark", _END, len(text))]
        self._at = 0
        self._identifiers: list[Identifier] = []

    def parts(self, guard: str) -> Parts | None:
        """Returns the operands and identifiers; None if they have to be parsed."""
        if guard:
            name = _GUARD(guard)
            if name is None:
                return None
            places = StatementPosition((0, name.start(1))), StatementPosition((0, name.end(1)))
            self._identifiers.append(Identifier(name[1], name[1], *places))
        try:
            operands = self._list(_END, 0) if len(self._words) > 1 else []
        except _NotPlainError:
            return None
        return tuple(operands), tuple(self._identifiers)

    def _list(self, closer: str, depth: int) -> list[OperandSyntax]:
        """Reads operands up to a closing mark."""
        found = [self._operand(depth)]
        while (mark := self._next()[1]) == ",":
            found.append(self._operand(depth))
        if mark != closer or (len(found) > _MAX_NUMBERS and not found[0].text.startswith("%")):
            raise _NotPlainError
        return found

    def _operand(self, depth: int) -> OperandSyntax:
        terms = [self._term(depth)]
        signs = set()
        while self._words[self._at][1] in ("+", "-", "|"):
            signs.add(self._next()[1])
            terms.append(self._term(depth))
        if not signs:
            return terms[0]
        return of_terms(tuple(terms), signs, self._between(terms[0].start, terms[-1].end))

    def _term(self, depth: int) -> OperandSyntax:
        signs, start = "", self._place(self._words[self._at][2])
        while self._words[self._at][1] in ("-", "+", "!", "~"):
            signs += self._next()[1]
        inner = self._atom(depth)
        if not signs:
            return inner
        negation = signs.replace("+", "")
        text = self._between(start, inner.end)
        return inner._replace(start=start, text=text, negation=negation)

    def _atom(self, depth: int) -> OperandSyntax:
        kind, text, offset = self._next()
        start, end = self._place(offset), self._place(offset + len(text))
        if kind == "name" and text != SINK:
            self._identifiers.append(Identifier(text.partition(".")[0], text, start, end))
            return of_name(self._identifiers[-1], len(self._identifiers) - 1)
        if kind == "name":
            return OperandSyntax(OperandForm.SINK, start, end, text)
        if kind == "number":
            return OperandSyntax(number_form(text), start, end, text)
        if text not in _GROUPS or depth == _MAX_DEPTH:
            raise _NotPlainError
        return self._group(text, start, depth + 1)

    def _group(self, opener: str, start: StatementPosition, depth: int) -> OperandSyntax:
        closer, form = _GROUPS[opener]
        if self._words[self._at][1] == closer and form is not OperandForm.ADDRESS:
            self._at += 1
            elements = []
        else:
            elements = self._list(closer, depth)
        end = self._place(self._words[self._at - 1][2] + 1)
        if form is OperandForm.LIST and is_parenthesized(elements):
            form = OperandForm.EXPRESSION
        return OperandSyntax(form, start, end, self._between(start, end), elements=tuple(elements))

    def _next(self) -> tuple[str | None, str, int]:
        word = self._words[self._at]
        self._at += 1
        return word

    def _place(self, offset: int) -> StatementPosition:
        return StatementPosition((0, self._start + offset))

    def _between(self, start: StatementPosition, end: StatementPosition) -> str:
        return self._text[start[1] - self._start : end[1] - self._start]
