"""What holds for an instruction with its very modifiers: needs, defaults, effects, intrinsics."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.hover.describe_operands import parts_of
from ptx_ls.features.markup import Markdown
from ptx_ls.handbook.availability import AvailabilityFacts, deprecations_of, needs_of, removals_of
from ptx_ls.handbook.effects import effects_of
from ptx_ls.handbook.phrases import Wording, code, listed
from ptx_ls.handbook.sentences import effect_sentence, ending_sentence, need_sentence
from ptx_ls.isa.checking.filling import can_be_added
from ptx_ls.isa.checking.verdict import Verdict
from ptx_ls.isa.facts import CONVERGENCE, EFFECTS
from ptx_ls.isa.intrinsics import intrinsics_of
from ptx_ls.isa.layout import MatrixLayout, layouts_of_form

if TYPE_CHECKING:
    from ptx_ls.isa import Form, Instruction
    from ptx_ls.semantics.analysis import JudgedInstruction

_MAX_INTRINSICS: Final = 3
_MAX_DEFAULTS: Final = 4
_MAX_NAMED_ELEMENTS: Final = 4
"""Most elements of a register that are all named."""
_MAX_LAYOUTS: Final = 8
_LANES: Final = (0, 1, 2, 3, 4, 31)
"""Lanes that show how it goes on."""
_MAX_REGISTERS: Final = 8
"""Registers of a lane that a table shows."""
Slots = tuple[tuple[str, str], ...]


def facts(judged: JudgedInstruction) -> Markdown:
    """A list: version and target, effects, threads that take part, intrinsics."""
    if judged.instruction is None or judged.verdict is None or judged.verdict.form is None:
        return markup.NOTHING
    written = tuple(_written(judged).items())
    return _fact_list(judged.instruction, judged.verdict.form, _slots(judged), written)


@lru_cache(maxsize=1024)
def _fact_list(
    instruction: Instruction, form: Form, slots: Slots, written: tuple[tuple[str, str], ...]
) -> Markdown:
    types = dict(written)
    lines = list(_facts(instruction, form, slots, tuple(types)))
    found = intrinsics_of(instruction, Verdict(form, dict(slots)), types)
    exact = [each for each in found if not each.note] or found
    intrinsics = [code(each.name) + (f" ({each.note})" if each.note else "") for each in exact]
    if intrinsics:
        more = ", …" if len(intrinsics) > _MAX_INTRINSICS else ""
        lines.append(f"LLVM: {listed(intrinsics[:_MAX_INTRINSICS])}{more}.")
    return markup.bullets(map(markup.own, lines))


def defaults(judged: JudgedInstruction) -> Markdown:
    """A list of what holds because a modifier is absent that could be there."""
    if judged.instruction is None or judged.verdict is None or judged.verdict.form is None:
        return markup.NOTHING
    lines = _defaults(judged.instruction, judged.verdict.form, _slots(judged))
    return markup.own("\n".join(lines[:_MAX_DEFAULTS]))


def layouts(judged: JudgedInstruction) -> Markdown:
    """A table of where the elements of the matrices are; "" for an instruction without any."""
    if judged.instruction is None or judged.verdict is None or judged.verdict.form is None:
        return markup.NOTHING
    return _layouts(judged.verdict.form, _slots(judged))


def fragment_layout(judged: JudgedInstruction, operand: int) -> MatrixLayout | None:
    """How the lanes hold the matrix that an operand is a part of; None for any other operand."""
    specs = judged.verdict.operand_specs if judged.verdict is not None else ()
    spec = specs[operand] if operand < len(specs) else None
    if judged.verdict is None or judged.verdict.form is None or spec is None:
        return None
    known = layouts_of_form(judged.verdict.form, _all(judged.verdict.form, judged.verdict.slots))
    layout = known.get(spec.name)
    return None if layout is None or layout.unspecified else layout


def fragment(layout: MatrixLayout, register: int, selector: int = 0) -> Markdown:
    """Which elements of a matrix a register of a fragment holds: a sentence and some lanes.

    `selector`: the value of the operand that chooses the lanes that count.
    """
    held = _held(layout, register, layout.registers)
    sample = _sample(layout, register, selector)
    return markup.paragraphs(markup.own(held), sample, markup.own(layout.note))


def _sample(layout: MatrixLayout, register: int, selector: int) -> Markdown:
    """What some lanes hold in their registers, the one asked for in front."""
    lanes = [lane for lane in _LANES if lane < layout.lanes and layout.takes_part(lane)]
    if layout.supplier is not None:
        counting = [lane for lane in range(layout.lanes) if layout.supplies(lane, selector)]
        lanes = [*counting[: len(_LANES) - 1], *counting[len(_LANES) - 1 :][-1:]]
    numbers = [register, *(n for n in range(layout.registers) if n != register)]
    rows = [
        [markup.filled("**{}**" if number == register else "{}", str(number))]
        + [markup.own(_elements(layout, lane, number)) for lane in lanes]
        for number in numbers[:_MAX_REGISTERS]
    ]
    return markup.table(("register", *(_thread(layout, lane) for lane in lanes)), rows)


def _thread(layout: MatrixLayout, number: int) -> str:
    """A thread by its lane, and by its warp where several warps hold the matrix."""
    names = layout.names_of(number)
    warp = f"warp {names['warp']}, " if layout.warps > 1 else ""
    return f"{warp}lane {names['lane']}"


def _elements(layout: MatrixLayout, lane: int, register: int) -> str:
    """The elements in a register of a lane, as `[row][column]`."""
    first = register * layout.elements_per_register
    last = min(first + layout.elements_per_register, layout.elements_per_lane)
    numbers = [*range(first, last)]
    shown = numbers if len(numbers) <= 2 else [numbers[0], numbers[-1]]  # noqa: PLR2004  the ends
    places = [_place(layout, *layout.element(lane, number)) for number in shown]
    return (" " if len(shown) == len(numbers) else " ... ").join(places)


def _place(layout: MatrixLayout, row: int, column: int) -> str:
    return f"[{layout.heading(row, 'rows')}][{layout.heading(column, 'columns')}]"


def _held(layout: MatrixLayout, register: int, count: int) -> str:
    """The elements in a register of a fragment, as formulas of the lane."""
    first = register * layout.elements_per_register
    last = min(first + layout.elements_per_register, layout.elements_per_lane) - 1
    numbers = list(range(first, last + 1))
    if not numbers:
        return ""
    shown = numbers if len(numbers) <= _MAX_NAMED_ELEMENTS else [first, last]
    bounds = layout.bounds
    elements = [
        code(f"[{layout.row.given({'i': i}, bounds)}][{layout.column.given({'i': i}, bounds)}]")
        for i in shown
    ]
    counted = ", counted as it is held:" if layout.chunk > 1 else ""
    between = " to " if len(shown) < len(numbers) else ", "
    return (
        f"Register {register} of {count} of fragment {code(layout.operand)}: "
        f"of {layout.matrix} ({layout.size}){counted} {between.join(elements)}."
    )


def of_modifier(judged: JudgedInstruction, slot: str) -> Markdown:
    """What the modifier in a slot needs beyond the rest of the instruction, and what holds without.

    "" where there is nothing to say.
    """
    if judged.instruction is None or judged.verdict is None or judged.verdict.form is None:
        return markup.NOTHING
    form, written = judged.verdict.form, tuple(_written(judged))
    given = _all(form, judged.verdict.slots)
    others = {name: text for name, text in given.items() if name != slot}
    without = _needs(form, others, written)
    lines = [need_sentence(need) for need in _needs(form, given, written) if need not in without]
    row = next((each for each in form.slots if each.name == slot), None)
    if row is not None and row.optional:
        text = judged.instruction.default_doc(given[slot], slot)
        lines += [f"Without it: {text}"] if text else []
    return markup.bullets(map(markup.own, lines))


def _needs(
    form: Form, given: Mapping[str, str], written: tuple[str, ...]
) -> list[AvailabilityFacts]:
    """The needs that are sure, given some modifiers, and that ptxas insists on."""
    found = needs_of(form.row.gates, Wording(form, given, written))
    return [need for need in found if need.enforced and not need.condition]


def _slots(judged: JudgedInstruction) -> Slots:
    return tuple(judged.verdict.slots.items()) if judged.verdict is not None else ()


def _written(judged: JudgedInstruction) -> dict[str, str]:
    """The operands that are there with their declared types, "" for none that is known.

    By the names of the form; second destinations and parts of addresses too.
    """
    found: dict[str, str] = {}
    specs = judged.verdict.operand_specs if judged.verdict is not None else ()
    for operand, spec in zip(judged.operands, specs, strict=False):
        if spec is None:
            continue
        known = judged.facts[operand.identifier] if operand.identifier >= 0 else None
        found[spec.name] = known.type if known is not None and known.space == ".reg" else ""
        if operand.paired is not None and spec.pair:
            found[spec.pair] = ""
        for part in parts_of(spec.row, len(operand.elements)):
            found[part.name] = ""
    return found


def _all(form: Form, slots: Mapping[str, str]) -> dict[str, str]:
    """The modifier or selector of every slot, "" for an empty one."""
    return {slot.name: slots.get(slot.name, "") for slot in form.row.slots}


def endings(judged: JudgedInstruction) -> Markdown:
    """Since when the form in use is gone or discouraged, and what replaces it; "" for neither."""
    if judged.verdict is None or judged.verdict.form is None:
        return markup.NOTHING
    form = judged.verdict.form
    if not (form.row.until or form.row.deprecated):
        return markup.NOTHING
    wording = Wording(form, _all(form, judged.verdict.slots), tuple(_written(judged)))
    found = (
        *removals_of(form.row.until, wording),
        *deprecations_of(form.row.deprecated, wording),
    )
    return markup.bullets(markup.filled("⚠ {}", markup.own(ending_sentence(it))) for it in found)


@lru_cache(maxsize=256)
def _facts(
    instruction: Instruction, form: Form, slots: Slots, written: tuple[str, ...]
) -> tuple[str, ...]:
    given = _all(form, dict(slots))
    wording, known = Wording(form, given, written), instruction.facts(form)
    effects = (
        *effects_of(known.effects, EFFECTS, wording),
        *effects_of(known.convergence, CONVERGENCE, wording),
    )
    return (
        *map(need_sentence, _needs(form, given, written)),
        *([" ".join(map(effect_sentence, effects))] if effects else []),
    )


@lru_cache(maxsize=256)
def _defaults(instruction: Instruction, form: Form, slots: Slots) -> tuple[str, ...]:
    given = dict(slots)
    values = [given.get(slot.name, "") for slot in form.row.slots]
    found: dict[str, None] = {}
    for index, slot in enumerate(form.slots):
        if values[index] or not slot.optional or not can_be_added(form, values, [index]):
            continue
        text = next(
            filter(None, (instruction.default_doc(it, slot.name) for it in slot.values)), ""
        )
        if text:
            name = slot.values[0] if len(slot.values) == 1 else f".{slot.name}"
            found[f"- no {code(name)}: {text}"] = None
    return tuple(found)


@lru_cache(maxsize=64)
def _layouts(form: Form, slots: Slots) -> Markdown:
    known = layouts_of_form(form, _all(form, dict(slots)))
    found = {name: layout for name, layout in known.items() if not layout.unspecified}
    rows = [
        (
            markup.code(name),
            markup.joined(", ", map(markup.own, (layout.matrix, layout.size))),
            markup.code(layout.row_formula),
            markup.code(layout.column_formula),
        )
        for name, layout in found.items()
    ][:_MAX_LAYOUTS]
    notes: dict[str, list[Markdown]] = {}
    for name, layout in found.items():
        if layout.note:
            notes.setdefault(layout.note, []).append(markup.code(name))
    return markup.paragraphs(
        markup.table(("fragment", "of", markup.own("row of element `i`"), "column"), rows),
        markup.bullets(
            markup.filled("{}: {}", markup.joined(", ", names), markup.own(note))
            for note, names in notes.items()
        ),
    )
