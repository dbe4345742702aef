"""Checks explicit banks of constant memory, such as `.const[2]`, which PTX had before 2.2.

Source: PTX ISA, "Banked Constant State Space", as ptxas 13.5 applies it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.calls.call_sites import position
from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.values import BadBank, BankFault
from ptx_ls.semantics.problems.versions import too_new, too_old
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.offsets import before
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa import Context, Violation
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol

_MARK: Final = ".const["
_SINCE: Final = (1, 5)
"""The first version with several banks; earlier ones have only bank 0."""
_UNTIL: Final = (2, 2)
_LAST_BANK: Final = 10
_SPACE: Final = ".const"
_EXTERN: Final = ".extern"


def check_banks(
    text: RegionText, facts: RegionFacts, context: Context
) -> Iterator[BadBank | Unavailable]:
    """Yields banks that the module's version does not have, or that a declaration cannot use."""
    is_old = context.version is not None and context.version < _UNTIL
    shapes = {shape for shape in text.shapes if _MARK in shape.opcode}
    for found in text.statements_of(text.with_shapes(shapes)):
        if found.record in shapes:
            yield from _named(found, context)
    for found in text.statements(text.declarations_with(_MARK), declaring_only=True):
        if found.record.kind is Kind.DECLARATION:
            yield from _named(found, context)
    if is_old:
        for symbol in facts.exports:
            if symbol.space == _SPACE:
                yield from _misplaced(symbol)


def _named(found: Found, context: Context) -> Iterator[BadBank | Unavailable]:
    """Yields the banks in a statement that do not exist, at least not in this version."""
    for first, last, bank in _banks_in(found.text):
        if before(found.text, first).rstrip().endswith(".ptr"):
            continue
        start, end = position(found, first), position(found, last)
        violation = _gate(bank, context.version)
        if violation is not None:
            yield Unavailable(found.text[first:last], violation, start, end)
        elif bank > _LAST_BANK:
            yield BadBank(bank, BankFault.NUMBER, start, end)


def _banks_in(text: str) -> Iterator[tuple[int, int, int]]:
    """Yields the start and end of each bank in a text, and its number."""
    first = text.find(_MARK)
    while first >= 0:
        start = first + len(_MARK)
        digits = text[start : text.find("]", start)]
        if digits.isdecimal():
            yield first, start + len(digits) + 1, decimal(digits)
        first = text.find(_MARK, start)


def _gate(bank: int, version: tuple[int, int] | None) -> Violation | None:
    if version is None:
        return None
    if version >= _UNTIL:
        return too_new(_UNTIL)
    return too_old(version, _SINCE) if bank and version < _SINCE else None


def _misplaced(symbol: Symbol) -> Iterator[BadBank]:
    """Yields a variable in the wrong bank: banks 1 to 10 are for unsized external arrays only."""
    bank = next((bank for _, _, bank in _banks_in(symbol.text)), 0)
    is_open = symbol.linkage == _EXTERN and symbol.dimensions[:1] in ((None,), (0,))
    if bank <= _LAST_BANK and is_open != bool(bank):
        fault = BankFault.OPEN if is_open else BankFault.RESERVED
        yield BadBank(bank, fault, symbol.start, symbol.end)
