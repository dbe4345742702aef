"""Renames a register bank after its type, or splits a register out of its bank.

Source: PTX ISA, "Parameterized Variable Names".
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from ptx_ls.features.actions.action import Action, ActionKind, Renaming
from ptx_ls.features.cursor import cursor, declared_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis, LocatedSymbol
    from ptx_ls.source import Position, Range

_NAMES: Final = {
    ".pred": "%p",
    ".b8": "%rc", ".u8": "%rc", ".s8": "%rc",
    ".b16": "%rs", ".u16": "%rs", ".s16": "%rs",
    ".b32": "%r", ".u32": "%r", ".s32": "%r",
    ".b64": "%rd", ".u64": "%rd", ".s64": "%rd",
    ".b128": "%rq",
    ".f16": "%h", ".f16x2": "%hh", ".bf16": "%b", ".bf16x2": "%bb",
    ".f32": "%f", ".f64": "%fd",
}  # fmt: skip
"""The usual names of registers of a type, as compilers choose them."""


def bank_at(analysis: Analysis, position: Position) -> LocatedSymbol | None:
    """Returns the register bank at a position, given by its own name or by one of its registers."""
    found = declared_at(analysis, position)
    return found[1] if found is not None and found[1].symbol.count else None


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """Yields new names for the bank at the cursor, and for the register there."""
    declared = bank_at(analysis, selection.start)
    if declared is None:
        return
    symbol, place = declared.symbol, declared.range.start
    usual = _NAMES.get(symbol.type, "")
    own = analysis.lookup(symbol.name, place)
    is_known = own is not None and own.symbol == symbol  # otherwise a register has that name too
    is_better = usual and symbol.name != usual
    if is_known and is_better and not _is_taken(analysis, usual, place):
        title = f"Rename `{symbol.spelling}` to `{usual}`, the usual name for `{symbol.type}`"
        yield Action(title, ActionKind.REWRITE, Renaming(place, usual), is_costly=True)
    under = cursor(analysis, selection.start)
    function = analysis.function_at(place)
    is_parameter = under is not None and any(
        it.name == under.text for it in (function.symbol.parameters if function else ())
    )
    if under is not None and under.text != symbol.name and not is_parameter:
        number = under.text[len(symbol.name) :]
        free = _free(analysis, f"{symbol.name}_{number}", under.range.start)
        title = f"Declare `{under.text}` separately, as `{free}`"
        work = Renaming(under.range.start, free)
        yield Action(title, ActionKind.EXTRACT, work, is_costly=True)


def _free(analysis: Analysis, name: str, place: Position) -> str:
    names = (name, *(f"{name}_{number}" for number in range(2, 10)))
    free = (each for each in names if not _is_taken(analysis, each, place))
    return next(free, f"{name}_{next(count(10))}")


def _is_taken(analysis: Analysis, name: str, place: Position) -> bool:
    scope = analysis.scope_at(place)
    is_known = scope.lookup(name) is not None or scope.lookup_range(name) is not None
    return is_known or analysis.special_register(name) is not None
