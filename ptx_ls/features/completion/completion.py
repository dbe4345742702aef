"""Completion: what may stand at the cursor, the likeliest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.completion import (
    complete_call,
    complete_directive,
    complete_idiom,
    complete_instruction,
    complete_label,
    complete_operand,
)
from ptx_ls.features.completion.complete_item import CompletionItem, Completions
from ptx_ls.features.completion.offer import MOST
from ptx_ls.features.completion.typing_place import TypingPlace, typing_place
from ptx_ls.syntax import tokens

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.source import Position


def completions(
    analysis: Analysis, position: Position, *, replaces_words: bool = True, typed: str = ""
) -> Completions:
    """What may be typed at a position; nothing inside of comments.

    `replaces_words`: items may replace more than the word at the cursor, such as all of a call.
    `typed`: the character that an editor asks for by itself; nothing follows a brace that opens a
    block, where most go on with a new line and a list would take their key.
    """
    place = typing_place(analysis.document, position)
    if place is None or (typed == "{" and not place.before):
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
    return Completions(tuple(items), is_incomplete=len(items) >= MOST)


def _start(analysis: Analysis, place: TypingPlace, *, has_guard: bool) -> Completions:
    """The beginning of a statement: an opcode with its modifiers, a directive, an idiom."""
    word = place.word
    if "." in word and not word.startswith("."):
        return Completions(tuple(complete_instruction.modifiers(analysis, place)))
    function = analysis.function_at(place.range.start)
    # The head of a function that is there already begins a statement of the module.
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
    # What instructions look like is only worked out for those that begin as typed.
    is_cut = not is_module and not word
    if not is_module:
        items += complete_instruction.opcodes(analysis, place)
    if not has_guard:
        items += complete_directive.statements(analysis, place, in_function=in_function)
        items += complete_label.declarations(analysis, place) if in_function else []
        calls = complete_call.statements(analysis, place) if in_function else []
        items += calls
        is_cut |= len(calls) >= complete_call.FEW
        if not complete_directive.in_section(analysis, place):
            items += complete_idiom.idioms(analysis, place, in_function=in_function)
    return Completions(tuple(items), is_incomplete=is_cut)
