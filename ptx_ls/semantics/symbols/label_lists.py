"""Reads lists of labels, where `L<3>` is short for `L0`, `L1` and `L2`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.tokens import NUMBER, REG, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.syntax.tokens import Token

MAX_LABELS_OF_RANGE: Final = 10_000
"""Maximum number of labels that one `L<N>` expands to."""


def listed_labels(text: str) -> tuple[str, ...]:
    """Returns the labels in a `.branchtargets` directive, with ranges expanded."""
    return tuple(_labels(list(tokenize(text))))


def _labels(stream: Sequence[Token]) -> Iterator[str]:
    for number, token in enumerate(stream):
        if token.type not in (WORD, REG):
            continue
        count = count_after(stream, number)
        if count is None:
            yield token.string
            continue
        for index in range(min(count, MAX_LABELS_OF_RANGE)):
            yield f"{token.string}{index}"


def count_after(stream: Sequence[Token], number: int) -> int | None:
    """Returns the N of `L<N>` if token `number` is `L`; None if that is a single label."""
    is_range = stream[number + 1].string == "<" and stream[number + 2].type is NUMBER
    return integer(stream[number + 2].string) if is_range else None
