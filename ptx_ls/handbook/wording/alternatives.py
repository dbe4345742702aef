"""Joins the descriptions of what an operand may be: those that are nearly equal become one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ptx_ls.isa.articles import with_indefinite

_OF_TYPE: Final = " of type "
_QUOTE: Final = "`"
_OR_DISCARDED: Final = ", or `_`"
SKIPPING: Final = " (`_` skips an element)"
"""Ends the description of a vector of which elements may be omitted."""
_SEVERAL: Final = ("registers", "anything", _QUOTE)
_NAME: Final = "name of "
_CONSTANT: Final = "constant "
_NUMERALS: Final = frozenset("-0123456789")
"""The first characters of a constant that is given itself, not by a range."""


def alternatives(texts: Iterable[str]) -> str:
    """Returns "a register of type `.b8` or `.b16`, or the name of a variable"."""
    found: list[str] = []
    unique = dict.fromkeys(filter(None, texts))
    for text in unique:
        if f"{text}{SKIPPING}" in unique:
            continue
        for index, other in enumerate(found):
            merged = _of_types(other, text) or _of_counts(other, text)
            if merged:
                found[index] = merged
                break
        else:
            register = text.removesuffix(_OR_DISCARDED)
            is_told = register != text and any(each.startswith(register) for each in found)
            found.append("`_`" if is_told else text)
    shown = [*map(_with_article, found)]
    if len(shown) > 1 and any("," in each for each in shown):
        return "; or ".join(shown)
    return ", ".join([*shown[:-1], f"or {shown[-1]}"]) if len(shown) > 1 else "".join(shown)


def _of_types(one: str, two: str) -> str:
    """Returns the description with both types if two descriptions have different ones, else ""."""
    start, type_, end = _around_type(one)
    if not type_ or (start, end) != _around_type(two)[::2]:
        return ""
    return f"{start}{_OF_TYPE}{type_} or {_around_type(two)[1]}{end}"


def _around_type(text: str) -> tuple[str, str, str]:
    """Returns the text before the type, the type, and the text after it; "" without a type."""
    start, _, rest = text.partition(_OF_TYPE)
    if not rest.startswith(_QUOTE):
        return text, "", ""
    end = rest.index(_QUOTE, 1) + 1
    return start, rest[:end], rest[end:]


def _of_counts(one: str, two: str) -> str:
    """Returns the description with both counts if the second always allows one more, else ""."""
    count, _, counted = two.partition(" ")
    if not count.isdigit() or not one[:1].isdigit() or not one.endswith(f" {counted}"):
        return ""
    return f"{one} ({count} are always allowed)"


def _with_article(text: str) -> str:
    if text[:1].isdigit() or text.startswith(_SEVERAL):
        return text
    is_one = text.startswith(_NAME) or text.removeprefix(_CONSTANT)[:1] in _NUMERALS
    return f"the {text}" if is_one else with_indefinite(text)
