"""Completion of operands: registers of the fitting type first, labels after a branch, symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.complete_item import CompletionItem, ItemKind
from ptx_ls.isa import Operand, OperandKind
from ptx_ls.semantics.operands import to_operand
from ptx_ls.semantics.symbols import SymbolKind
from ptx_ls.syntax import operands as syntax_operands
from ptx_ls.syntax import parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.typing_place import TypingPlace
    from ptx_ls.isa import Verdict
    from ptx_ls.semantics.analysis import Analysis, Declared
    from ptx_ls.semantics.symbols import Symbol
    from ptx_ls.syntax.tokens import Token

_MANY: Final = 200
"""Registers of one range that are offered at most; typing narrows them down."""
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


def guards(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Predicate registers, for a guard being typed."""
    return [
        item
        for declared in analysis.visible_symbols(place.range.start)
        if declared.symbol.type == ".pred"
        for item in _items(declared, place, "0")
    ]


def operands(
    analysis: Analysis, place: TypingPlace, statement: Sequence[Token]
) -> list[CompletionItem]:
    """What may stand as the operand at the cursor of an instruction."""
    opcode = statement[0].string.partition(".")[0]
    wanted = _Wanted(analysis, place, statement)
    items: list[CompletionItem] = []
    for declared in analysis.visible_symbols(place.range.start):
        rank = _rank(declared.symbol, opcode, wanted, place)
        if rank:
            items += _items(declared, place, rank)
    if opcode not in _BRANCHES and "[" not in place.inside:
        items += special_registers(analysis, place)
    return items


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


def _items(declared: Declared, place: TypingPlace, rank: str) -> list[CompletionItem]:
    """Items for a symbol: a range gives its registers, those near what is typed."""
    symbol = declared.symbol
    names = [symbol.name]
    if symbol.count:
        numbers = _numbers(symbol, place.word)
        names = [f"{symbol.name}{number}" for number in numbers]
    detail = " ".join(part for part in (symbol.space, symbol.type) if part) or symbol.kind.value
    return [
        CompletionItem(
            name,
            _KINDS[symbol.kind],
            place.range,
            name,
            detail=detail,
            sort=f"{rank}{name if not symbol.count else f'{symbol.name}{number:07}'}",
        )
        for number, name in enumerate(names)
    ]


def _numbers(symbol: Symbol, word: str) -> list[int]:
    """Numbers of a range to offer: those that begin as typed, else the first ones."""
    typed = word[len(symbol.name) :] if word.startswith(symbol.name) else ""
    if not typed.isdecimal():
        return list(range(min(symbol.count, _MANY)))
    found = [int(typed)] if int(typed) < symbol.count else []
    step, low = 10, int(typed) * 10
    while low < symbol.count and len(found) < _MANY:
        found += range(low, min(low + step, symbol.count))
        low, step = low * 10, step * 10
    return found[:_MANY]
