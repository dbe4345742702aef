"""Finds out whether words in memory are the halves of values of 64 bits.

A kernel may also store two numbers side by side, or the high half of one before the low half, as
for a text or a file. It does not if it accesses the same memory as values of 64 bits.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.record import Shape
from ptx_ls.values.function_values import function_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.affine import Terms

_Address = tuple["Terms", int]
"""The terms and the offset of an address."""
_ADDRESS: Final = {"ld": 1, "ldu": 1, "st": 0}
"""The number of the operand with the address, by opcode."""
_WIDE: Final = (".b64", ".u64", ".s64", ".f64")
_WORD_BYTES, _WIDE_BYTES = 4, 8


class WideValues:
    """The values of 64 bits that a function loads or stores."""

    def __init__(self, seen: CheckInput) -> None:
        self._seen = seen

    def include(self, words: Found) -> bool:
        """Whether two of the words that a statement accesses surely are such a value."""
        return not self._addresses.isdisjoint(self._addresses_of(words, _WORD_BYTES))

    @cached_property
    def _addresses(self) -> set[_Address]:
        text = self._seen.text
        shapes = {each for each in text.shapes_of((*_ADDRESS,)) if each.opcode.endswith(_WIDE)}
        return {
            address
            for each in text.instructions(shapes)
            for address in self._addresses_of(each, _WIDE_BYTES)
        }

    def _addresses_of(self, found: Found, n_bytes: int) -> Iterator[_Address]:
        """Yields where values of 64 bits begin in what a statement accesses.

        `n_bytes`: the size of one element.
        """
        record = found.record
        if isinstance(record, Shape):
            number = _ADDRESS[record.name]
            n_elements = len(record.operands[1 - number].elements) or 1
            form = function_values(self._seen.function, self._seen.module).address_form(
                found, number
            )
            if form is not None:
                for start in range(0, n_elements * n_bytes, _WIDE_BYTES):
                    yield form.terms, form.offset + start
