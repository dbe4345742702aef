"""One block of the picture of a flow graph: title, notes and instructions."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from ptx_ls.features.control_flow.flow_picture import columns_of
from ptx_ls.features.control_flow.layered.layout import Size
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.guards import guard_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.features.control_flow.flow_picture import Box, PictureRow
    from ptx_ls.features.control_flow.layered.layout import Point

COLUMN: Final = 7.25
"""Width of a character in the widest of the usual fonts."""
PAD: Final = 9
"""Distance from the border of a block to its text."""
_ROW: Final = 16
_BASE: Final = 17
"""Distance from the upper border to the base line of the title."""
_FOOT: Final = 10
"""Height of a block in addition to that of its lines."""
_SPACE: Final = 6
"""Height around the rule between the title and the instructions."""
_NUMBER: Final = 5
"""Columns of a line number and the space after it."""
_BAR: Final = 3
_MAX_SHADED_LOOPS: Final = 4
"""Each loop around a block makes it darker, up to this number."""
_FLOW: Final = frozenset({"bra", "brx", "call", "ret", "exit", "trap"})
"""Opcodes that transfer control."""


def size_of(box: Box) -> Size:
    """Returns the size of a block."""
    columns = [columns_of(text) for text in (box.title, *box.notes)]
    columns += (_NUMBER + columns_of(row.text) for row in box.rows)
    if box.place:
        columns.append(columns_of(box.title) + 2 + columns_of(box.place))
    n_rows = 1 + len(box.notes) + len(box.rows)
    space = _SPACE if box.rows else 0
    return Size(max(columns) * COLUMN + 2 * PAD, n_rows * _ROW + space + _FOOT)


def block(number: int, box: Box, corner: Point, size: Size) -> str:
    """Returns a block with its number, its upper left corner at `corner`."""
    look = "block dead" if box.is_dead else "block"
    lines = f'data-first="{box.first}" data-last="{box.last}"'
    parts = [
        f'<g class="{look}" data-block="{number}" {lines}><title>{escape(box.about)}</title>',
        *_frame(box, corner, size),
        *_text(box, corner, size),
        "</g>\n",
    ]
    return "".join(parts)


def _frame(box: Box, corner: Point, size: Size) -> Iterator[str]:
    place = f'x="{corner.x:.1f}" y="{corner.y:.1f}"'
    whole = f'{place} width="{size.width:.1f}" height="{size.height:.1f}"'
    yield f'<rect class="box" {whole} rx="4"/>'
    if box.is_divided:
        yield f'<rect class="part" {whole} rx="4"/>'
    if box.depth:
        yield f'<rect class="tint" {whole} rx="4"/>' * min(box.depth, _MAX_SHADED_LOOPS)
        yield f'<rect class="bar" {place} width="{_BAR}" height="{size.height:.1f}"/>'
    if box.leaves:
        end = f'x="{corner.x:.1f}" y="{corner.y + size.height - _BAR:.1f}"'
        yield f'<rect class="end" {end} width="{size.width:.1f}" height="{_BAR}"/>'


def _text(box: Box, corner: Point, size: Size) -> Iterator[str]:
    x, y, right = corner.x + PAD, corner.y + _BASE, corner.x + size.width
    yield _at(x, y, box.title, "name")
    if box.place:
        yield _at(right - PAD, y, box.place, "muted", is_end=True)
    for note in box.notes:
        y += _ROW
        yield _at(x, y, note, "loop" if box.is_loop and note is box.notes[0] else "muted")
    if box.rows:
        y += _SPACE
        yield f'<path class="rule" d="M{corner.x:.1f} {y:.1f}H{right:.1f}"/>'
    start = x + _NUMBER * COLUMN
    for row in box.rows:
        y += _ROW
        if row.number:
            yield _at(start - COLUMN, y, str(row.number), "muted", is_end=True)
            yield f'<text x="{start:.1f}" y="{y:.1f}">{_coloured(row)}</text>'
        else:
            yield _at(start, y, row.text, "muted")


def _at(x: float, y: float, text: str, look: str, *, is_end: bool = False) -> str:
    """Returns a text that begins, or ends, at a place."""
    anchor = ' text-anchor="end"' if is_end else ""
    return f'<text class="{look}" x="{x:.1f}" y="{y:.1f}"{anchor}>{escape(text)}</text>'


def _coloured(row: PictureRow) -> str:
    guard, opcode = guard_of(row.text), opcode_of(row.text)
    if not opcode[:1].isalpha():
        return escape(row.text)
    start = row.text.index(opcode, guard.end if guard is not None else 0)
    name = opcode.partition(".")[0]
    parts = [
        f'<tspan class="guard">{escape(row.text[:start])}</tspan>' if start else "",
        f'<tspan class="{"opcode flow" if name in _FLOW else "opcode"}">{escape(opcode)}</tspan>',
        escape(row.text[start + len(opcode) :]),
    ]
    return "".join(parts)
