"""Completion of opcodes, with placeholders for their operands, and of modifiers."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind
from ptx_ls.features.completion.ranking import likelihood
from ptx_ls.features.completion.ranking.opcode_prediction import predicted
from ptx_ls.features.completion.ranking.precedents import names_of_instructions
from ptx_ls.features.completion.ranking.recent import recent_names
from ptx_ls.features.completion.ranking.usual_spellings import spellings_near
from ptx_ls.features.completion.snippets import operand_snippet, snippet
from ptx_ls.features.completion.typing_place import MIN_OF_CUDA
from ptx_ls.features.hover.instructions.modifier_meaning import meaning_of, sizes_of
from ptx_ls.isa.cuda_functions import ANY, functions_named
from ptx_ls.source import Position, Range
from ptx_ls.syntax.tokens import SPACES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.isa.cuda_functions import CudaFunction
    from ptx_ls.semantics.analysis import Analysis

_OTHER_TYPES: Final = frozenset({"ld", "ldu", "mov", "cvt"})
"""Instructions whose type says what they write and not what they read."""
_ADDRESSES: Final = {".u32", ".u64"}
"""The types of instructions that compute addresses."""
_PACKED: Final = "x"
"""A part of the names of types of packed values, as in `.f16x2`."""


def opcodes(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Completes opcodes, with operands if nothing follows and their first letter is typed."""
    line = place.range.start.line
    ranks = {
        name: rank
        for rank, name in enumerate(predicted(analysis, line, has_guard=bool(place.guard)))
    }
    near = spellings_near(analysis, line) if place.is_open and place.word else {}
    return [
        _opcode(analysis, place, name, ranks.get(name), near.get(name, ""))
        for name in sorted(isa.database().keywords)
    ]


