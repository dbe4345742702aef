"""Finds the outlines that instructions write to registers, in rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.outlines import value_outline
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.lint.addresses.outlines.readings import (
        Reading,
    )
    from ptx_ls.lint.addresses.outlines.value_outline import ValueOutline


_MAX_ROUNDS: Final = 12
"""Maximum number of rounds before nothing is known of the registers of a function."""


class OutlineStep(NamedTuple):
    """An instruction that writes a register; its sources are registers or outlines."""

    code: int
    reading: Reading
    sources: tuple[int | ValueOutline, ...]


def solve_outlines(steps: list[OutlineStep], values: dict[int, ValueOutline]) -> None:
    """Finds the outlines that instructions write, in rounds, until none changes."""
    results: dict[Reading, dict[tuple[ValueOutline, ...], ValueOutline]] = {}
    first_reads: dict[int, int] = {}
    for number, step in enumerate(steps):
        for source in step.sources:
            if isinstance(source, int):
                first_reads.setdefault(source, number)
    numbered = [(each.code, results.setdefault(each.reading, {}), each) for each in steps]
    for _ in range(_MAX_ROUNDS):
        is_changed, is_complete = False, True
        for number, (code, known, step) in enumerate(numbered):
            try:
                given = tuple([values[it] if isinstance(it, int) else it for it in step.sources])
            except KeyError:  # an instruction that follows writes it
                is_complete = False
                continue
            result = known.get(given)
            if result is None:
                result = known[given] = step.reading.result(given)
            if _store(values, code, result):
                is_changed = True
                is_complete &= first_reads.get(code, number) >= number
        if is_complete or not is_changed:
            return
    values.update((step.code, value_outline.WORST) for step in steps)


def _store(values: dict[int, ValueOutline], code: int, result: ValueOutline) -> bool:
    """Adds what an instruction may write to a register; returns whether that is new."""
    old = values.get(code)
    if result == old:
        return False
    found = result if old is None else value_outline.either(old, result)
    values[code] = found
    return found != old
