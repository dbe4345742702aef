"""Converts diagnostics and other immutable values to plain JSON values, and back.

Reading them never runs code from the file, unlike with pickles.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.source import (
    Applicability,
    Diagnostic,
    Fix,
    Offers,
    Position,
    Range,
    RelatedRange,
    Severity,
    Single,
    Tag,
    TextEdit,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_PLAIN: Final = frozenset({str, int, bool, type(None)})
_TUPLE: Final = 0
_SET: Final = 1
_OFFERS: Final = 2
_FIRST_CLASS: Final = 3
"""Numbers that begin a list; those from the last one on are of classes."""
OF_DIAGNOSTICS: Final = (
    Applicability,
    Diagnostic,
    Fix,
    Position,
    Range,
    RelatedRange,
    Severity,
    Single,
    Tag,
    TextEdit,
)
"""The classes of the values in a diagnostic."""


class PlainValues:
    """Converts values of some classes: named tuples and enumerations.

    `classes`: in an order that is the same in both directions.
    """

    def __init__(self, classes: Sequence[type[Any]] = OF_DIAGNOSTICS) -> None:
        self._numbers = {each: number for number, each in enumerate(classes, _FIRST_CLASS)}
        self._defaults = {
            number: [*reversed(getattr(each, "_field_defaults", {}).values())]
            for each, number in self._numbers.items()
        }
        """The values of the last fields, from the last one on, that need not be stored."""
        self._makers: list[Callable[..., Any]] = [
            _tuple,
            _set,
            _offers,
            *classes,
        ]

    def plain(self, value: Any) -> Any:  # noqa: ANN401  a value of any of the classes
        """Returns a value as lists, texts and numbers.

        Raises:
            KeyError: if it is of another class.
        """
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is tuple:
            return [_TUPLE, *map(self.plain, value)]
        if kind is frozenset:
            return [_SET, *sorted(map(self.plain, value), key=repr)]
        if kind is Offers:
            return [_OFFERS, self.plain(value.found)]
        number = self._numbers[kind]
        if isinstance(value, Enum):
            return [number, value.value]
        fields = [*value]
        for default in self._defaults[number]:
            if fields[-1] != default:
                break
            fields.pop()
        return [number, *map(self.plain, fields)]

    def value(self, plain: Any) -> Any:  # noqa: ANN401  as above
        """Returns the value that `plain` made lists of."""
        if type(plain) is not list:
            return plain
        parts = [self.value(each) if type(each) is list else each for each in plain]
        return self._makers[parts[0]](*parts[1:])


def _tuple(*items: Any) -> tuple[Any, ...]:  # noqa: ANN401  items of any kind
    return items


def _set(*items: Any) -> frozenset[Any]:  # noqa: ANN401  as above
    return frozenset(items)


def _offers(found: tuple[Fix, ...] | None) -> Offers:
    return Offers(tuple, found)
