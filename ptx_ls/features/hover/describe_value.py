"""Says what is known of a value: its number or sum, its range, its alignment, and its space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.hover.numbers.literals import shortest
from ptx_ls.features.markup import Markdown
from ptx_ls.values.affine import GENERIC, TermKind, without_conversions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.affine import AffineForm

_MIN_IN_HEXADECIMAL: Final = 10
_MAX_DECIMAL: Final = 1 << 32
_FLOATING: Final = (".f", ".bf", ".tf", ".e")
_LEAST_FLOAT: Final = 2.0**-32
"""The least number that untyped bits are likely to be; the largest is its inverse."""
_FLOAT_DIGITS: Final = 6
"""Maximum number of digits of such a number."""
_DIGITS: Final = {".f32": "0f{:08X}", ".f64": "0d{:016X}"}
"""The literal with given bits of each floating-point type that has literals."""


def value(name: str, type_: str, found: AbstractValue) -> Markdown:
    """Describes the value of a register of a type; empty if nothing is known.

    The bits of a floating-point number say little, so only a constant is described.
    """
    if found.is_impossible:
        return markup.NOTHING
    if type_.startswith(_FLOATING):
        bits = found.constant
        return markup.NOTHING if bits is None else _float(name, type_, bits)
    if found.constant is not None:
        return _constant(name, type_, found, found.constant)
    form = found.affine
    if form is None:
        return _facts(name, [_range(found), _alignment(found)])
    plain = without_conversions(form)
    shown = f"mapa({plain})" if form.is_mapped else f"{plain}"
    is_address = form.space != "" or form.view != ""
    facts = ["" if is_address else _range(found), _alignment(found), _space(form)]
    return markup.paragraphs(
        markup.code(f"{name} = {shown}") if form.is_mapped or _is_telling(name, plain) else "",
        _facts(name, facts),
    )


def _facts(name: str, facts: Iterable[Markdown | str]) -> Markdown:
    known = [*filter(None, facts)]
    if not known:
        return markup.NOTHING
    *first, last = known
    listed = markup.joined(", and ", [*filter(None, [markup.joined(", ", first)]), last])
    return markup.filled("{} is {}", markup.code(name), listed)


def _float(name: str, type_: str, bits: int) -> Markdown:
    """Returns the number with some bits; "" for a type that has no literals."""
    digits = _DIGITS.get(type_)
    if digits is None:
        return markup.NOTHING
    return markup.code(f"{name} = {shortest(digits.format(bits))}")


def _constant(name: str, type_: str, found: AbstractValue, number: int) -> Markdown:
    if found.width == 1:
        return _facts(name, ["always true here" if number else "always false here"])
    others = []
    if number >= _MIN_IN_HEXADECIMAL:
        others.append(markup.code(f"0x{number:x}"))
    if found.signed_constant != number:
        others.append(markup.filled("signed {}", markup.code(str(found.signed_constant))))
    as_float = _as_float(type_, number)
    if as_float:
        others.append(markup.filled("as a float {}", markup.code(as_float)))
    more = markup.filled(" ({})", markup.joined(", ", others)) if others else ""
    return markup.filled("{}{}", markup.code(f"{name} = {number}"), more)


def _as_float(type_: str, bits: int) -> str:
    """Returns the number that untyped bits are as a float, if it is likely to be one; else ""."""
    digits = _DIGITS.get(type_.replace(".b", ".f"))
    if digits is None:
        return ""
    shown = shortest(digits.format(bits))
    number = float(shown)
    is_usual = _LEAST_FLOAT <= abs(number) <= 1 / _LEAST_FLOAT
    return shown if is_usual and float(f"{number:.{_FLOAT_DIGITS}g}") == number else ""


def _is_telling(name: str, form: AffineForm) -> bool:
    """Whether a form is more than the register itself, as some instruction has written it."""
    if len(form.terms) != 1 or form.offset:
        return True
    ((term, times),) = form.terms
    is_own = term.kind in (TermKind.DEFINITION, TermKind.MERGE)
    return times != 1 or not is_own or term.name != name


def _range(found: AbstractValue) -> str:
    """Returns the range of a value, as a signed or an unsigned number; "" if it is half of all."""
    largest = (1 << found.width) - 1
    ranges = [(found.low, found.high), (found.signed_low, found.signed_high)]
    low, high = min(ranges, key=lambda each: each[1] - each[0])
    if found.width == 1 or high - low > largest // 2:
        return ""
    if (low, high) == (0, largest // 2):
        return "not negative"
    joint = "either {} or {}" if high - low == 1 else "between {} and {}"
    return joint.format(_number(low), _number(high))


def _number(value: int) -> str:
    return str(value) if abs(value) <= _MAX_DECIMAL else f"{value:#x}"


def _alignment(found: AbstractValue) -> str:
    return f"a multiple of {_number(found.alignment)}" if found.alignment > 1 else ""


def _space(form: AffineForm) -> Markdown:
    """Returns the state space that an address points into, and whether it is generic."""
    kind = "a generic address" if form.view == GENERIC else "an address"
    if form.space:
        return markup.filled("{} in {}", kind, markup.code(form.space))
    return markup.own(kind) if form.view == GENERIC else markup.NOTHING
