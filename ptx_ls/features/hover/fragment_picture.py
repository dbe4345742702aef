"""A picture of a matrix: which lane holds each element, with one register's elements marked."""

from __future__ import annotations

import colorsys
from base64 import b64encode
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.isa.matrices.layout import ElementLocation, MatrixLayout

_MAX_ROWS: Final = 16
_MAX_COLUMNS: Final = 16
"""The part of a matrix that is shown; the pattern of larger matrices repeats."""
_ROWS_OF_REGISTER: Final = 8
"""The rows that one register of all lanes of a warp usually covers."""
_CELL_WIDTH: Final = 34
_CELL_HEIGHT: Final = 18
_MARGIN: Final = 26
_MAX_CHARACTERS: Final = 5
"""Maximum length of a name in a cell that is not small."""
_STYLE: Final = (
    "text{font:9px monospace;text-anchor:middle;fill:#111}"
    ".s{font-size:8px}.h{fill:#888}.o{fill:none;stroke:#d00;stroke-width:2}"
)


def data_uri(layout: MatrixLayout, register: int | None = None, selector: int = 0) -> str:
    """Returns an image of a part of the matrix as a `data:` URI.

    The part has the elements in `register` of each lane, which are framed; `selector` selects
    which lanes supply elements, if not all do. Returns "" if the layout is unspecified.
    """
    if layout.unspecified:
        return ""
    return (
        "data:image/svg+xml;base64," + b64encode(svg(layout, register, selector).encode()).decode()
    )


def svg(layout: MatrixLayout, register: int | None = None, selector: int = 0) -> str:
    """Returns the image of `data_uri` as SVG."""
    places = _holders(layout, selector)
    rows, columns = _part(layout, places, register)
    parts = [
        _heading([layout.heading(number, "columns") for number in columns], is_row=True),
        _heading([layout.heading(number, "rows") for number in rows], is_row=False),
    ]
    for down, row in enumerate(rows):
        for right, column in enumerate(columns):
            place = places.get((row, column))
            if place is not None:
                parts.append(_cell(layout, down, right, place, register))
    width = _MARGIN + len(columns) * _CELL_WIDTH + 1
    height = _MARGIN + len(rows) * _CELL_HEIGHT + 1
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><style>{_STYLE}</style>{"".join(parts)}</svg>'
    )


def _part(
    layout: MatrixLayout, places: Mapping[tuple[int, int], ElementLocation], register: int | None
) -> tuple[range, range]:
    """Returns the rows and columns to show: those that `register` covers, or the first ones."""
    held = [at for at, place in places.items() if place.register == register]
    if not held:
        return range(min(layout.rows, _MAX_ROWS)), range(min(layout.columns, _MAX_COLUMNS))
    top = min(row for row, _ in held) // _ROWS_OF_REGISTER * _ROWS_OF_REGISTER
    bottom = max(row for row, _ in held if row < top + _MAX_ROWS)
    # More than 8 rows are shown only if the register's elements in one warp are spread over them.
    is_spread = layout.warps == 1 and bottom >= top + _ROWS_OF_REGISTER
    left = min(column for _, column in held) // _MAX_COLUMNS * _MAX_COLUMNS
    rows = range(top, min(top + (_MAX_ROWS if is_spread else _ROWS_OF_REGISTER), layout.rows))
    return rows, range(left, min(left + _MAX_COLUMNS, layout.columns))


_MAX_CACHED: Final = 8
"""Maximum number of matrices whose holders are cached; those of a large one take some megabytes."""
_cached: Final[dict[tuple[object, ...], dict[tuple[int, int], ElementLocation]]] = {}
"""Cached holders, since a large matrix takes about ten thousand evaluations of formulas."""


def _holders(layout: MatrixLayout, selector: int) -> dict[tuple[int, int], ElementLocation]:
    """Maps each element of the matrix to the first lane that holds it."""
    formulas = layout.row_formula, layout.column_formula, str(layout.supplier)
    counts = layout.lanes, layout.elements_per_lane, layout.elements_per_register
    key = (*formulas, *counts, selector)
    found = _cached.get(key)
    if found is None:
        if len(_cached) >= _MAX_CACHED:
            _cached.clear()
        found = _cached[key] = {
            element: held[0] for element, held in layout.places(selector).items() if held
        }
    return found


def _heading(names: list[str], *, is_row: bool) -> str:
    step = _CELL_WIDTH if is_row else _CELL_HEIGHT
    middles = [_MARGIN + number * step + step // 2 for number in range(len(names))]
    return "".join(
        f'<text class="h" x="{middle if is_row else _MARGIN // 2}" '
        f'y="{_MARGIN - 6 if is_row else middle + 3}">{name}</text>'
        for name, middle in zip(names, middles, strict=True)
    )


def _cell(
    layout: MatrixLayout, row: int, column: int, place: ElementLocation, register: int | None
) -> str:
    left, top = _MARGIN + column * _CELL_WIDTH, _MARGIN + row * _CELL_HEIGHT
    where = f'x="{left}" y="{top}" width="{_CELL_WIDTH}" height="{_CELL_HEIGHT}"'
    text = f"T{place.lane}"
    if layout.registers > 1:
        text += f".{place.register}"
    small = ' class="s"' if len(text) > _MAX_CHARACTERS else ""
    drawn = (
        f'<rect {where} fill="{_colour(place.lane)}" stroke="#999"/>'
        f'<text{small} x="{left + _CELL_WIDTH // 2}" y="{top + _CELL_HEIGHT // 2 + 3}">'
        f"{text}</text>"
    )
    if place.register == register:
        inside = (
            f'x="{left + 1}" y="{top + 1}" width="{_CELL_WIDTH - 2}" height="{_CELL_HEIGHT - 2}"'
        )
        drawn += f'<rect class="o" {inside}/>'
    return drawn


def _colour(lane: int) -> str:
    """Returns a light colour; the four lanes that together hold a row share a hue."""
    hue = lane // 4 * 0.381966 % 1
    red, green, blue = colorsys.hls_to_rgb(hue, 0.9 - 0.06 * (lane % 4), 0.7)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
