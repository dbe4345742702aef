"""Offers other spellings of a number: `0f3F800000` as `1.0`, 255 as `0xFF`.

Source: PTX ISA, "Integer Constants" and "Floating-Point Constants". ptxas accepts a decimal
fraction wherever it accepts the bits of a float, except in operands of untyped bits.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Final

from ptx_ls.features.actions.action import Action, ActionKind, edit_once
from ptx_ls.features.cursor import At, cursor
from ptx_ls.features.hover.numbers.literals import shortest
from ptx_ls.source import Position, Range
from ptx_ls.syntax.dotted import first_type, opcode_of
from ptx_ls.syntax.literals import is_out_of_range, number
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.features.cursor import Cursor
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

_MIN_CONVERTED: Final = 10
"""Smaller decimal numbers are not converted."""
_BITS: Final = {".f32": ("0f", ">f"), ".f64": ("0d", ">d")}
_UNTYPED: Final = {".b32": ("0f", 8), ".b64": ("0d", 16)}
_MIN_FLOATS: Final = {".b32": 2.0**-126, ".b64": 2.0**-1022}
"""Integers are not shown as smaller floats, since those have the bits of small integers."""


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """Yields the conversions of the number at the cursor."""
    under = cursor(analysis, selection.start)
    if under is None or under.at is not At.NUMBER or not _is_value(under):
        return
    value = number(under.text)
    if isinstance(value, int) and not is_out_of_range(under.text):
        yield from _integer(under, value)
    elif isinstance(value, float):
        yield from _float(analysis, under, value)


def _is_value(under: Cursor) -> bool:
    """Whether the number is an operand or an initial value, which may have any spelling."""
    kind = under.statement.record.kind
    return kind is Kind.INSTRUCTION or (kind is Kind.DECLARATION and "=" in _before(under))


def _before(under: Cursor) -> str:
    """Returns the statement's text before the number."""
    return under.statement.text[: under.statement.offset(under.range.start)]


def _integer(under: Cursor, value: int) -> Iterator[Action]:
    digits = under.text.rstrip("U")
    suffix = under.text[len(digits) :]
    head = digits[:2].lower()
    is_decimal = digits == "0" or not digits.startswith("0")
    if is_decimal and value < _MIN_CONVERTED:
        return
    spellings = [
        ("decimal", "", str(value)),
        ("hexadecimal", "0x", f"0x{value:X}"),
        ("binary", "0b", f"0b{value:b}"),
    ]
    for name, prefix, text in spellings:
        if (head != prefix if prefix else not is_decimal) and not is_out_of_range(text):
            yield _convert(under.range, text + suffix, name)
    modifier = _last_type(under.statement)
    is_move = opcode_of(under.statement.text).partition(".")[0] == "mov"
    if is_move and modifier in _UNTYPED and _is_whole_operand(under):
        yield from _as_bits(under, value, modifier)


def _as_bits(under: Cursor, value: int, modifier: str) -> Iterator[Action]:
    """Yields the conversion of an integer to the float with its bits, if that is a normal float."""
    place, is_negative = _with_sign(under)
    if place is None:
        return
    prefix, width = _UNTYPED[modifier]
    size = 1 << 4 * width
    if value >= size:
        return
    bits = f"{prefix}{(-value if is_negative else value) % size:0{width}X}"
    as_float = number(bits)
    least = _MIN_FLOATS[modifier]
    if isinstance(as_float, float) and math.isfinite(as_float) and abs(as_float) >= least:
        yield _convert(place, bits, f"the float with these bits, {shortest(bits)}")


def _with_sign(under: Cursor) -> tuple[Range | None, bool]:
    """Returns the range of the number with its minus sign, if any, and whether it has a sign.

    The range is None if white space separates sign and number.
    """
    before = _before(under)
    if not before.rstrip().endswith("-"):
        return under.range, False
    if not before.endswith("-"):
        return None, True
    start = under.range.start
    return Range(Position(start.line, start.column - 1), under.range.end), True


def _float(analysis: Analysis, under: Cursor, value: float) -> Iterator[Action]:
    kind = _type_of(under.statement)
    if kind not in _BITS:
        modifier = _last_type(under.statement)
        if modifier in _UNTYPED and under.text[:2].lower() == _UNTYPED[modifier][0]:
            yield _convert(under.range, f"0x{under.text[2:].upper()}", "hexadecimal")
        return
    if not _is_whole_operand(under):
        return
    prefix, layout = _BITS[kind]
    if under.text[:2].lower() in ("0f", "0d"):
        text = shortest(under.text)
        is_same = under.text[:2].lower() == prefix
        if is_same and math.isfinite(value) and not is_out_of_range(text.removeprefix("-")):
            yield _convert(under.range, text, "decimal")
        return
    place, is_negative = _with_sign(under)
    if place is None:
        return
    try:
        bits = struct.pack(layout, -value if is_negative else value).hex().upper()
    except OverflowError:
        return
    text = analysis.document.lines[place.start.line][place.start.column : place.end.column]
    yield Action(
        f"Convert `{text}` to hexadecimal: `{prefix}{bits}`",
        ActionKind.REWRITE,
        edit_once(place, prefix + bits),
    )


def _convert(place: Range, text: str, what: str) -> Action:
    return Action(f"Convert to {what}: `{text}`", ActionKind.REWRITE, edit_once(place, text))


def _is_whole_operand(under: Cursor) -> bool:
    """Whether the number, perhaps with a sign, is a whole operand or value, not part of a sum."""
    before = _before(under)
    after = under.statement.text[len(before) + len(under.text) :].lstrip()
    front = before.rstrip().removesuffix("-").rstrip()
    return front.endswith((",", "=", "{")) and after[:1] in ("", ",", ";", "}", ")")


def _last_type(statement: Statement) -> str:
    """Returns the type of an instruction's sources: the last type among its modifiers."""
    if statement.record.kind is not Kind.INSTRUCTION:
        return ""
    parts = opcode_parts(statement.parsed.tree)
    return next((text for text, _, _ in reversed(parts[1:]) if text in TYPES), "")


def _type_of(statement: Statement) -> str:
    if statement.record.kind is Kind.INSTRUCTION:
        return _last_type(statement)
    return first_type(statement.text)
