"""Explains the operands of matrix instructions: the elements that registers hold, descriptors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features import markup
from ptx_ls.features.markup import Markdown
from ptx_ls.isa.matrices.form_layouts import layouts_of_form
from ptx_ls.semantics.constants.values import value_of
from ptx_ls.syntax.operands import OperandForm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.isa.matrices.layout import MatrixLayout
    from ptx_ls.semantics.analysis import JudgedInstruction
    from ptx_ls.source import Position

_HOLDING: Final = (OperandForm.VECTOR, OperandForm.IDENTIFIER)
"""Operands that may hold elements of a matrix."""
_LANES_OF_ROW: Final = 4
_MAX_NAMED_ELEMENTS: Final = 4
"""If a register has more elements, only the first and the last are named."""
_LANES: Final = (0, 1, 2, 3, 4, 31)
"""The lanes of the sample table."""
_CHAPTERS: Final = ("matrix-descriptors", "swizzle")
_MAX_REGISTERS: Final = 8
"""Maximum number of registers of a lane that a table shows."""


def fragment(judged: JudgedInstruction, position: Position) -> tuple[MatrixLayout, int, int] | None:
    """Returns the layout of the matrix whose elements the register at a position holds.

    Also returns the number of the register in its operand, and the value of the operand that
    selects lanes (0 if unknown).
    """
    for operand, spec in judged.placed_operands():
        if operand.form not in _HOLDING or judged.form is None:
            continue
        held = operand.elements if operand.form is OperandForm.VECTOR else (operand,)
        places = [judged.statement.position(each.start) for each in held]
        if position in places:
            layout = layouts_of_form(judged.form, judged.all_slots()).get(spec.name)
            if layout is None or layout.unspecified:
                return None
            return layout, places.index(position), _selected(judged, layout.selector)
    return None


def _selected(judged: JudgedInstruction, selector: str) -> int:
    """Returns the value of the operand `selector`, or of its last element; 0 if it is not valid."""
    for operand, spec in judged.placed_operands():
        if selector and spec.name == selector:
            chosen = operand.elements[-1] if operand.elements else operand
            value = value_of(chosen.text)
            return int(value) if value is not None and value in range(_LANES_OF_ROW) else 0
    return 0


def descriptor_links(judged: JudgedInstruction, position: Position) -> Markdown:
    """Returns links to the chapters about the matrix descriptor at a position; "" elsewhere."""
    from ptx_ls.handbook.chapters.links import links_to
    from ptx_ls.handbook.swizzling import is_descriptor

    for operand, spec in judged.placed_operands():
        if judged.statement.position(operand.start) == position and is_descriptor(spec.name):
            return markup.joined(" · ", map(markup.own, links_to(*_CHAPTERS)))
    return markup.NOTHING


def elements(
    layout: MatrixLayout, register: int, selector: int = 0, *, is_drawn: bool = False
) -> Markdown:
    """Describes the elements of a matrix that a register holds: a sentence and some lanes.

    `selector`: the value of the operand that selects which lanes supply elements. `is_drawn`:
    whether a picture shows what lanes hold, so that no table has to.
    """
    held = _held(layout, register, layout.registers)
    sample = markup.NOTHING if is_drawn else _sample(layout, register, selector)
    return markup.paragraphs(markup.own(held), sample, markup.own(layout.note))


def _sample(layout: MatrixLayout, register: int, selector: int) -> Markdown:
    """Returns a table of the elements that some lanes hold, with the given register first."""
    lanes = [lane for lane in _LANES if lane < layout.lanes and layout.takes_part(lane)]
    if layout.supplier is not None:
        counting = [lane for lane in range(layout.lanes) if layout.supplies(lane, selector)]
        lanes = [*counting[: len(_LANES) - 1], *counting[len(_LANES) - 1 :][-1:]]
    numbers = [register, *(n for n in range(layout.registers) if n != register)]
    rows = [
        [markup.filled("**{}**" if number == register else "{}", str(number))]
        + [_elements(layout, lane, number) for lane in lanes]
        for number in numbers[:_MAX_REGISTERS]
    ]
    return markup.table(_header(layout, lanes), rows)


def _header(layout: MatrixLayout, threads: Sequence[int]) -> list[str]:
    """Names threads by their lanes, and by their warps if several warps hold the matrix."""
    names = [layout.names_of(thread) for thread in threads]
    lanes = [f"lane {each['lane']}" for each in names]
    if layout.warps == 1:
        return ["register", *lanes]
    warps = [f"warp {each['warp']}" for each in names]
    if len(set(warps)) == 1:
        return [f"register, {warps[0]}", *lanes]
    return ["register", *map(", ".join, zip(warps, lanes, strict=True))]


def _elements(layout: MatrixLayout, lane: int, register: int) -> Markdown:
    """Returns the elements in a register of a lane, as `[row][column]`.

    They are code: Neovim takes `[0][1]` in other text for a link, and shows only `0`.
    """
    first = register * layout.elements_per_register
    last = min(first + layout.elements_per_register, layout.elements_per_lane)
    numbers = [*range(first, last)]
    shown = numbers if len(numbers) <= 2 else [numbers[0], numbers[-1]]  # noqa: PLR2004  the ends
    places = [markup.code(_place(layout, *layout.element(lane, number))) for number in shown]
    return markup.joined(" " if len(shown) == len(numbers) else " ... ", places)


def _place(layout: MatrixLayout, row: int, column: int) -> str:
    return f"[{layout.heading(row, 'rows')}][{layout.heading(column, 'columns')}]"


def _held(layout: MatrixLayout, register: int, count: int) -> str:
    """Returns the elements in a register of a fragment, as formulas of the lane."""
    first = register * layout.elements_per_register
    last = min(first + layout.elements_per_register, layout.elements_per_lane) - 1
    numbers = list(range(first, last + 1))
    if not numbers:
        return ""
    shown = numbers if len(numbers) <= _MAX_NAMED_ELEMENTS else [first, last]
    formulas = layout.row, layout.column
    elements = [
        markup.code("".join(f"[{each.given({'i': i}, layout.bounds)}]" for each in formulas))
        for i in shown
    ]
    counted = f", counting only stored {layout.chunks_along}" if layout.chunk > 1 else ""
    highest = count - 1
    others = f" (registers 0 {'to' if highest > 1 else 'and'} {highest})" if highest else ""
    what = "these elements" if len(numbers) > 1 else "this element"
    between = " to " if len(shown) < len(numbers) else ", "
    return (
        f"In fragment {markup.code(layout.operand)}{others}, register {register} holds {what} of "
        f"{layout.matrix} ({layout.size}){counted}: {between.join(elements)}."
    )
