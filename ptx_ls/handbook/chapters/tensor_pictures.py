"""Draws which elements of a tensor a bulk tensor copy reaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ptx_ls.handbook.page import Block, Code

_ELEMENT: Final = "·"
_COPIED: Final = "#"
_FILLED: Final = "o"
_NOTHING: Final = " "


def box_picture(arguments: str) -> list[Block]:
    """Draws a box in a 2D tensor: `tensor 12x6, box 6x4 at 8-3, step 1`.

    Sizes and places are columns, then rows. `step` is the traversal stride along the rows.
    """
    tensor, box, step = arguments.split(", ")
    columns, rows = _pair(tensor.removeprefix("tensor "), "x")
    size, _, corner = box.removeprefix("box ").partition(" at ")
    (width, height), (left, top) = _pair(size, "x"), _pair(corner, "-")
    stride = int(step.removeprefix("step "))
    reached = {(x, y) for y in range(top, top + height, stride) for x in range(left, left + width)}
    lines = []
    for y in range(max(rows, top + height)):
        marks = (
            _mark(x < columns and y < rows, (x, y) in reached)
            for x in range(max(columns, left + width))
        )
        lines.append(f"{y:3}  {''.join(marks)}".rstrip())
    return [Code("\n".join(lines), "text")]


def rows_picture(arguments: str) -> list[Block]:
    """Draws the rows that `.tile::gather4` collects: `tensor 12x10, width 6 at 1, rows 2 5 0 9`."""
    tensor, box, numbers = arguments.split(", ")
    columns, rows = _pair(tensor.removeprefix("tensor "), "x")
    width, left = _pair(box.removeprefix("width ").replace(" at ", "x"), "x")
    chosen = [int(number) for number in numbers.removeprefix("rows ").split()]
    lines = []
    for y in range(rows):
        places = [str(at) for at, row in enumerate(chosen) if row == y]
        inside = places[0] if places else _ELEMENT
        line = "".join(inside if left <= x < left + width else _ELEMENT for x in range(columns))
        lines.append(f"{y:3}  {line}" + (f"  row {places[0]} of the box" if places else ""))
    return [Code("\n".join(lines), "text")]


def im2col_picture(arguments: str) -> list[Block]:
    """Draws the order in which `.im2col` copies pixels.

    `arguments`: `image 6x4, corners -1 -1, offsets 0 0, start -1 -1, pixels 10`. Sizes and places
    are W, then H. The corners are those of the tensor map: the first position of the box, and the
    last one as a distance from the last pixel.
    """
    image, corners, offsets, start, count = arguments.split(", ")
    width, height = _pair(image.removeprefix("image "), "x")
    lower, upper = _pair(corners.removeprefix("corners "), " ")
    shift = _pair(offsets.removeprefix("offsets "), " ")
    first = _pair(start.removeprefix("start "), " ")
    n_pixels = int(count.removeprefix("pixels "))
    order: dict[tuple[int, int], int] = {}
    for number, (x, y) in enumerate(_positions(first, (lower, width - 1 + upper), n_pixels)):
        order[x + shift[0], y + shift[1]] = number
    lines = [f"{'':5}" + "".join(f"{x:4}" for x in range(-1, width + 1))]
    for y in range(-1, height + 1):
        cells = (_pixel(order.get((x, y)), 0 <= x < width and 0 <= y < height)
                 for x in range(-1, width + 1))  # fmt: skip
        lines.append(f"{y:5}" + "".join(cells).rstrip())
    return [Code("\n".join(lines), "text")]


def _positions(
    first: tuple[int, int], limits: tuple[int, int], count: int
) -> Iterator[tuple[int, int]]:
    """Yields positions of the filter along W, and continues with the next row at the limit."""
    x, y = first
    for _ in range(count):
        yield x, y
        x += 1
        if x > limits[1]:
            x, y = limits[0], y + 1


def _pixel(number: int | None, is_inside: bool) -> str:  # noqa: FBT001
    if number is None:
        return f"{_ELEMENT if is_inside else _NOTHING:>4}"
    return f"{number if is_inside else f'({number})':>4}"


def _mark(is_inside: bool, is_reached: bool) -> str:  # noqa: FBT001
    if is_reached:
        return _COPIED if is_inside else _FILLED
    return _ELEMENT if is_inside else _NOTHING


def _pair(text: str, separator: str) -> tuple[int, int]:
    first, _, second = text.partition(separator)
    return int(first), int(second)
