"""What a line says to control flow: the opcodes of common lines, the labels of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.flow_codes import LEAVING
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.record import LABEL, Record, Shape
from ptx_ls.syntax.tokens import NUMBER, REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.syntax.tokens import Token

LABEL_WORD: Final = ":"
"""In place of an opcode, for a label."""
PLAIN_BRANCHES: Final = ("bra", "@bra")
GUARDED: Final = frozenset({"@bra", *(f"@{opcode}" for opcode in LEAVING)})
"""Opcodes of a guarded instruction, as `CommonOpcodes` has them."""
_MOST: Final = 10_000
"""Labels that `L<N>` of a list stands for at most."""


class CommonOpcodes(dict["Record", str]):
    """Opcodes of lines that end a block, if it is a branch, to a label alone; "" for others.

    With `@` in front under a guard; `LABEL_WORD` for a label.
    """

    def __missing__(self, read: Record) -> str:
        opcode = ""
        if read is LABEL:
            opcode = LABEL_WORD
        elif isinstance(read, Shape):
            is_plain = read.text == f"{read.guard} {read.opcode} n;".lstrip()
            if read.name in LEAVING or (read.name == "bra" and is_plain):
                opcode = f"{'@' * bool(read.guard)}{read.name}"
        self[read] = opcode
        return opcode


def listed_labels(text: str) -> Iterator[str]:
    """The labels of a `.branchtargets` directive; `L<3>` stands for `L0`, `L1` and `L2`."""
    stream = list(tokenize(text))
    for number, token in enumerate(stream):
        if token.type not in (WORD, REG):
            continue
        count = count_after(stream, number)
        if count is None:
            yield token.string
            continue
        for index in range(min(count, _MOST)):
            yield f"{token.string}{index}"


def count_after(stream: Sequence[Token], number: int) -> int | None:
    """The N of `L<N>` where the token of that number is `L`; None if it stands alone."""
    is_range = stream[number + 1].string == "<" and stream[number + 2].type is NUMBER
    return integer(stream[number + 2].string) if is_range else None
