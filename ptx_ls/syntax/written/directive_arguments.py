"""Reads arguments of directives, such as the 32 of `.maxnreg 32`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ptx_ls.syntax.tokens import NUMBER, tokenize

if TYPE_CHECKING:
    from ptx_ls.syntax.tokens import Token


def number_after(directive: str, text: str) -> Token | None:
    """Returns the number after the first occurrence of a directive, such as `.maxnreg`.

    Returns None if the directive is not in the text, or has no number.
    """
    if directive in text:
        for name, argument in pairwise(tokenize(text)):
            if name.string == directive:
                return argument if argument.type is NUMBER else None
    return None
