"""The operands, temporaries and results of one lane that executes pseudo-code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ptx_ls.isa.execution import reals
from ptx_ls.isa.execution.formats import ValueType, value_type
from ptx_ls.isa.execution.reals import Real
from ptx_ls.isa.execution.values import (
    OperandStorage,
    UndeterminedError,
    Value,
    as_integer,
    parts,
    read_scalar,
    write_scalar,
)

_FORMATS_WITH_NANS: Final = frozenset({"f16", "bf16", "f32", "f64", "tf32"})
"""Formats with several NaNs; each of the others has at most one."""


class LaneStorage:
    """The operands, temporaries and results of one lane.

    Attributes:
        places: how each operand is stored in registers.
        operands: the bits of each operand, or, of a vector, of each of its registers.
        values: the values of temporaries, and of operands that were written.
        results: the bits of operands that were written, as in `operands`.
        is_exact: whether the manual specifies all bits of the results.
    """

    def __init__(
        self,
        places: Mapping[str, OperandStorage],
        operands: Mapping[str, int | Sequence[int]],
        values: dict[str, Value],
    ) -> None:
        self.places, self.operands, self.values = places, operands, values
        self.results: dict[str, int | list[int]] = {}
        self.is_exact = True

    def store(self, name: str, value: Value) -> None:
        """Stores a value: as a result if the name is an operand, else as a temporary."""
        place = self.places.get(name)
        if place is None:
            self.values[name] = value
            return
        if place.registers:
            self._store_registers(name, place, value)
            return
        bits = write_scalar(value, place.type)
        self._note_nan(value, place.type)
        self.results[name] = bits
        self.values[name] = read_scalar(bits, place.type)

    def _store_registers(self, name: str, place: OperandStorage, value: Value) -> None:
        if place.is_joined:
            width = place.type.width // place.registers
            whole = write_scalar(value, place.type)
            registers = range(place.registers)
            self.results[name] = [whole >> width * it & (1 << width) - 1 for it in registers]
            self.values[name] = read_scalar(whole, place.type)
        else:
            self.results[name] = [write_scalar(part, place.type) for part in parts(value)]
            self.values[name] = value

    def _note_nan(self, value: Value, type_: ValueType) -> None:
        """Marks the result as not exact if it is a NaN whose bits the manual does not specify."""
        if isinstance(value, list):
            for part in value:
                self._note_nan(part, type_)
        elif isinstance(value, Real) and value.is_nan and value.payload is None:
            has_others = type_.element in _FORMATS_WITH_NANS
            if has_others and value.format != reals.CANONICAL_NAN.format:
                self.is_exact = False

    def store_part(self, name: str, number: int, value: Value) -> None:
        """Stores a part of a packed operand, or one bit."""
        place = self.places.get(name)
        if place is None or place.type.n_parts == 1:
            self.store_bits(name, number, number, as_integer(value))
            return
        element = value_type(place.type.element) or place.type
        bits = write_scalar(value, element)
        self._note_nan(value, element)
        low = number * place.type.stride
        self.store_bits(name, low + place.type.stride - 1, low, bits)

    def store_bits(self, name: str, high: int, low: int, value: int) -> None:
        """Stores the bits from `low` to `high` of an operand."""
        old = self.results.get(name, self.operands.get(name, 0))
        if not isinstance(old, int):
            raise UndeterminedError("bits of a vector")
        mask = (1 << high - low + 1) - 1 << low
        bits = old & ~mask | value << low & mask
        place = self.places[name]
        self.results[name] = bits
        self.values[name] = read_scalar(bits, place.type)

    def read(self, name: str) -> Value:
        """Returns the value of an operand or a temporary. Raises UndeterminedError."""
        if name in self.values:
            return self.values[name]
        place = self.places.get(name)
        if place is None or name not in self.operands:
            raise UndeterminedError(f"{name} is not known")
        found = self.operands[name]
        if isinstance(found, int):
            return read_scalar(found, place.type)
        if not place.is_joined:
            return [read_scalar(bits, place.type) for bits in found]
        width = place.type.width // len(found)
        whole = sum((bits & (1 << width) - 1) << width * it for it, bits in enumerate(found))
        return read_scalar(whole, place.type)
