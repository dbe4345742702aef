"""Literals decoded: `0f3F800000` is 1.0."""

from __future__ import annotations

import math
import struct
from typing import Final

from ptx_ls.features import constants, markup
from ptx_ls.semantics.operands import number

_WIDTHS: Final = (8, 16, 32, 64)
_SINGLE_DIGITS: Final = 9
_TINY: Final = 10


def describe(text: str) -> str | None:
    """Markdown on a number literal as written; None if it is none.

    Source: PTX ISA, "Integer Constants" and "Floating-Point Constants".
    """
    value = number(text)
    if value is None:
        return None
    if isinstance(value, float):
        return _float(text, value)
    return _integer(text, value)


def short(text: str) -> str | None:
    """The value in a few characters, for places where the literal hides it."""
    value = number(text)
    if isinstance(value, float) and text[:2].lower() in ("0f", "0d"):
        return shortest(text)
    if isinstance(value, int) and text[:1] == "0" and len(text) > 1:
        return str(value)
    return None


def shortest(text: str) -> str:
    """The shortest decimal that reads back as the float of a `0f` or `0d` literal."""
    value = number(text)
    if not isinstance(value, float):
        return text
    if text[:2].lower() == "0f" and math.isfinite(value):
        for digits in range(1, _SINGLE_DIGITS + 1):
            shown = f"{value:.{digits}g}"
            if struct.pack(">f", float(shown)) == struct.pack(">f", value):
                return _plain(float(shown))
    return _plain(value)


def _plain(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    return repr(value)


def _float(text: str, value: float) -> str:
    is_single = text[:2].lower() == "0f"
    is_bits = is_single or text[:2].lower() == "0d"
    kind = ".f32" if is_single else ".f64"
    rows = [("value", markup.code(shortest(text)))]
    if math.isfinite(value):
        rows.append(("exact", markup.code(_exact(value))))
        rows.append(("hexadecimal", markup.code(value.hex())))
    name = constants.known(value, is_single=is_single)
    rows += [("known as", name)] if name else []
    if is_bits:
        rows.append(("class", _class(value, is_single=is_single)))
    else:
        bits = struct.pack(">d", value).hex().upper()
        rows.append(("as .f64", markup.code(f"0d{bits}")))
    title = f"{markup.code(text)}: {kind} literal" if is_bits else f"{markup.code(text)}: decimal"
    return markup.paragraphs(title, markup.table(("", ""), rows))


def _exact(value: float) -> str:
    from decimal import Decimal  # noqa: PLC0415  slow to load, and only hovers show it

    exact = str(Decimal(value))
    return exact if len(exact) <= 4 * _TINY else f"{value:.17g}"


def _class(value: float, *, is_single: bool) -> str:
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else "infinity"
    if value == 0:
        return "zero" if math.copysign(1, value) > 0 else "negative zero"
    least = 2.0**-126 if is_single else 2.0**-1022
    return "subnormal" if abs(value) < least else "normal"


def _integer(text: str, value: int) -> str:
    width = next((bits for bits in _WIDTHS[2:] if value < 1 << bits), 64)
    rows = [
        ("decimal", markup.code(f"{value:,}".replace(",", "_") if value >= 10**5 else str(value))),
        ("hexadecimal", markup.code(f"0x{value:X}")),
        ("binary", markup.code(f"0b{value:b}")),
    ]
    rows += [
        (f"as .s{bits}", markup.code(str(value - (1 << bits))))
        for bits in _WIDTHS
        if value >> (bits - 1) == 1
    ]
    if width == _WIDTHS[2] and value >= 1 << 23:
        as_float = struct.unpack(">f", struct.pack(">I", value))[0]
        rows.append(("bits as .f32", markup.code(_plain(as_float))))
    return markup.paragraphs(f"{markup.code(text)}: integer literal", markup.table(("", ""), rows))
