"""Completion of operands: registers of the fitting type first, labels after a branch, symbols."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.complete_item import CompletionItem, Completions, ItemKind
from ptx_ls.isa import Operand, OperandKind
from ptx_ls.semantics.operands import to_operand
from ptx_ls.semantics.symbols import SymbolKind
from ptx_ls.syntax import operands as syntax_operands
from ptx_ls.syntax import parser

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.typing_place import TypingPlace
    from ptx_ls.isa import Verdict
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols import Symbol
    from ptx_ls.syntax.tokens import Token

_FEW: Final = 40
"""Registers of one range that are offered at most, beside those used nearby."""
_MOST: Final = 200
"""Symbols that are offered at most; typing narrows them down."""
_NEAR: Final = 24
"""Lines before the cursor whose names come first."""
_LONG: Final = 1000
_NAMES: Final = re.compile(r"[%\w$]++", re.ASCII).findall
_TAKES_FUNCTIONS: Final = frozenset({"call", "mov", "cvta"})
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
_BRANCHES: Final = frozenset({"bra", "brx"})


def guards(analysis: Analysis, place: TypingPlace) -> Completions:
    """Predicate registers, for a guard being typed."""
    found = [
        ("0", symbol)
        for symbol in analysis.local_symbols(place.range.start)
        if symbol.type == ".pred"
    ]
    return _Offer(analysis, place).of(found)


def operands(analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> Completions:
    """What may stand as the operand at the cursor of an instruction."""
    opcode = statement[0].string.partition(".")[0]
    wanted = _Wanted(analysis, place, statement)
    found = []
    symbols = chain(analysis.local_symbols(place.range.start), _module(analysis, opcode, place))
    for symbol in symbols:
        rank = _rank(symbol, opcode, wanted, place)
        if rank:
            found.append((rank, symbol))
    offered = _Offer(analysis, place).of(found)
    is_name = bool(place.word) and not place.word.startswith("%")
    if opcode in _BRANCHES or "[" in place.inside or is_name:
        return offered
    others = special_registers(analysis, place)
    return Completions((*offered.items, *others), is_incomplete=offered.is_incomplete)


def _module(analysis: Analysis, opcode: str, place: TypingPlace) -> Iterator[Symbol]:
    """Symbols of the module that an instruction may name, those that begin as typed."""
    names = analysis.module_names()
    groups = [names.variables]
    if opcode in _TAKES_FUNCTIONS:
        groups.append(names.functions)
    for group in groups:
        matching = [name for name in group if place.word in name] if place.word else list(group)
        matching.sort(key=lambda name: not name.startswith(place.word))
        for name in matching[:_MOST]:
            declared = analysis.module_symbol(name)
            if declared is not None:
                yield declared.symbol


def special_registers(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Special registers, each component by itself."""
    found = []
    version = analysis.context.version
    for register in isa.database().special_registers.values():
        names = [register.name]
        if register.count:
            names = [f"{register.name}{number}" for number in range(register.count)]
        if register.dimensions:
            names = [f"{register.name}.{component}" for component in register.dimensions]
        for name in names:
            cuda = f", {register.cuda}" if register.cuda else ""
            found.append(
                CompletionItem(
                    name,
                    ItemKind.SPECIAL_REGISTER,
                    place.range,
                    name,
                    detail=register.type_at(version) + cuda,
                    documentation=register.summary,
                    sort=f"5{name}",
                )
            )
    return found


