"""Turns a bounded number of symbols into completion items, those used nearby first."""

from __future__ import annotations

from heapq import nsmallest
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.complete_item import CompletionItem, Completions, ItemKind
from ptx_ls.features.completion.ranking.fresh_registers import FreshRegisters
from ptx_ls.features.completion.ranking.next_reads import GUARD, NextReads
from ptx_ls.features.completion.ranking.precedents import names_of_instructions
from ptx_ls.features.completion.ranking.recent import recent_names
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.symbols import Symbol

MAX_OFFERED_SYMBOLS: Final = 200
"""Maximum number of symbols that are offered; typing narrows them down."""
_MAX_REGISTERS_OF_RANGE: Final = 40
"""Maximum number of registers of a range to offer, in addition to those used nearby."""
_LOCAL: Final = (SymbolKind.LABEL, SymbolKind.REGISTER)
_MAX_SCORE: Final = 50_000
_SCORES: Final = 1000
"""The sort key of a name used nearby is `_MAX_SCORE` less `_SCORES` times its likelihood."""
_OF_OTHERS: Final = "9"
"""Begins the sort keys of names nearby that no instruction above uses, only declarations."""
_PARAMETERS: Final = ".param"
_IN_ORDER: Final = (SymbolKind.PARAMETER, SymbolKind.VARIABLE)
"""Kinds of names in `.param` space, which are usually read or written in their order."""
_FAR: Final = ("20", "21")
"""Begin the sort keys of names that are not used nearby: of variables, then of registers."""
_KINDS: Final = {
    SymbolKind.REGISTER: ItemKind.REGISTER,
    SymbolKind.LABEL: ItemKind.LABEL,
    SymbolKind.VARIABLE: ItemKind.VARIABLE,
    SymbolKind.PARAMETER: ItemKind.PARAMETER,
    SymbolKind.FUNCTION: ItemKind.FUNCTION,
    SymbolKind.KERNEL: ItemKind.FUNCTION,
    SymbolKind.PROTOTYPE: ItemKind.LABEL,
    SymbolKind.BRANCH_TARGETS: ItemKind.LABEL,
    SymbolKind.CALL_TARGETS: ItemKind.LABEL,
}


def matching(analysis: Analysis, word: str, most: int, *, is_function: bool) -> list[str]:
    """Returns functions or variables with a word in their names, those that begin with it first.

    Without a word, the first ones in the text: a module may have a hundred thousand.
    """
    known = analysis.module_names()
    if not word:
        return list(islice(known.in_order(is_function=is_function), most))
    tables = (it.functions if is_function else it.variables for _, it in known.groups)
    found = {name for names in tables for name in names if word in name}
    return nsmallest(most, found, key=lambda name: (not name.startswith(word), name))


