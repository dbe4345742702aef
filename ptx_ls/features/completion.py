"""Completion: what may stand at the cursor, the likeliest first."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.features import complete_directive, complete_operand, describe_instruction
from ptx_ls.features.complete_item import CompletionItem, Completions, ItemKind
from ptx_ls.features.typing_place import TypingPlace, typing_place
from ptx_ls.source import Position, Range
from ptx_ls.syntax import tokens

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis


class _Data(StrEnum):
    OPCODE = "opcode"
    DIRECTIVE = "directive"


def completions(analysis: Analysis, position: Position) -> Completions:
    """What may be typed at a position; nothing inside of comments."""
    place = typing_place(analysis.document, position)
    if place is None:
        return Completions(())
    guard = _guard(place)
    if guard is None:
        return complete_operand.guards(analysis, place)
    rest = place.before[guard:]
    if not rest:
        return Completions(tuple(_start(analysis, place, has_guard=bool(guard))))
    if rest[0].type is tokens.WORD and place.first not in complete_directive.STATEMENTS:
        return complete_operand.operands(analysis, place, rest)
    return Completions(tuple(complete_directive.inside(analysis, place)))


def resolve(data: object) -> str | None:
    """The documentation of an item, from the `data` it was given; None without any."""
    if not isinstance(data, str):
        return None
    kind, _, name = data.partition(" ")
    if kind == _Data.OPCODE:
        found = isa.database().instruction(name)
        return describe_instruction.opcode(found) if found is not None else None
    return complete_directive.documentation(kind, name)


def _guard(place: TypingPlace) -> int | None:
    """How many tokens the guard takes; None while its predicate is being typed."""
    if place.first != "@":
        return 0
    count = 2 if [token.string for token in place.before[1:2]] == ["!"] else 1
    return count + 1 if len(place.before) > count else None


def _start(analysis: Analysis, place: TypingPlace, *, has_guard: bool) -> list[CompletionItem]:
    """The beginning of a statement: an opcode with its modifiers, or a directive."""
    word = place.word
    if "." in word and not word.startswith("."):
        return _modifiers(analysis, place)
    in_function = analysis.function_at(place.range.start) is not None
    if word.startswith("."):
        return complete_directive.statements(analysis, place, in_function=in_function)
    if word.startswith(("%", '"')):
        return []
    is_module = analysis.context.version is not None and not in_function
    items = [] if is_module else opcodes(place)
    if not has_guard:
        items += complete_directive.statements(analysis, place, in_function=in_function)
    return items


def opcodes(place: TypingPlace) -> list[CompletionItem]:
    """Every opcode; those the database describes with documentation to resolve."""
    database = isa.database()
    return [
        CompletionItem(
            name,
            ItemKind.OPCODE,
            place.range,
            name,
            sort=f"0{name}",
            data=f"{_Data.OPCODE} {name}" if name in database.opcodes else "",
        )
        for name in sorted(database.keywords)
    ]


@lru_cache(maxsize=256)
def _choices(
    opcode: str, typed: tuple[str, ...], context: isa.Context
) -> tuple[isa.ModifierChoice, ...]:
    # Some opcodes have dozens of forms, and every letter typed asks again.
    found = isa.database().instruction(opcode)
    return tuple(isa.next_modifiers(found, typed, context)) if found is not None else ()


def _modifiers(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """The modifiers that can follow those typed; what the module forbids comes last."""
    opcode, modifiers = isa.split_modifiers(place.word)
    if not modifiers:
        return []
    typed, partial = modifiers[:-1], modifiers[-1]
    start = place.range.end.column - len(partial)
    where = Range(Position(place.range.end.line, start), place.range.end)
    items = []
    choices = _choices(opcode, tuple(typed), analysis.context)
    for number, choice in enumerate(choices):
        rank = "0" if choice.is_legal and choice.is_canonical else "1" if choice.is_legal else "2"
        detail = f"requires {choice.requires}" if choice.requires else choice.slot
        items.append(
            CompletionItem(
                choice.modifier,
                ItemKind.MODIFIER,
                where,
                choice.modifier,
                detail=detail,
                documentation=choice.doc,
                sort=f"{rank}{number:04}",
                is_available=choice.is_legal,
            )
        )
    return items
