"""Finds what an instruction computes from its operands; None for most instructions on floats."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from ptx_ls.values import abstract_value
from ptx_ls.values.abstract_value import AbstractValue, constant
from ptx_ls.values.transfer import arithmetic, bitwise, comparison, conversion
from ptx_ls.values.transfer.number_types import FLOAT_WIDTHS, INTEGER_TYPES, IntegerType
from ptx_ls.values.transfer.operation import Operation, Run
from ptx_ls.values.transfer.setp_comparison import comparison_of

_MAX_KEPT: Final = 1 << 12
_WORD: Final = 32
_TABLE_BITS: Final = 8


Builder = Callable[[tuple[str, ...], int], Operation | None]
"""Makes the operation for some modifiers and a number of source operands."""


@lru_cache(maxsize=_MAX_KEPT)
def operation_of(name: str, modifiers: tuple[str, ...], n_sources: int) -> Operation | None:
    """Returns what an instruction computes; None if that is not known here."""
    build = _BUILDERS.get(name)
    found = build(modifiers, n_sources) if build is not None else None
    return found if found is None or len(found.widths) == n_sources else None


def _only_type(modifiers: tuple[str, ...], *others: str) -> IntegerType | None:
    """Returns the type, if there is one type and no modifier except `others`."""
    types = [each for each in modifiers if each not in others]
    return INTEGER_TYPES.get(types[0]) if len(types) == 1 else None


def _plain(count: int, run: Callable[..., AbstractValue], *others: str) -> Builder:
    """Makes a builder for operations that treat signed and unsigned numbers alike."""

    def build(modifiers: tuple[str, ...], _: int) -> Operation | None:
        type_ = _only_type(modifiers, *others)
        return type_ and Operation((type_.width,) * count, run)

    return build


def _signed(count: int, run: Callable[..., AbstractValue]) -> Builder:
    """Makes a builder for operations that depend on whether the numbers are signed."""

    def build(modifiers: tuple[str, ...], _: int) -> Operation | None:
        type_ = _only_type(modifiers)
        return type_ and Operation((type_.width,) * count, partial(run, is_signed=type_.is_signed))

    return build


def _add(modifiers: tuple[str, ...], _: int) -> Operation | None:
    return _sum(modifiers, arithmetic.add, arithmetic.add_saturated)


def _subtract(modifiers: tuple[str, ...], _: int) -> Operation | None:
    return _sum(modifiers, arithmetic.subtract, arithmetic.subtract_saturated)


def _sum(modifiers: tuple[str, ...], run: Run, saturated: Run) -> Operation | None:
    type_ = _only_type(modifiers, ".sat", ".cc")
    if type_ is None or (".sat" in modifiers and not type_.is_signed):
        return None
    return Operation((type_.width,) * 2, saturated if ".sat" in modifiers else run)


_HALVES: Final = (".lo", ".hi", ".wide")


def _product(modifiers: tuple[str, ...]) -> tuple[IntegerType, str] | None:
    """Returns the type and the half of a product."""
    halves = [each for each in modifiers if each in _HALVES]
    type_ = _only_type(modifiers, ".cc", *_HALVES)
    return (type_, halves[0]) if type_ is not None and len(halves) == 1 else None


def _run_of_product(type_: IntegerType, half: str) -> Run:
    if half == ".lo":
        return arithmetic.multiply
    run = arithmetic.multiply_high if half == ".hi" else arithmetic.multiply_wide
    return partial(run, is_signed=type_.is_signed)


def _multiply(modifiers: tuple[str, ...], _: int) -> Operation | None:
    found = _product(modifiers)
    return found and Operation((found[0].width,) * 2, _run_of_product(*found))


def _multiply_add(modifiers: tuple[str, ...], _: int) -> Operation | None:
    found = _product(modifiers)
    if found is None:
        return None
    type_, half = found
    multiply = _run_of_product(type_, half)
    width = type_.width

    def run(left: AbstractValue, right: AbstractValue, term: AbstractValue) -> AbstractValue:
        return arithmetic.add(multiply(left, right), term)

    return Operation((width, width, width * 2 if half == ".wide" else width), run)


def _shift(modifiers: tuple[str, ...], _: int, *, is_left: bool) -> Operation | None:
    type_ = _only_type(modifiers)
    if type_ is None:
        return None
    run: Run = bitwise.shift_left if is_left else bitwise.shift_right
    if type_.is_signed and not is_left:
        run = bitwise.shift_right_signed
    return Operation((type_.width, _WORD), run)


def _look_up(modifiers: tuple[str, ...], _: int) -> Operation | None:
    type_ = _only_type(modifiers)
    if type_ is None:
        return None

    def run(
        first: AbstractValue, second: AbstractValue, third: AbstractValue, table: AbstractValue
    ) -> AbstractValue:
        if table.constant is None:
            return abstract_value.unknown(first.width)
        return bitwise.combine(table.constant, first, second, third)

    return Operation((type_.width,) * 3 + (_TABLE_BITS,), run)


def _extract(modifiers: tuple[str, ...], _: int) -> Operation | None:
    type_ = _only_type(modifiers)
    return type_ and Operation(
        (type_.width, _WORD, _WORD), partial(bitwise.extract, is_signed=type_.is_signed)
    )


def _insert(modifiers: tuple[str, ...], _: int) -> Operation | None:
    type_ = _only_type(modifiers)
    return type_ and Operation((type_.width, type_.width, _WORD, _WORD), bitwise.insert)


def _permute(modifiers: tuple[str, ...], _: int) -> Operation | None:
    return Operation((_WORD,) * 3, bitwise.permute) if modifiers == (".b32",) else None


def _funnel(modifiers: tuple[str, ...], _: int) -> Operation | None:
    if len(modifiers) != 3 or modifiers[2] != ".b32":  # noqa: PLR2004  the way, the mode, the type
        return None
    is_left, is_wrapped = modifiers[0] == ".l", modifiers[1] == ".wrap"

    def run(low: AbstractValue, high: AbstractValue, amount: AbstractValue) -> AbstractValue:
        if amount.constant is None:
            return abstract_value.unknown(_WORD)
        n_bits = amount.constant % _WORD if is_wrapped else min(amount.constant, _WORD)
        return bitwise.funnel(low, high, n_bits, is_left=is_left)

    return Operation((_WORD,) * 3, run)


def _of_one(run: Callable[[AbstractValue], AbstractValue]) -> Builder:
    return _plain(1, run)


def _compare(modifiers: tuple[str, ...], _: int) -> Operation | None:
    found = comparison_of(modifiers)
    if found is None:
        return None
    table, sources = found.table, (found.width, found.width)

    def run(left: AbstractValue, right: AbstractValue, *third: AbstractValue) -> AbstractValue:
        return _combined(found.test(left, right), third, table)

    def second(left: AbstractValue, right: AbstractValue, *third: AbstractValue) -> AbstractValue:
        return _combined(bitwise.invert(found.test(left, right)), third, table)

    return Operation(sources if table is None else (*sources, 1), run, second)


def _combined(
    result: AbstractValue, third: tuple[AbstractValue, ...], table: int | None
) -> AbstractValue:
    return result if table is None else bitwise.combine(table, result, *third)


def _select(modifiers: tuple[str, ...], _: int) -> Operation | None:
    width = _any_width(modifiers)
    return None if not width else Operation((width, width, 1), comparison.choose)


def _select_by_sign(modifiers: tuple[str, ...], _: int) -> Operation | None:
    if len(modifiers) != 2 or modifiers[1] != ".s32":  # noqa: PLR2004  two types
        return None
    width = _any_width(modifiers[:1])
    return None if not width else Operation((width, width, _WORD), comparison.choose_by_sign)


def _any_width(modifiers: tuple[str, ...]) -> int:
    """Returns the width of a type that may be that of a float; 0 if it is not known here."""
    if len(modifiers) != 1:
        return 0
    type_ = INTEGER_TYPES.get(modifiers[0])
    return type_.width if type_ is not None else FLOAT_WIDTHS.get(modifiers[0], 0)


def _move(modifiers: tuple[str, ...], _: int) -> Operation | None:
    width = _any_width(modifiers)
    return None if not width else Operation((width,), conversion.same)


def _convert(modifiers: tuple[str, ...], _: int) -> Operation | None:
    types = [INTEGER_TYPES.get(each) for each in modifiers if each != ".sat"]
    if len(types) != 2 or types[0] is None or types[1] is None:  # noqa: PLR2004  to and from
        return None
    to, source = types[0], types[1]
    run = partial(conversion.convert, to=to.width, is_signed=source.is_signed)
    if ".sat" in modifiers:
        run = partial(
            conversion.saturate, to=to.width, to_signed=to.is_signed, is_signed=source.is_signed
        )
    return Operation((source.width,), run, is_signed=to.is_signed, can_extend=True)


def _load(modifiers: tuple[str, ...], _: int) -> Operation | None:
    """Returns how a loaded value is extended; nothing is known of the value itself."""
    type_ = INTEGER_TYPES.get(modifiers[-1]) if modifiers else None
    if type_ is None:
        return None
    known = abstract_value.unknown(type_.width)
    return Operation((), lambda: known, is_signed=type_.is_signed, can_extend=True)


def _convert_address(modifiers: tuple[str, ...], _: int) -> Operation | None:
    type_ = INTEGER_TYPES.get(modifiers[-1]) if modifiers else None
    if type_ is None:
        return None
    is_same = ".global" in modifiers
    return Operation((type_.width,), conversion.same if is_same else conversion.same_low_bits)


def _map_address(modifiers: tuple[str, ...], _: int) -> Operation | None:
    type_ = INTEGER_TYPES.get(modifiers[-1]) if modifiers else None
    return type_ and Operation(
        (type_.width, _WORD), lambda address, _: conversion.same_low_bits(address)
    )


_BUILDERS: Final[dict[str, Builder]] = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "mad": _multiply_add,
    "div": _signed(2, arithmetic.divide),
    "rem": _signed(2, arithmetic.remainder),
    "min": _signed(2, arithmetic.minimum),
    "max": _signed(2, arithmetic.maximum),
    "neg": _of_one(arithmetic.negate),
    "abs": _of_one(arithmetic.absolute),
    "and": _plain(2, partial(bitwise.combine, bitwise.AND)),
    "or": _plain(2, partial(bitwise.combine, bitwise.OR)),
    "xor": _plain(2, partial(bitwise.combine, bitwise.XOR)),
    "not": _of_one(bitwise.invert),
    "cnot": _of_one(bitwise.is_zero),
    "lop3": _look_up,
    "shl": partial(_shift, is_left=True),
    "shr": partial(_shift, is_left=False),
    "shf": _funnel,
    "bfe": _extract,
    "bfi": _insert,
    "prmt": _permute,
    "brev": _of_one(bitwise.reverse),
    "popc": _of_one(bitwise.count_ones),
    "clz": _of_one(bitwise.count_leading_zeros),
    "setp": _compare,
    "selp": _select,
    "slct": _select_by_sign,
    "mov": _move,
    "cvt": _convert,
    "cvta": _convert_address,
    "mapa": _map_address,
    "ld": _load,
    "ldu": _load,
}
OPCODES: Final = frozenset(_BUILDERS)
"""The opcodes of the instructions that may have an operation."""


def predicate(value: AbstractValue, *, is_negated: bool) -> AbstractValue:
    """Returns a predicate, or its opposite."""
    if not is_negated or value.width != 1:
        return value
    return constant(1, 1 - value.constant) if value.constant is not None else value
