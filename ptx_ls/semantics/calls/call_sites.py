"""Finds the calls in functions.

Source: PTX ISA, "call".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.offsets import place_of, shifted
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.calls import call_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.syntax.written.calls import CallSyntax

_CALL: Final = frozenset({"call"})


def call_sites(text: RegionText) -> Iterator[tuple[Found, CallSyntax]]:
    """Yields the calls in a function, except unreadable ones."""
    for found in statements_with(text, _CALL):
        call = call_in(found.text)
        if call is not None:
            yield found, call


def statements_with(text: RegionText, opcodes: frozenset[str]) -> Iterator[Found]:
    """Yields the instructions of a function that have one of these opcodes."""
    for found in text.statements_of(text.with_opcodes(opcodes)):
        if isinstance(found.record, Shape) and found.record.name in opcodes:
            yield found


def position(found: Found, offset: int) -> FunctionPosition:
    """Returns the place of the character `offset` of a statement."""
    return shifted(place_of(found.text, offset), found.start)
