"""Completion of operands that must be one of a few constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.completion.operand_fit import OperandFit
    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa.notation.table import OperandRow

_MAX_VALUES: Final = 32
"""Maximum number of values that are offered; if an operand has more, none are."""


def constants(place: TypingPlace, fit: OperandFit) -> list[CompletionItem]:
    """Completes the operand at the cursor if it must be one of a few constants."""
    row = fit.row
    if row is None or place.inside:
        return []
    return [
        CompletionItem(
            str(value),
            ItemKind.VALUE,
            place.range,
            str(value),
            detail=row.name,
            sort=f"0{number:02}",
        )
        for number, value in enumerate(values_of(row))
    ]


def values_of(row: OperandRow) -> Sequence[float]:
    """Returns the values of an operand; none if it need not be a constant, or has too many."""
    specs = [spec for spec in row.specs if "lenient" not in spec.flags]
    found: list[float] = []
    for spec in specs:
        if spec.kind != "imm":
            return []
        if spec.choices:
            found += spec.choices
        elif spec.low is None or spec.high is None:
            return []
        else:
            found += _range(spec.low, spec.high, spec.multiple)
    return found if len(found) <= _MAX_VALUES else []


def _range(low: int, high: int, multiple: int) -> Iterator[int]:
    for number, value in enumerate(range(low, high + 1, multiple)):
        if number > _MAX_VALUES:
            return
        yield value
