"""Draws how a swizzling mode permutes the lines of shared memory, and lists the modes."""

from __future__ import annotations

from typing import Final

from ptx_ls.handbook.page import Block, Code, Table
from ptx_ls.isa.matrices.swizzle import Swizzle, swizzles

_LINE: Final = 128
"""Bytes of a line of shared memory: all 32 banks."""
_UNIT: Final = 16
"""Bytes of a numbered cell."""
_ABSENT: Final = "-"


def mode_named(name: str) -> Swizzle:
    """Returns the mode with a name of the data, such as `64 bytes`."""
    return next(mode for mode in swizzles() if mode.name == name)


def swizzle_picture(name: str) -> list[Block]:
    """Draws one repetition of a pattern: which 16 bytes of a line are in which place of it."""
    mode = mode_named(name)
    lines = [f"{'place':>9}  {_cells(list(range(_LINE // _UNIT)))}"]
    for start in range(0, mode.repeat, _LINE):
        held = [mode.apply(start + place) % _LINE // _UNIT for place in range(0, _LINE, _UNIT)]
        lines.append(f"{f'line {start // _LINE}':>9}  {_cells(held)}")
    return [Code("\n".join(lines), "text")]


def conflict_picture(name: str) -> list[Block]:
    """Draws where the first 16 bytes of each row of 128 bytes are, without and with a mode."""
    plain, mode = mode_named("none"), mode_named(name)
    lines = [f"{'':7}{'not swizzled':20}{name}"]
    for row in range(_LINE // _UNIT):
        shown = [
            "".join("#" if place == each.apply(row * _LINE) % _LINE // _UNIT else "·"
                    for place in range(_LINE // _UNIT))
            for each in (plain, mode)
        ]  # fmt: skip
        lines.append(f"row {row}  {shown[0]:20}{shown[1]}")
    return [Code("\n".join(lines), "text")]


def swizzle_table() -> list[Block]:
    """Lists the modes with their formulas, and the numbers that instructions give them."""
    header = ("mode", "offset of a byte", "kept together", "repeats after",
              "`tensormap`", "`wgmma`", "`tcgen05`")  # fmt: skip
    return [Table(header, tuple(map(_row, swizzles())))]


def _row(mode: Swizzle) -> tuple[str, ...]:
    mask = (1 << mode.bits) - 1
    formula = f"`o ^ ((o >> {mode.source} & {mask}) << {mode.low})`" if mode.bits else "`o`"
    kept = f"{mode.atom} bytes" if mode.bits else "all"
    repeat = f"{mode.repeat:,} bytes" if mode.bits else _ABSENT
    numbers = (str(mode.numbers.get(each, _ABSENT)) for each in ("tensormap", "wgmma", "tcgen05"))
    return (mode.name, formula, kept, repeat, *numbers)


def _cells(numbers: list[int]) -> str:
    return " ".join(f"{number:2}" for number in numbers)