def of_cuda(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Completes the instruction of a CUDA C++ function whose name is being typed.

    As for an opcode, the operands follow if nothing is after the name.
    """
    if len(place.word) < MIN_OF_CUDA:
        return []
    underscores = "_" * (len(place.word) - len(place.word.lstrip("_")))
    return [
        CompletionItem(
            each.name,
            ItemKind.OPCODE,
            place.range,
            each.instruction,
            detail=each.instruction,
            sort=f"8{each.name}",
            filter=f"{underscores}{each.name.lstrip('_')}",
            data=f"opcode {each.opcode}",
            template=_call(each, analysis.context) if place.is_open else "",
        )
        for each in functions_named(place.word)
    ]


def _call(function: CudaFunction, context: isa.Context) -> str:
    """Returns the instruction of a function with its operands; "" if the module cannot have it."""
    operands = operand_snippet.of_operands(function.opcode, function.modifiers, context)
    known = [each.replace(ANY, "") for each in function.operands.split(",")]
    return f"{function.instruction}{snippet.filled(operands, known)}" if operands else ""


def _opcode(
    analysis: Analysis, place: TypingPlace, name: str, rank: int | None, near: str
) -> CompletionItem:
    """Returns the item of an opcode.

    `rank`: its place among those that likely come next. `near`: how a line above spells it.
    """
    context = analysis.context
    template = ""
    if place.is_open and place.word and place.word[:1] == name[:1]:
        template = operand_snippet.of_opcode(name, context, near)
    _, _, operands = snippet.plain(template).rstrip(";").partition(" ")
    return CompletionItem(
        name,
        ItemKind.OPCODE,
        place.range,
        name,
        sort=f"00{rank:03}" if rank is not None else f"01{likelihood.of_opcode(name)}{name}",
        data=f"opcode {name}",
        template=template,
        signature=f" {operands}" if operands else "",
    )


@lru_cache(maxsize=512)
def _choices(
    opcode: str, typed: tuple[str, ...], context: isa.Context
) -> tuple[isa.ModifierChoice, ...]:
    # Some opcodes have dozens of forms, and each typed letter makes a new request.
    found = isa.database().instruction(opcode)
    return tuple(isa.next_modifiers(found, typed, context)) if found is not None else ()


def modifiers(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Completes modifiers; those that are illegal in the module come last.

    Those that follow the same words in the lines above come first. The last modifier of an
    instruction also inserts the operands, if nothing follows.
    """
    opcode, written = isa.split_modifiers(place.word)
    if not written:
        return []
    typed, partial = tuple(written[:-1]), written[-1]
    start = place.range.end.column - len(partial)
    where = Range(Position(place.range.end.line, start), place.range.end)
    choices = _choices(opcode, typed, analysis.context)
    legal = [choice for choice in choices if choice.is_legal and choice.is_canonical]
    types = {choice.modifier for choice in legal if choice.is_needed}
    own_size = f".u{analysis.context.address_size}" if types == _ADDRESSES else ""
    line = place.range.start.line
    ranks = [likelihood.of_modifier(choice.modifier, opcode) for choice in choices]
    near = likelihood.next_modifiers_near(analysis, opcode, typed, line)
    if opcode == "ld" and typed[:1] == (".param",):
        near = [*_type_of_next_parameter(analysis, place), *near]
    has_spaces = any(choice.modifier in SPACES for choice in legal)  # these come before types
    is_open = opcode not in _OTHER_TYPES and not has_spaces
    fitting = _types_of_unread(analysis, line, types) if is_open else []
    first = [*near, *fitting, *likelihood.usual_modifiers(opcode)]
    return [
        _modifier(
            opcode,
            choice,
            where,
            _order(choice, first, f"{ranks[number]}{number:04}", own_size),
            _ending(opcode, typed, choice, analysis.context) if place.is_open else "",
            is_best=legal == [choice],
        )
        for number, choice in enumerate(choices)
    ]


def _types_of_unread(analysis: Analysis, line: int, types: Collection[str]) -> list[str]:
    """Returns those of some types that fit the nearest value above that is not read yet."""
    recent = recent_names(analysis, line)
    name = next((each for each in recent.used if each in recent.unread), "")
    facts = isa.database().type_facts
    bits, kind = facts.get(analysis.facts_of(name, Position(line, 0)).type, (0, ""))
    if not bits:
        return []
    found = [
        each
        for each in types
        if facts.get(each, (0, ""))[0] == bits
        and (facts[each][1] == "float") is (kind == "float")
        and _PACKED not in each
    ]
    return sorted(found, key=likelihood.of_modifier)


def _type_of_next_parameter(analysis: Analysis, place: TypingPlace) -> list[str]:
    """Returns the type of the first parameter that no line above reads; nothing if all are read."""
    function = analysis.function_at(place.range.start)
    if function is None or not function.symbol.parameters:
        return []
    used = names_of_instructions(analysis, place.range.start.line)
    unread = (each.type for each in function.symbol.parameters if each.name not in used)
    return list(islice(unread, 1))


def _ending(
    opcode: str, typed: tuple[str, ...], choice: isa.ModifierChoice, context: isa.Context
) -> str:
    """Returns the operands, if nothing else may follow a modifier; else ""."""
    if not (choice.completes and choice.is_last and choice.is_legal and choice.is_canonical):
        return ""
    return operand_snippet.of_operands(opcode, (*typed, choice.modifier), context)


@lru_cache(maxsize=1 << 10)
def _meaning(opcode: str, modifier: str, slot: str) -> str:
    """Returns the first sentence about a modifier, without its full stop.

    The letter of a size says little without its number.
    """
    found = isa.database().instruction(opcode)
    text = meaning_of(found, modifier, slot) if found is not None else ""
    first = text.partition(". ")[0]
    return (sizes_of(modifier, opcode) or first).rstrip(".").replace("`", "")


def _modifier(
    opcode: str,
    choice: isa.ModifierChoice,
    where: Range,
    sort: str,
    ending: str,
    *,
    is_best: bool,
) -> CompletionItem:
    detail = _meaning(opcode, choice.modifier, choice.slot)
    if choice.requires:
        detail = f"needs {choice.requires}"
    elif choice.is_deprecated:
        detail = "deprecated"
    return CompletionItem(
        choice.modifier,
        ItemKind.MODIFIER,
        where,
        choice.modifier,
        detail=detail,
        sort=sort,
        data=f"modifier {opcode} {choice.slot} {choice.modifier}",
        is_available=choice.is_legal,
        template=f"{choice.modifier}{ending}" if ending else "",
        is_deprecated=choice.is_deprecated,
        is_best=is_best,
        commits="." if choice.is_legal and not ending else "",
    )


def _order(choice: isa.ModifierChoice, near: Sequence[str], order: str, own_size: str) -> str:
    """Returns the sort key of a modifier; `order` is its last part."""
    rank = _rank(choice)
    if choice.modifier == own_size:
        return "00"
    if choice.modifier in near and rank in ("0", "1"):
        return f"00{near.index(choice.modifier):04}"
    return f"{rank}1{order}"


def _rank(choice: isa.ModifierChoice) -> str:
    """Returns the first part of a sort key: state spaces and required modifiers come first."""
    if not choice.is_legal:
        return "3"
    if not choice.is_canonical or choice.is_deprecated:
        return "2"
    name = choice.modifier.partition("::")[0]
    return "0" if choice.is_needed or name in SPACES else "1"
