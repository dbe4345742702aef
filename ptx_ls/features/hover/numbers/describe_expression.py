"""Shows the value of a constant expression."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.markup import Markdown
from ptx_ls.handbook.chapters.links import links_to
from ptx_ls.semantics.constants.values import value_of
from ptx_ls.source import Range
from ptx_ls.syntax.tokens import FLOAT, NUMBER, OPERATOR, WORD, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.source import Position
    from ptx_ls.syntax.statement import Statement
    from ptx_ls.syntax.tokens import Token

_DELIMITERS: Final = ",{}[];"
_MAX_LENGTH: Final = 400
"""Maximum length of the text around the cursor that is searched, to each side."""
_MIN_IN_HEXADECIMAL: Final = 10
_NOT_IN_ONE: Final = frozenset({"=", "@", *_DELIMITERS})
_CHAPTER: Final = "constant-expressions"
_NAMES: Final = frozenset({"WARP_SZ", ".s64", ".u64"})


def expression_at(statement: Statement, position: Position) -> tuple[Range, Markdown] | None:
    """Returns the constant expression at a position, with its value.

    Returns None for a literal by itself, and where there is no expression.
    """
    offset = statement.offset(position)
    start = _start(statement.text, offset)
    after = statement.text[offset : offset + _MAX_LENGTH]
    end = offset + len("".join(takewhile(lambda each: each not in _DELIMITERS, after)))
    window = statement.text[start:end]
    if "\n" in window:
        return None  # the columns of tokens would not be offsets
    tokens = [token for token in tokenize(window) if token.string]
    around = _around(tokens, offset - start)
    if len(around) < 2:  # noqa: PLR2004  a literal
        return None
    first, last = around[0].start[1], around[-1].start[1] + len(around[-1].string)
    text = window[first:last]
    value = value_of(text)
    if value is None or (len(around) == 2 and around[0].string in "+-"):  # noqa: PLR2004  a sign
        return None
    place = Range(
        position._replace(column=position.column + start + first - offset),
        position._replace(column=position.column + start + last - offset),
    )
    chapter = markup.own(*links_to(_CHAPTER))
    return place, markup.filled("{} = {} · {}", markup.code(text), _forms(value), chapter)


def _forms(value: float) -> Markdown:
    """Returns a value, and a larger integer in hexadecimal, too."""
    forms = [str(value)]
    if isinstance(value, int) and value >= _MIN_IN_HEXADECIMAL:
        forms.append(f"{value:#x}")
    return markup.joined(" = ", map(markup.code, forms))


def _start(text: str, offset: int) -> int:
    """Returns the offset after the last delimiter before another offset."""
    first = max(0, offset - _MAX_LENGTH)
    return max(first, 1 + max(text.rfind(each, first, offset) for each in _DELIMITERS))


def _around(tokens: Iterable[Token], offset: int) -> list[Token]:
    """Returns the tokens of the expression at an offset; [] if there is none."""
    found: list[Token] = []
    is_found = False
    for token in tokens:
        is_part = (
            token.type in (NUMBER, FLOAT)
            or (token.type is OPERATOR and token.string not in _NOT_IN_ONE)
            or (token.type is WORD and token.string in _NAMES)
        )
        if is_part:
            found.append(token)
            is_found |= token.start[1] <= offset <= token.start[1] + len(token.string)
        elif is_found:
            break
        else:
            found = []
    return found if is_found else []
