"""Reads register declarations, such as `.reg .b32 %r<4>, sum;`.

Source: PTX ISA, "Parameterized Variable Names".
"""

from __future__ import annotations

from typing import Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.tokens import DIRECTIVE, ENDMARKER, NUMBER, REG, TYPE, VECTOR, WORD, tokenize

_OF_HEAD: Final = (DIRECTIVE, VECTOR, TYPE, NUMBER)


class RegisterName(NamedTuple):
    """A name in a declaration; `count` is the N of `%r<N>`, None for a single name."""

    name: str
    count: int | None = None  # type: ignore[assignment]  # hides tuple.count, which nothing needs

    def __str__(self) -> str:
        return self.name if self.count is None else f"{self.name}<{self.count}>"


def declared_registers(text: str) -> tuple[str, list[RegisterName]] | None:
    """Returns the names in a `.reg` declaration, after the part before them, such as `.reg .b32`.

    Returns None for other statements, and for declarations with comments or syntax errors.
    """
    tokens = list(tokenize(text))
    at = next(n for n, it in enumerate(tokens) if it.type in (WORD, REG, ENDMARKER))
    head = [it.string for it in tokens[:at] if it.type in _OF_HEAD]
    if head[:1] != [".reg"] or len(head) != at or at == 1 or any("/" in it.prefix for it in tokens):
        return None
    names: list[RegisterName] = []
    while tokens[at].type in (WORD, REG) and "." not in tokens[at].string:
        name, count = tokens[at].string, None
        at += 1
        if tokens[at].string == "<":
            count = integer(tokens[at + 1].string)
            if count is None or tokens[at + 2].string != ">":
                return None
            at += 3
        names.append(RegisterName(name, count))
        if tokens[at].string == ";":
            return " ".join(head), names
        if tokens[at].string != ",":
            return None
        at += 1
    return None
