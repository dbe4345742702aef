"""Completion of operands: registers of the fitting type first, labels after a branch, symbols."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion import complete_label
from ptx_ls.features.completion.complete_call import holds
from ptx_ls.features.completion.complete_constant import constants
from ptx_ls.features.completion.complete_item import (
    CompletionItem,
    Completions,
    ItemKind,
    after_two,
)
from ptx_ls.features.completion.complete_special import components, of_cuda, special_registers
from ptx_ls.features.completion.offer import MAX_OFFERED_SYMBOLS, Offer, matching
from ptx_ls.features.completion.operand_fit import OperandFit, count_operands
from ptx_ls.features.completion.precedents import precedents, suggestions
from ptx_ls.features.completion.snippet import stop
from ptx_ls.features.completion.typing_place import CLOSING_BRACKETS
from ptx_ls.features.completion.vector_snippet import VectorSnippets
from ptx_ls.features.signature.signature_call import formal
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax import tokens
from ptx_ls.syntax.tokens import Token

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa.notation.table import OperandRow
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.symbols import Facts, Symbol

_BRANCHES: Final = frozenset({"bra", "brx"})
_OPENING: Final = ("[", "{")
_OF_RESULTS: Final = ("", "{")
"""Brackets that may contain results."""
_HALVES: Final = {".b32": ".b16", ".b64": ".b32", ".b128": ".b64"}
_UNFIT: Final = "7"
"""The rank of registers that do not fit."""
_TAKES_FUNCTIONS: Final = frozenset({"call", "mov", "cvta"})
_OPAQUE: Final = frozenset({".texref", ".samplerref", ".surfref"})
_OF_OPAQUE: Final = ("tex", "tld4", "txq", "sul", "sus", "sur", "suq", "istypep")
_SPACES: Final = (".param", ".shared", ".global", ".const", ".local")
_ADDRESS_SIZES: Final = (32, 64)
_INTEGERS: Final = ("bits", "unsigned", "signed")


def guards(analysis: Analysis, place: TypingPlace) -> Completions:
    """Completes predicate registers in a guard."""
    found = [
        ("0", symbol)
        for symbol in analysis.local_symbols(place.range.start)
        if symbol.type == ".pred"
    ]
    offered = Offer(analysis, place).of(found)
    if place.previous == "!":
        return offered
    negated = [
        replace(item, label=f"!{item.label}", text=f"!{item.text}", sort=f"1{item.sort}")
        for item in offered.items
    ]
    return Completions((*offered.items, *negated), is_incomplete=offered.is_incomplete)


def operands(analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> Completions:
    """Completes the operand of an instruction at the cursor."""
    name, dot, _ = place.word.partition(".")
    if dot:
        return Completions(tuple(components(analysis, place, name)))
    if "[" in place.inside and place.previous in ("+", "-"):
        return Completions(())  # only a constant can follow
    bracket = "" if place.word else _bracket(analysis, place, statement)
    if bracket:
        return _bracketed(analysis, place, statement, bracket)
    found = _unbracketed(analysis, place, statement)
    if found.items or place.inside:
        return found
    needed = _needed_bracket(OperandFit(analysis, place, statement).row)
    return _bracketed(analysis, place, statement, needed) if needed else found


def _bracket(analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> str:
    """Returns the bracket with which the operand begins in the same instruction above; or ""."""
    if place.inside or not statement:
        return ""
    above = precedents(analysis, place.range.start.line, statement[0].string)
    number = count_operands(statement)
    text = above[0][number] if above and number < len(above[0]) else ""
    return text[:1] if text[:1] in _OPENING else ""


def _needed_bracket(row: OperandRow | None) -> str:
    """Returns the bracket with which an operand must begin; "" if it may be without."""
    if row is None:
        return ""
    if row.role == "address":
        return "["
    return "{" if any(spec.kind == "vec" for spec in row.specs) else ""


def _bracketed(
    analysis: Analysis, place: TypingPlace, statement: Sequence[Token], bracket: str
) -> Completions:
    """Completes an operand in brackets that are not typed yet; nothing if no name fits there."""
    token = Token(tokens.OPERATOR, bracket, (1, 0), "")
    inside = replace(place, before=(*place.before, token), inside=bracket)
    found = _unbracketed(analysis, inside, (*statement, token))
    end = CLOSING_BRACKETS[bracket] if bracket == "[" else ""
    items = [
        replace(item, label=text, text=text, filter=item.text if place.word else text, commits="")
        for item in found.items
        if (text := f"{bracket}{item.text}{end}") and item.is_available
    ]
    if not end:
        rank = after_two(items)
        if place.is_open:
            vector = VectorSnippets(analysis, inside, (*statement, token))
            items = [vector.item(item) for item in items]
        opened = f"{bracket}{stop('')}{CLOSING_BRACKETS[bracket]}" if place.is_open else ""
        items.append(
            CompletionItem(
                bracket, ItemKind.VALUE, place.range, bracket, sort=rank, template=opened
            )
        )
    return Completions(tuple(items), is_incomplete=True)


def _unbracketed(analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> Completions:
    """Completes a name where it can be inserted as it is."""
    opcode = statement[0].string.partition(".")[0]
    ranks = _Ranks(analysis, place, statement)
    values = constants(place, ranks.fit)
    if values or ranks.fit.is_superfluous or place.word[:1].isdigit():
        return Completions(tuple(values))
    found = []
    symbols = chain(analysis.local_symbols(place.range.start), _module(analysis, opcode, place))
    for symbol in symbols:
        rank = ranks.of(symbol)
        if rank:
            found.append((rank, symbol))
    fitting = [(rank, symbol) for rank, symbol in found if rank != _UNFIT]
    are_left_out = bool(fitting) and len(fitting) < len(found)
    if not fitting or any(_begins(symbol, place.word) for _, symbol in fitting):
        found = fitting  # nothing if only a constant fits
    is_result = ranks.fit.is_result and place.inside in _OF_RESULTS
    likely = [] if ranks.is_parameter else suggestions(analysis, place, statement)
    offered = Offer(analysis, place, is_result=is_result, suggested=likely).of(found)
    offered = replace(
        offered,
        items=tuple(map(_marked, offered.items)),
        is_incomplete=offered.is_incomplete or are_left_out,
    )
    is_name = bool(place.word) and not place.word.startswith("%")
    if opcode == "bra":
        labels = complete_label.targets(analysis, place, offered.items)
        return Completions(tuple(labels), is_incomplete=offered.is_incomplete)
    if is_name and not place.inside:
        items = (*offered.items, *of_cuda(analysis, place, ranks.fit))
        return Completions(items, is_incomplete=offered.is_incomplete)
    if opcode in _BRANCHES or "[" in place.inside or "(" in place.inside or is_name or is_result:
        return offered
    is_move = opcode == "mov" and not place.inside and not place.word
    others = special_registers(
        analysis, place, ranks.fit, after_two(offered.items) if is_move else ""
    )
    return Completions((*offered.items, *others), is_incomplete=offered.is_incomplete)


def _begins(symbol: Symbol, word: str) -> bool:
    """Whether the name of a symbol, or of a register of a range, starts with the typed text."""
    if not symbol.count or not word.startswith(symbol.name):
        return symbol.name.startswith(word)
    number = word[len(symbol.name) :]
    return not number or (number.isdecimal() and decimal(number) < symbol.count)


def _marked(item: CompletionItem) -> CompletionItem:
    """Adds a remark to an item that does not fit."""
    if not item.sort.startswith(_UNFIT):
        return item
    return replace(item, detail=f"{item.detail}, not allowed here", is_available=False)


def _module(analysis: Analysis, opcode: str, place: TypingPlace) -> Iterator[Symbol]:
    """Yields symbols of the module that an instruction may name."""
    if opcode == "bra":
        return
    for is_function in (False, True) if opcode in _TAKES_FUNCTIONS else (False,):
        for name in matching(analysis, place.word, MAX_OFFERED_SYMBOLS, is_function=is_function):
            declared = analysis.module_symbol(name)
            if declared is not None:
                yield declared.symbol


class _Ranks:
    """Ranks symbols by how well they fit the place: "0" is best, "" is not offered."""

    def __init__(self, analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> None:
        self.fit = OperandFit(analysis, place, statement)
        self._opcode = statement[0].string.partition(".")[0]
        self._inside = place.inside
        self._number = count_operands(statement)
        is_call = self._opcode == "call" and self._inside.endswith("(")
        function = analysis.function_at(place.range.start)
        results = function.symbol.returns if function is not None else ()
        self._results = frozenset(each.name for each in results)
        self._is_of_kernel = function is not None and function.symbol.kind is SymbolKind.KERNEL
        self._formal = formal(analysis, place, statement) if is_call else None
        self._in_address = place.inside.endswith("[")
        self._address_size = analysis.context.address_size
        modifiers = [modifier.partition("::")[0] for modifier in self.fit.modifiers]
        self._space = next((name for name in modifiers if name in _SPACES), "")
        self.is_parameter = self._in_address and self._space == ".param"
        """Whether the name is one in `.param` space; these are used one after the other."""
        self._sibling = _sibling_type(analysis, place, self.fit)
        self._known: dict[Facts, str] = {}

    def of(self, symbol: Symbol) -> str:
        """Returns the rank of a symbol, which symbols with the same facts share."""
        facts = symbol.facts
        known = self._known.get(facts)
        if known is None:
            known = self._known[facts] = self._of(symbol)
        return known

    def _of(self, symbol: Symbol) -> str:
        kind = symbol.kind
        if kind is SymbolKind.LABEL:
            return "0" if self._opcode == "bra" else ""
        if self._opcode in _BRANCHES and (self._opcode != "brx" or self._number):
            return "0" if kind is SymbolKind.BRANCH_TARGETS else ""
        if self._opcode == "call" and kind in (SymbolKind.KERNEL, SymbolKind.FUNCTION):
            return "0" if kind is SymbolKind.FUNCTION and not self._inside else ""
        if self._opcode == "call" and self._inside.endswith("("):
            return self._argument(symbol)
        if self._inside:
            is_vector = kind is SymbolKind.REGISTER and symbol.vector_size > 1
            rank = self._in_brackets if self._in_address else self._element
            return "" if is_vector else rank(symbol)
        fits = self.fit.fits(symbol.facts)
        if kind is SymbolKind.REGISTER:
            if fits is None and symbol.vector_size > 1:
                return "3"
            return _UNFIT if fits is False else self._rank(symbol.type, fits=fits)
        return "3" if fits is not False or self._opcode == "call" else ""

    def _rank(self, kind: str, *, fits: bool | None) -> str:
        """Returns the rank of a register that may fit: best by type, then by width."""
        if kind in self.fit.types:
            return "0"
        types = isa.database().types
        own, wanted = types.get(kind), [types[name] for name in self.fit.types if name in types]
        if own is None or not wanted:
            return "1" if fits else "2"
        is_like = any(
            own.bits == each.bits and (fits or "bits" in (own.type_class, each.type_class))
            for each in wanted
        )
        return "1" if is_like else "2"

    def _argument(self, symbol: Symbol) -> str:
        """Returns the rank of a symbol in a list of arguments or results."""
        if symbol.kind is SymbolKind.REGISTER:
            if self._formal is None or symbol.vector_size > 1:
                return "2" if symbol.vector_size == 1 else ""
            is_same = symbol.type == self._formal.type
            return "1" if is_same else "2" if holds(symbol.type, self._formal.type) else _UNFIT
        if symbol.kind is not SymbolKind.VARIABLE or symbol.space != ".param":
            return ""
        is_like = self._formal is not None and symbol.type == self._formal.type
        return "0" if is_like or self._formal is None else "3"

    def _in_brackets(self, symbol: Symbol) -> str:
        fits = self.fit.fits(symbol.facts)
        if fits is False:
            return ""
        if symbol.kind is SymbolKind.REGISTER:
            return self._address(symbol)
        if symbol.kind not in (SymbolKind.VARIABLE, SymbolKind.PARAMETER):
            return ""
        return self._variable(symbol, fits=fits)

    def _variable(self, symbol: Symbol, *, fits: bool | None) -> str:
        """Returns the rank of a variable or parameter as an address."""
        if symbol.space == ".param" and self._is_of_other(symbol):
            return ""
        if symbol.name in self._results:
            return "1" if self._opcode == "st" else "5"
        if fits is None and self._space and symbol.space != self._space:
            return "5"
        if symbol.type in _OPAQUE:  # ptxas lets other instructions access them like data
            return "0" if self._opcode.startswith(_OF_OPAQUE) else "5"
        if self.fit.is_generic or (fits is None and not self._space):
            return "2"
        return self._likeness(symbol)

    def _is_of_other(self, symbol: Symbol) -> bool:
        """Whether one of symbol and access is for a kernel's parameters, the other for a call's."""
        if symbol.kind is not SymbolKind.PARAMETER:
            return ".param::entry" in self.fit.modifiers
        is_of_call = self._opcode == "st" or ".param::func" in self.fit.modifiers
        return is_of_call and self._is_of_kernel

    def _address(self, symbol: Symbol) -> str:
        """Returns the rank of a register as an address."""
        info = isa.database().types.get(symbol.type)
        is_address = info is not None and info.type_class in _INTEGERS
        if info is None or not is_address or info.bits < min(_ADDRESS_SIZES):
            return ""
        if self.is_parameter:
            return "4"
        is_usual = info.bits == self._address_size or self._space == ".shared"
        return ("0" if self._space else "1") if is_usual else "3"

    def _likeness(self, symbol: Symbol) -> str:
        """Returns the rank of a variable by its type and the access; arrays are read in pieces."""
        types = isa.database().types
        accessed = next((name for name in reversed(self.fit.modifiers) if name in types), "")
        is_whole = symbol.space == ".param" and not symbol.dimensions and symbol.type in types
        if not accessed or not is_whole or symbol.type == accessed:
            return "0"
        return "1" if types[symbol.type].bits == types[accessed].bits else "2"

    def _element(self, symbol: Symbol) -> str:
        """Returns the rank of a symbol in a vector in braces or a list of arguments."""
        if symbol.kind is not SymbolKind.REGISTER:
            return "3" if self._inside.endswith("(") else ""
        if self.fit.fits(symbol.facts) is False:
            return _UNFIT
        types = isa.database().types
        own, other = types.get(symbol.type), types.get(self._sibling)
        if symbol.type == self._sibling or own is None or other is None:
            return "0" if symbol.type == self._sibling else "3"
        if own.bits != other.bits:
            return "3"
        return "1" if own.type_class == "bits" else "2"


def _sibling_type(analysis: Analysis, place: TypingPlace, fit: OperandFit) -> str:
    """Returns the type of the last register in the same braces, or else of the instruction."""
    for token in reversed(place.before):
        if token.string in ("{", "("):
            break
        declared = analysis.lookup(token.string, place.range.start)
        if declared is not None and declared.symbol.kind is SymbolKind.REGISTER:
            return declared.symbol.type
    types = isa.database().types
    found = next((name for name in reversed(fit.modifiers) if name in types), "")
    if place.inside == "{":
        found = fit.types[0] if fit.types else found
        # The parts of a `mov` are half as wide as its type.
        is_pack = place.before[place.guard].string == f"mov{found}"
        return _HALVES.get(found, found) if is_pack else found
    return found
