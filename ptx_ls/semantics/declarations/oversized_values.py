"""Finds initial values that have more bits than the elements of their variables.

Source: PTX ISA, "Initializers". ptxas 13.5 stores the low bits of an integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import first_type
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.record_lines import run_start
from ptx_ls.syntax.tokens import FLOAT, NUMBER, tokenize
from ptx_ls.syntax.written.names import numbers_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.syntax.tokens import Token

_EQUALS: Final = "="
_INTEGERS: Final = ("bits", "unsigned", "signed")
_MINUS: Final = "-"
_SIGNS: Final = (_MINUS, "+")
_BEFORE: Final = (_EQUALS, ",", "{")
_AFTER: Final = (",", "}", ";")
_WIDEST: Final = 64


class OversizedValue(NamedTuple):
    """An initial value that does not fit. `bits`: the width of the type, an integer type or not."""

    text: str
    value: float
    type: str
    bits: int
    is_integer: bool
    start: FunctionPosition
    end: FunctionPosition


def oversized_values(text: RegionText, largest_single: float) -> Iterator[OversizedValue]:
    """Yields the initial values of a function, or of the module before it, that do not fit.

    `largest_single`: the limit from which a number does not fit in an `.f32`.
    """
    rows = text.declarations_with(_EQUALS)
    if not rows:
        return
    starts = sorted({run_start(text.records, row) for row in rows})
    for found in text.statements(starts, declaring_only=True):
        if found.record.kind is Kind.DECLARATION and _EQUALS in found.text:
            yield from _in_declaration(found, largest_single)


def _in_declaration(found: Found, largest_single: float) -> Iterator[OversizedValue]:
    head, _, values = found.text.partition(_EQUALS)
    type_ = first_type(head)
    bits, class_ = isa.database().type_facts.get(type_, (0, ""))
    is_integer = class_ in _INTEGERS and 0 < bits < _WIDEST
    is_single = class_ == "float" and bits < _WIDEST
    if not (is_integer or is_single):
        return
    limit = float((1 << bits) - 1) if is_integer else largest_single
    lowest = 1 << (bits - 1) if is_integer else largest_single
    known = {each: number(each) for each in set(numbers_in(values))}
    largest = min(limit, lowest) if _MINUS in values else limit
    if not any(value is not None and abs(value) > largest for value in known.values()):
        return
    for token, sign in _plain_values(found.text):
        value, is_negative = number(token.string), sign.string == _MINUS
        most = lowest if is_negative else limit
        if value is not None and isinstance(value, int) is is_integer and most < value:
            start, end = sign.placed(found.start)[0], token.placed(found.start)[1]
            signed = -value if is_negative else value
            written = _MINUS + token.string if is_negative else token.string
            if signed != float("inf"):
                yield OversizedValue(written, signed, type_, bits, is_integer, start, end)


def _plain_values(text: str) -> Iterator[tuple[Token, Token]]:
    """Yields the values of a declaration that are only a number, each with its sign or itself."""
    tokens = [*tokenize(text)]
    for index in range(1, len(tokens) - 1):
        token, before = tokens[index], index - 1
        if token.type not in (NUMBER, FLOAT) or tokens[index + 1].string not in _AFTER:
            continue
        is_signed = tokens[before].string in _SIGNS
        before -= is_signed
        if before >= 0 and tokens[before].string in _BEFORE:
            yield token, tokens[before + 1]