class _Wanted:
    """What the instruction being typed takes at the cursor."""

    def __init__(self, analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> None:
        text = " ".join(token.string for token in statement)
        parsed = parser.parse(f"{text} _;")
        written, identifiers = syntax_operands.of_instruction(parsed.tree)
        opcode, *modifiers = [part[0] for part in syntax_operands.opcode_parts(parsed.tree)]
        position = place.range.start
        facts = tuple(analysis.facts_of(identifier.full, position) for identifier in identifiers)
        given = [to_operand(operand, facts, values=True) for operand in written]
        self._given = given[: _count(statement)]
        self._context = analysis.context
        self._instruction = isa.database().instruction(opcode)
        self._modifiers = modifiers
        self._missing = self._find_missing()
        self._fits: dict[tuple[str, int], bool] = {}

    def _verdict(self, operand: Operand, missing: int) -> Verdict | None:
        if self._instruction is None:
            return None
        unknown = [Operand(OperandKind.UNKNOWN)] * missing
        operands = [*self._given, operand, *unknown]
        return isa.check(self._instruction, self._modifiers, operands, self._context)

    def _find_missing(self) -> int:
        """How many operands may follow the one at the cursor; -1 if no form can be told."""
        for missing in range(_MORE):
            verdict = self._verdict(Operand(OperandKind.UNKNOWN), missing)
            if verdict is not None and not verdict.violations:
                return missing
        return -1

    def fits(self, symbol: Symbol) -> bool | None:
        """Whether a register fits; None if nobody can tell."""
        if self._missing < 0:
            return None
        key = symbol.type, symbol.vector_size
        if key not in self._fits:
            register = Operand(OperandKind.REGISTER, symbol.type, vector_size=symbol.vector_size)
            verdict = self._verdict(register, self._missing)
            self._fits[key] = verdict is not None and not verdict.violations
        return self._fits[key]


_MORE: Final = 4
"""Operands that may still be missing behind the one at the cursor."""


def _count(statement: Sequence[Token]) -> int:
    """Operands before the cursor."""
    depth = count = 0
    for token in statement:
        if token.string in "([{":
            depth += 1
        elif token.string in ")]}":
            depth -= 1
        elif token.string == "," and not depth:
            count += 1
    return count


def _rank(symbol: Symbol, opcode: str, wanted: _Wanted, place: TypingPlace) -> str:
    """Sort prefix of a symbol, "" for one that cannot stand here."""
    in_address = "[" in place.inside
    if symbol.kind is SymbolKind.LABEL:
        return "0" if opcode in _BRANCHES else ""
    if opcode in _BRANCHES:
        return "2" if symbol.kind is SymbolKind.BRANCH_TARGETS or opcode == "brx" else ""
    if symbol.kind in (SymbolKind.FUNCTION, SymbolKind.KERNEL):
        return "0" if opcode == "call" else "4" if opcode == "mov" else ""
    if symbol.kind is SymbolKind.REGISTER:
        return _address_rank(symbol) if in_address else _register_rank(symbol, wanted, place)
    if symbol.is_forward:
        return "3" if opcode == "call" else ""
    return "1" if in_address else "3"


def _register_rank(symbol: Symbol, wanted: _Wanted, place: TypingPlace) -> str:
    if place.inside:
        return "2"
    fits = wanted.fits(symbol)
    return "2" if fits is None else "0" if fits else "4"


def _address_rank(symbol: Symbol) -> str:
    info = isa.database().types.get(symbol.type)
    is_integer = info is not None and info.type_class in ("bits", "unsigned", "signed")
    return "0" if is_integer and info is not None and info.bits == _ADDRESS else "4"


_ADDRESS: Final = 64


class _Offer:
    """Makes items of symbols: those used nearby first, and no more than an editor can show."""

    def __init__(self, analysis: Analysis, place: TypingPlace) -> None:
        self._place = place
        self._line = place.range.start.line
        self._near = _used_near(analysis, self._line)
        self._start = analysis.document.outline.regions[analysis.region_at(place.range.start)].start

    def of(self, symbols: Sequence[tuple[str, Symbol]]) -> Completions:
        """Items for symbols, each with the prefix that sorts it."""
        items: list[CompletionItem] = []
        is_incomplete = False
        if len(symbols) > _MOST:
            is_incomplete = True
            symbols = sorted(symbols, key=self._unlikeliness)[:_MOST]
        for rank, symbol in symbols:
            if symbol.count:
                numbers = self._numbers(symbol)
                is_incomplete |= len(numbers) < symbol.count
                items += [self._item(symbol, rank, f"{symbol.name}{n}", n) for n in numbers]
            else:
                items.append(self._item(symbol, rank, symbol.name))
        return Completions(tuple(items), is_incomplete=is_incomplete)

    def _unlikeliness(self, ranked: tuple[str, Symbol]) -> tuple[bool, str, bool, int]:
        rank, symbol = ranked
        word = self._place.word
        is_near = symbol.name in self._near or bool(symbol.count)
        distance = abs(symbol.start[0] + self._start - self._line)
        return not symbol.name.startswith(word), rank, not is_near, distance

    def _item(self, symbol: Symbol, rank: str, name: str, number: int = 0) -> CompletionItem:
        detail = " ".join(part for part in (symbol.space, symbol.type) if part)
        nearness = self._near.get(name)
        if nearness is not None:
            order = f"0{nearness:04}"
        elif symbol.kind is SymbolKind.LABEL:
            order = f"1{abs(symbol.start[0] + self._start - self._line):07}"
        else:
            order = f"1{symbol.name}{number:07}"
        return CompletionItem(
            name,
            _KINDS[symbol.kind],
            self._place.range,
            name,
            detail=detail or symbol.kind.value,
            sort=rank + order,
        )

    def _numbers(self, symbol: Symbol) -> list[int]:
        """Numbers of a range to offer: those used nearby, and those that begin as typed."""
        name, word = symbol.name, self._place.word
        typed = word[len(name) :] if word.startswith(name) else ""
        near = [int(used[len(name) :]) for used in self._near if _is_of(used, symbol)]
        numbers = dict.fromkeys(number for number in near if str(number).startswith(typed))
        if not typed.isdecimal():
            numbers.update(dict.fromkeys(range(min(symbol.count, _FEW))))
            return list(numbers)
        low, stop = int(typed), int(typed) + 1
        while low < symbol.count and len(numbers) < _FEW:
            numbers.update(dict.fromkeys(range(low, min(stop, symbol.count))))
            low, stop = low * 10, stop * 10
            if not low:
                break
        return list(numbers)[: _FEW + len(near)]


def _is_of(name: str, symbol: Symbol) -> bool:
    """Whether a name is one register of a range."""
    digits = name[len(symbol.name) :]
    return name.startswith(symbol.name) and digits.isdecimal() and int(digits) < symbol.count


def _used_near(analysis: Analysis, line: int) -> dict[str, int]:
    """Names used in the lines before one, the nearest first."""
    found: dict[str, int] = {}
    for text in reversed(analysis.document.lines[max(0, line - _NEAR) : line]):
        if len(text) < _LONG:
            for name in _NAMES(text):
                found.setdefault(name, len(found))
    return found
