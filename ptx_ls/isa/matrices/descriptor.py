"""The fields of descriptors of matrices in shared memory, and of `tcgen05` instructions.

The data is part of `data/layouts.toml`. Only some bits of a descriptor may be known, because its
address is computed: then the fields whose bits are all known are decoded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.isa.database import database
from ptx_ls.isa.matrices.swizzle import modes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa.matrices.swizzle import Swizzle

_OF_KIND: Final = "types"
"""Marks a field whose numbers are types, which differ from kind to kind."""


@dataclass(frozen=True, slots=True)
class DescriptorField:
    """Some bits of a descriptor. `phrases`: the meaning of each number; empty if it is a size.

    `is_open`: whether numbers without a phrase are legal, and shown as they are.
    """

    first: int
    last: int
    name: str
    times: int
    phrases: Mapping[int, str]
    is_open: bool
    is_address: bool

    def number(self, zeros: int, ones: int) -> int | None:
        """Returns the number in the field, given the bits that are 0 and 1; None if unknown."""
        mask = (2 << self.last - self.first) - 1
        if (zeros | ones) >> self.first & mask != mask:
            return None
        return ones >> self.first & mask

    def text(self, number: int) -> str:
        """Returns the field with a number in it as a phrase; "" for the usual case."""
        phrase = self.phrases.get(number)
        if phrase is not None and (not phrase or not self.name):
            return phrase
        value = number * self.times
        shown = phrase or (f"`{value:#x}`" if self.is_address else f"{value:,}")
        is_undefined = self.phrases and not phrase and not self.is_open
        verb = "" if self.name.endswith((" is", " are")) else " is"
        return f"{self.name}{verb} {shown}{' (not a defined value)' if is_undefined else ''}"


@dataclass(frozen=True, slots=True)
class Descriptor:
    """The layout of a descriptor. `swizzle`: the field that names a swizzling mode, if any."""

    name: str
    fields: tuple[DescriptorField, ...]
    swizzle: DescriptorField | None
    modes: Mapping[int, Swizzle]

    def mode(self, zeros: int, ones: int) -> Swizzle | None:
        """Returns the swizzling mode, given the bits that are 0 and 1; None if unknown."""
        number = self.swizzle.number(zeros, ones) if self.swizzle is not None else None
        return None if number is None else self.modes.get(number)


@lru_cache(maxsize=1 << 6)
def descriptor_of(opcode: str, operand: str, modifiers: Sequence[str]) -> Descriptor | None:
    """Returns the layout of the descriptor in an operand; None for other operands and kinds."""
    layouts = database().layouts
    for entry in layouts["descriptor"]:
        kinds = entry.get("kinds", ())
        kind = next((each for each in modifiers if each in kinds), "")
        if entry["opcode"] == opcode and operand in entry["operands"] and bool(kind) == bool(kinds):
            types = layouts["descriptor-types"].get(kind, {})
            return _descriptor(entry, types)
    return None


def _descriptor(entry: Mapping[str, Any], types: Mapping[str, str]) -> Descriptor:
    modes = dict(modes_of(entry["opcode"]))
    names = {str(number): mode.name for number, mode in modes.items()}
    fields = []
    swizzle = None
    for each in entry["fields"]:
        is_swizzle = each.get("is-swizzle", False)
        values = names if is_swizzle else each.get("values", {})
        phrases = types if values == _OF_KIND else values
        first, last = each["bits"]
        field = DescriptorField(
            first,
            last,
            each.get("name", ""),
            each.get("times", 1),
            {int(number): phrase for number, phrase in phrases.items()},
            each.get("is-open", False),
            each.get("is-address", False),
        )
        fields.append(field)
        swizzle = field if is_swizzle else swizzle
    return Descriptor(entry["name"], tuple(fields), swizzle, modes)
