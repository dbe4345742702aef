"""Conversions of .const addresses in a module whose kernels take pointers into constant memory.

Source: what ptxas 13.5 refuses when it makes code. Such a pointer is relative to a bank that the
caller chooses, so no generic address can stand for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.calls.call_sites import position, statements_with
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.syntax.places import Place

_CONVERSION: Final = re.compile(r"cvta(?:\.to)?\.const\b", re.ASCII)
_OPCODES: Final = frozenset({"cvta"})


class ConstantPointer(NamedTuple):
    """A conversion of a .const address, where a kernel takes pointers into constant memory."""

    opcode: str
    start: Place
    end: Place


def check_constant_pointers(text: RegionText, module: ModuleFacts) -> Iterator[ConstantPointer]:
    """Conversions of a region that ptxas makes no code of."""
    if not module.graph.takes_constants:
        return
    for found in statements_with(text, _OPCODES):
        record = found.record
        if isinstance(record, Shape) and _CONVERSION.match(record.opcode) is not None:
            match = _CONVERSION.search(found.text)
            if match is not None:
                start, end = (position(found, offset) for offset in match.span())
                yield ConstantPointer(match[0], start, end)
