"""Decodes literals: `0f3F800000` is 1.0."""

from __future__ import annotations

import math
import struct
from typing import Final

from ptx_ls.features import markup
from ptx_ls.features.hover.numbers import constants
from ptx_ls.features.markup import Markdown
from ptx_ls.syntax.literals import number

_WIDTHS: Final = (8, 16, 32, 64)
_SINGLE_DIGITS: Final = 9
_MAX_PLAIN_NUMBER: Final = 10
_SINGLE: Final = 32
_BYTE: Final = 8


def describe(text: str, bits: int = 0) -> Markdown | None:
    """Explains a number literal, perhaps with a sign; returns None for other text.

    `bits`: the width of the operand or variable that it is for, 0 if unknown.
    Source: PTX ISA, "Integer Constants" and "Floating-Point Constants".
    """
    value = number(text)
    if value is None:
        return None
    return _float(text, value, bits) if isinstance(value, float) else _integer(text, value, bits)


def is_integer(text: str) -> bool:
    """Whether a literal is an integer in a notation other than decimal."""
    return isinstance(number(text), int) and text[:1] == "0" and len(text) > 1


def short(text: str, signed_bits: int = 0) -> str | None:
    """Returns the value of a literal in a few characters; None if it is written in decimal.

    `signed_bits`: the width of the signed operand that it is for, 0 for other operands.
    """
    value = number(text)
    if isinstance(value, float) and text[:2].lower() in ("0f", "0d"):
        return shortest(text)
    if isinstance(value, int) and is_integer(text):
        is_negative = signed_bits and value < 1 << signed_bits and value >> (signed_bits - 1)
        return str(value - (1 << signed_bits) if is_negative else value)
    return None


def named(text: str) -> str:
    """Returns the shortest name of the constant that a `0f` or `0d` literal rounds; "" for none."""
    value = number(text)
    if not isinstance(value, float) or text[:2].lower() not in ("0f", "0d"):
        return ""
    name = constants.known(abs(value), is_single=text[:2].lower() == "0f")
    name = name.replace("`", "")
    shown = name.partition(": ")[0].rpartition(" = ")[2].rpartition(", ")[2]
    return constants.negated(shown) if value < 0 else shown


def shortest(text: str) -> str:
    """Returns the shortest decimal that reads back as the float of a `0f` or `0d` literal."""
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


def _float(text: str, value: float, bits: int) -> Markdown:
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    is_single = digits[:2].lower() == "0f"
    is_bits = is_single or digits[:2].lower() == "0d"
    kind = ".f32" if is_single or (bits == _SINGLE and not is_bits) else ".f64"
    shown = sign + shortest(digits)
    facts = []
    digits_of_value, is_exact = _in_decimal(value)
    if math.isfinite(value) and digits_of_value != shown.removesuffix(".0"):
        exactly = markup.filled("Exactly {}", markup.code(digits_of_value))
        rounded = markup.filled("With 17 digits: {}", markup.code(digits_of_value))
        facts.append(exactly if is_exact else rounded)
    if math.isfinite(value) and value:
        facts.append(markup.filled("Hexadecimal: {}", markup.code(_hexadecimal(value))))
    if not is_bits:
        facts.append(_as_single(value) if bits == _SINGLE else _as_double(value))
    special = _class(value, is_single=is_single)
    facts += [markup.own(special)] if is_bits and special not in ("normal", shown) else []
    name = constants.known(value, is_single=is_single)
    head = markup.joined(" = ", map(markup.code, [text, shown] if is_bits else [text]))
    known = markup.filled(" = {}", markup.own(name)) if name else ""
    title = markup.filled("{}{} ({})", head, known, markup.code(kind))
    return markup.paragraphs(title, markup.bullets(facts))


def _as_double(value: float) -> Markdown:
    packed = struct.pack(">d", value).hex().upper()
    return markup.filled("As `.f64`: {}", markup.code(f"0d{packed}"))


def _as_single(value: float) -> Markdown:
    """Returns the `.f32` that a decimal number is converted to."""
    try:
        packed = struct.pack(">f", value)
    except OverflowError:
        packed = struct.pack(">f", math.copysign(math.inf, value))
    single = f"0f{packed.hex().upper()}"
    rounded = struct.unpack(">f", packed)[0]
    which = markup.code(shortest(single)) if rounded != value else ""
    what = markup.filled(", which is {}", which) if which else ""
    return markup.filled("As `.f32`: {}{}", markup.code(single), what)


def _hexadecimal(value: float) -> str:
    """Returns `0x1.8p+1`, as in C, without trailing zeros."""
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.')}p{exponent}"


def _in_decimal(value: float) -> tuple[str, bool]:
    """Returns a float in decimal, and whether that is exact: a very long one is rounded."""
    from decimal import Decimal  # noqa: PLC0415  slow to load, and only hovers show it

    exact = str(Decimal(value))
    is_short = len(exact) <= 4 * _MAX_PLAIN_NUMBER
    return (exact, True) if is_short else (f"{value:.17g}", False)


def _class(value: float, *, is_single: bool) -> str:
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else "infinity"
    if value == 0:
        return "zero" if math.copysign(1, value) > 0 else "negative zero"
    least = 2.0**-126 if is_single else 2.0**-1022
    return "subnormal" if abs(value) < least else "normal"


def _integer(text: str, value: int, bits: int) -> Markdown:
    bits = bits if bits in _WIDTHS and -(1 << (bits - 1)) <= value < 1 << bits else 0
    bits = bits or (_WIDTHS[2] if -(1 << 31) <= value < 1 << 32 else _WIDTHS[3])
    pattern = value & ((1 << bits) - 1)
    forms = [str(value), f"0x{pattern:X}", f"0b{pattern:b}"]
    others = [markup.code(form) for form in forms if form.lower() != text.lower().rstrip("u")]
    width = markup.filled(" in {} bits", str(bits)) if value < 0 else ""
    title = markup.filled("{}{}", markup.joined(" = ", [markup.code(text), *others]), width)
    facts = [
        markup.filled("As `.s{}`: {}", str(width), markup.code(str(value - (1 << width))))
        for width in _WIDTHS
        if value > 0 and value >> (width - 1) == 1
    ]
    if bits == _BYTE and chr(pattern).isprintable() and chr(pattern).isascii():
        facts.append(markup.filled("As a character: {}", markup.code(chr(pattern))))
    if bits == _WIDTHS[2] and pattern >= 1 << 23:
        as_float = struct.unpack(">f", struct.pack(">I", pattern))[0]
        facts.append(markup.filled("As the bits of an `.f32`: {}", markup.code(_plain(as_float))))
    return markup.paragraphs(title, markup.bullets(facts))
