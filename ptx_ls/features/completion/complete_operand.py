"""Completion of operands: registers of the fitting type first, labels after a branch, symbols."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion import complete_label
from ptx_ls.features.completion.complete_constant import constants
from ptx_ls.features.completion.complete_item import (
    CompletionItem,
    Completions,
    ItemKind,
    after_two,
    in_turn,
)
from ptx_ls.features.completion.complete_special import (
    components,
    of_cuda,
    special_registers,
)
from ptx_ls.features.completion.offer import MAX_OFFERED_SYMBOLS, Offer, matching, order_of
from ptx_ls.features.completion.operand_fit import OperandFit, count_operands
from ptx_ls.features.completion.ranking.operand_ranks import BRANCHES, HALVES, UNFIT, OperandRanks
from ptx_ls.features.completion.ranking.precedents import precedents, suggestions
from ptx_ls.features.completion.snippets.snippet import stop
from ptx_ls.features.completion.snippets.vector_snippet import VectorSnippets
from ptx_ls.features.completion.typing_place import CLOSING_BRACKETS, MIN_OF_CUDA
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax import tokens
from ptx_ls.syntax.tokens import Token

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa.notation.table import OperandRow
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.symbols import Symbol

_OPENING: Final = ("[", "{")
_OF_RESULTS: Final = ("", "{")
"""Brackets that may contain results."""
_LAUNCH: Final = f"01{order_of(0)}"
"""The rank of the special registers of launches in a `mov`."""
_TAKES_FUNCTIONS: Final = frozenset({"call", "mov", "cvta"})


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
    row = OperandFit(analysis, place, statement).row if bracket and not place.inside else None
    if bracket and (row is None or _needed_bracket(row)):
        return _bracketed(analysis, place, statement, bracket)
    found = _unbracketed(analysis, place, statement)
    if bracket:
        others = _bracketed(analysis, place, statement, bracket).items
        plain = [item for item in found.items if item.text != bracket]
        return Completions(tuple(in_turn(others, plain)), is_incomplete=True)
    if found.items or place.inside:
        return found
    needed = _needed_bracket(OperandFit(analysis, place, statement).row)
    return _bracketed(analysis, place, statement, needed) if needed else found


def _bracket(analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> str:
    """Returns the bracket with which the operand begins in the same instruction above; or ""."""
    if not statement:
        return ""
    if place.inside:
        return _bracket_of_part(analysis, place, statement)
    above = precedents(analysis, place.range.start.line, statement[0].string)
    number = count_operands(statement)
    text = above[0][number] if above and number < len(above[0]) else ""
    return text[:1] if text[:1] in _OPENING else ""


def _bracket_of_part(analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> str:
    """Returns the brace with which a part of an address must begin: `[texture, {x, y}]`; or ""."""
    if place.inside != "[" or place.previous != ",":
        return ""
    fit = OperandFit(analysis, place, statement)
    if fit.has_sampler:
        return ""
    row = fit.row
    opening = max(at for at, token in enumerate(statement) if token.string == "[")
    number = sum(token.string == "," for token in statement[opening:])
    parts = row.parts[number:] if row is not None else ()
    required = [part for part in parts if not part.optional]  # else a sampler is rarely written
    return _needed_bracket(required[0]) if required else ""


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
    inside = replace(place, before=(*place.before, token), inside=place.inside + bracket)
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
        items.append(_brace(place, rank))
    return Completions(tuple(items), is_incomplete=True)


def _brace(place: TypingPlace, rank: str) -> CompletionItem:
    """Returns the item of a brace that opens a vector."""
    template = f"{{{stop('')}}}" if place.is_open else ""
    return CompletionItem("{", ItemKind.VALUE, place.range, "{", sort=rank, template=template)


def _unbracketed(analysis: Analysis, place: TypingPlace, statement: Sequence[Token]) -> Completions:
    """Completes a name where it can be inserted as it is."""
    opcode = statement[0].string.partition(".")[0]
    ranks = OperandRanks(analysis, place, statement)
    values = constants(place, ranks.fit)
    if values or ranks.fit.is_superfluous or place.word[:1].isdigit():
        return Completions(tuple(values))
    found = []
    symbols = chain(analysis.local_symbols(place.range.start), _module(analysis, opcode, place))
    for symbol in symbols:
        rank = ranks.of(symbol)
        if rank:
            found.append((rank, symbol))
    fitting = [(rank, symbol) for rank, symbol in found if rank != UNFIT]
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
        is_incomplete = offered.is_incomplete or len(place.word) < MIN_OF_CUDA
        return Completions(items, is_incomplete=is_incomplete)
    is_move = opcode == "mov" and not place.inside and not place.word
    rank = after_two(offered.items)
    if is_move and not HALVES.keys().isdisjoint(ranks.fit.modifiers):
        offered = replace(offered, items=(*offered.items, _brace(place, rank)))
    if opcode in BRANCHES or "[" in place.inside or "(" in place.inside or is_name or is_result:
        return offered
    likely_rank = min(rank, _LAUNCH) if is_move else ""
    others = special_registers(analysis, place, ranks.fit, likely_rank)
    return Completions((*offered.items, *others), is_incomplete=offered.is_incomplete)


def _begins(symbol: Symbol, word: str) -> bool:
    """Whether the name of a symbol, or of a register of a range, starts with the typed text."""
    if not symbol.count or not word.startswith(symbol.name):
        return symbol.name.startswith(word)
    number = word[len(symbol.name) :]
    return not number or (number.isdecimal() and decimal(number) < symbol.count)


def _marked(item: CompletionItem) -> CompletionItem:
    """Adds a remark to an item that does not fit."""
    if not item.sort.startswith(UNFIT):
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
