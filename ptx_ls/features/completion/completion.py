"""Completion of what is typed at the cursor, the likeliest items first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ptx_ls.features.completion import (
    complete_call,
    complete_directive,
    complete_idiom,
    complete_instruction,
    complete_label,
    complete_operand,
    complete_suppression,
)
from ptx_ls.features.completion.complete_item import CompletionItem, Completions
from ptx_ls.features.completion.offer import MAX_OFFERED_SYMBOLS
from ptx_ls.features.completion.typing_place import MIN_OF_CUDA, TypingPlace, typing_place
from ptx_ls.syntax import tokens
from ptx_ls.syntax.record_lines import filled

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position


def completions(
    analysis: Analysis, position: Position, *, replaces_words: bool = True, typed: str = ""
) -> Completions:
    """Returns the completions at a position; none in comments, except those for ptx-ls.

    `replaces_words`: whether items may replace more than the word at the cursor, such as a call.
    `typed`: the character that triggered the request. There are no items after a brace that opens
    a block, where Enter should begin a line, not accept an item.
    """
    place = typing_place(analysis.document, position)
    if place is None:
        return complete_suppression.suppressions(analysis.document, position)
    if typed == "{" and not place.before:
        return Completions(())
    if place.is_guard:
        return complete_operand.guards(analysis, place)
    rest = place.before[place.guard :]
    if not rest:
        return _start(analysis, place, has_guard=bool(place.guard))
    if rest[0].type is tokens.WORD and place.first not in complete_directive.STATEMENTS:
        whole = complete_call.sequences(analysis, place) if replaces_words else None
        return whole or complete_operand.operands(analysis, place, rest)
    items = complete_directive.inside(analysis, place)
    return Completions(tuple(items), is_incomplete=len(items) >= MAX_OFFERED_SYMBOLS)


def _start(analysis: Analysis, place: TypingPlace, *, has_guard: bool) -> Completions:
    """Completes the beginning of a statement: an opcode, modifiers, a directive, an idiom."""
    word = place.word
    if "." in word and not word.startswith("."):
        return Completions(tuple(complete_instruction.modifiers(analysis, place)))
    function = analysis.function_at(place.range.start)
    # A statement before the head of a function is at module scope.
    in_function = function is not None and function.range.start < place.range.start
    if word.startswith("."):
        found = complete_directive.statements(analysis, place, in_function=in_function)
        return Completions(tuple(found))
    if word.startswith(("%", '"')):
        return Completions(())
    if word.startswith("$") and in_function:
        return Completions(tuple(complete_label.declarations(analysis, place)))
    is_module = analysis.context.version is not None and not in_function
    items: list[CompletionItem] = []
    # Opcodes have operands only once a letter is typed, and names of CUDA C++ come a little later:
    # until then, typing must make a new request.
    is_cut = not is_module and len(word) < MIN_OF_CUDA
    if not is_module:
        opcodes = complete_instruction.opcodes(analysis, place)
        items += _ranked_last(opcodes) if _is_first(analysis, place) else opcodes
        items += complete_instruction.of_cuda(analysis, place) if in_function else []
    if analysis.context.version is None and not (in_function or has_guard):
        items += complete_idiom.headers(analysis, place)
    if not has_guard:
        items += complete_directive.statements(analysis, place, in_function=in_function)
        items += complete_label.declarations(analysis, place) if in_function else []
        calls = complete_call.statements(analysis, place) if in_function else []
        items += calls
        is_cut |= len(calls) >= complete_call.MAX_WHOLE_CALLS
        if not complete_directive.in_section(analysis, place):
            items += complete_idiom.idioms(analysis, place, in_function=in_function)
    return Completions(tuple(items), is_incomplete=is_cut)


def _is_first(analysis: Analysis, place: TypingPlace) -> bool:
    """Whether no statement precedes the one at the cursor, so that a module begins here."""
    return next(filled(analysis.document.records, 0, place.range.start.line), None) is None


def _ranked_last(items: list[CompletionItem]) -> list[CompletionItem]:
    """Returns items with sort keys after those of directives."""
    return [replace(item, sort=f"2{item.sort}") for item in items]