class Offer:
    """Makes items of symbols for one place."""

    def __init__(
        self,
        analysis: Analysis,
        place: TypingPlace,
        *,
        is_result: bool = False,
        suggested: Sequence[str] = (),
    ) -> None:
        self._place = place
        self._is_result = is_result
        self._fresh = FreshRegisters(analysis, place.range.start) if is_result else None
        self._line = place.range.start.line
        self._recent = recent_names(analysis, self._line)
        self._near = self._recent.used
        self._reads = None if is_result else NextReads(analysis, self._line)
        self._reader = _reader(place)
        self._typed = [name for token in place.before for name in names_in(token.string)]
        self._used = names_of_instructions(analysis, self._line)
        new = [name for name in suggested if not (is_result and name in self._near)]
        self._suggested = {name: number for number, name in enumerate(new)}
        """Names that are likelier than all others, with their ranks."""
        self._first_line = analysis.document.located_at(place.range.start).first_line
        """The line from which the rows of the function's symbols are counted."""

    def of(self, symbols: Sequence[tuple[str, Symbol]]) -> Completions:
        """Returns items for symbols, which come with the prefixes of their sort keys."""
        items: list[CompletionItem] = []
        is_incomplete = False
        if len(symbols) > MAX_OFFERED_SYMBOLS:
            is_incomplete = True
            symbols = nsmallest(MAX_OFFERED_SYMBOLS, symbols, key=self._unlikeliness)
        for rank, symbol in symbols:
            if symbol.count:
                fresh = self._fresh.likely(symbol) if self._fresh is not None else []
                numbers = self._numbers(symbol, fresh)
                is_incomplete |= len(numbers) < symbol.count
                items += [
                    self._item(
                        symbol, rank, f"{symbol.name}{n}", n, fresh.index(n) if n in fresh else -1
                    )
                    for n in numbers
                ]
            else:
                items.append(self._item(symbol, rank, symbol.name))
        return Completions(tuple(items), is_incomplete=is_incomplete)

    def _unlikeliness(self, ranked: tuple[str, Symbol]) -> tuple[bool, str, bool, int]:
        rank, symbol = ranked
        word = self._place.word
        is_near = bool(symbol.count) or (
            symbol.name in self._near and symbol.kind is not SymbolKind.LABEL
        )
        distance = (
            abs(self._first_line + symbol.start[0] - self._line) if symbol.kind in _LOCAL else 0
        )
        return not symbol.name.startswith(word), rank, not is_near, distance

    def _distance(self, symbol: Symbol) -> int:
        """Returns the number of lines between a local name and the cursor."""
        line = self._first_line + symbol.start[0]
        return abs(line - self._line)

    def _item(
        self, symbol: Symbol, rank: str, name: str, number: int = 0, fresh: int = -1
    ) -> CompletionItem:
        detail = " ".join(part for part in (symbol.space, symbol.type) if part)
        nearness = self._nearness(name)
        if name in self._suggested:
            order = f"00{self._suggested[name]:04}"
        elif symbol.kind in _IN_ORDER and symbol.space == _PARAMETERS:
            is_used = name in self._used
            order = f"{int(is_used)}{symbol.start[0]:07}{symbol.start[1]:05}"
        elif symbol.kind is SymbolKind.LABEL:
            order = f"{self._distance(symbol):07}"
        elif fresh >= 0:
            order = f"01{fresh:04}"
        elif nearness:
            order = f"1{nearness}"
        else:
            order = f"{_FAR[symbol.kind is SymbolKind.REGISTER]}{symbol.name}{number:07}"
        return CompletionItem(
            name,
            _KINDS[symbol.kind],
            self._place.range,
            name,
            detail=detail or symbol.kind.value,
            sort=rank + order,
            data=f"symbol {name}",
        )

    def _nearness(self, name: str) -> str:
        """Returns the sort key of a name among those used nearby; "" if it was not."""
        if self._reads is None:
            return self._recent.order(name, is_result=True)
        found = self._reads.likelihood(name, self._reader, self._typed)
        if found is not None:
            return order_of(found)
        return f"{_OF_OTHERS}{self._near[name]:04}" if name in self._near else ""

    def _numbers(self, symbol: Symbol, fresh: Sequence[int]) -> list[int]:
        """Returns the numbers of a range to offer: fresh, used nearby, or beginning as typed."""
        name, word = symbol.name, self._place.word
        typed = word[len(name) :] if word.startswith(name) else ""
        likely = (*self._suggested, *self._near)
        near = [decimal(used[len(name) :]) for used in likely if is_in_range(used, symbol)]
        near += fresh
        numbers = dict.fromkeys(number for number in near if str(number).startswith(typed))
        if not typed.isdecimal():
            numbers.update(dict.fromkeys(range(min(symbol.count, _MAX_REGISTERS_OF_RANGE))))
            return list(numbers)
        low, stop = decimal(typed), decimal(typed) + 1
        while low < symbol.count and len(numbers) < _MAX_REGISTERS_OF_RANGE:
            numbers.update(dict.fromkeys(range(low, min(stop, symbol.count))))
            low, stop = low * 10, stop * 10
            if not low:
                break
        return list(numbers)[: _MAX_REGISTERS_OF_RANGE + len(near)]


def order_of(likelihood: float) -> str:
    """Returns the sort key for a likelihood of `NextReads`."""
    return f"{round(_MAX_SCORE - _SCORES * likelihood):05}"


def _reader(place: TypingPlace) -> str:
    """Returns the name of the opcode before the cursor, with `[` in an address, or `GUARD`."""
    if place.is_guard:
        return GUARD
    rest = place.before[place.guard :]
    return f"{rest[0].string.partition('.')[0]}{place.inside[:1] if '[' in place.inside else ''}"


def is_in_range(name: str, symbol: Symbol) -> bool:
    """Whether a name is one register of a range."""
    digits = name[len(symbol.name) :]
    return name.startswith(symbol.name) and digits.isdecimal() and decimal(digits) < symbol.count
