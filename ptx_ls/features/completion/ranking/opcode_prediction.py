"""Predicts the next opcode from those before it in the document, and from what real code has."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.record import Kind, MultiLine, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis

_MAX_LINES_ABOVE: Final = 600
"""Maximum number of lines above the cursor whose order of opcodes is learnt."""
START: Final = "{"
"""Precedes the first opcode of a function."""
GUARD: Final = "@"
"""Precedes opcodes with a guard in the table."""
_WEIGHT_OF_PAIR: Final = 8
"""How much more two equal opcodes before count than one."""
_WEIGHT_OF_MODIFIERS: Final = 3
"""How much more an opcode with equal modifiers counts than one with others."""
_WEIGHT_OF_TWO: Final = 2
"""How much more the table's opcodes after the last two count than those after the last one."""
_FADING: Final = 0.9
"""Each further occurrence makes the earlier ones count less."""
_TABLE: Final = "followers.tsv"


def predicted(analysis: Analysis, line: int, *, has_guard: bool = False) -> list[str]:
    """Returns opcodes without modifiers that may come next on a line, the likeliest first.

    `has_guard`: whether a guard is typed before.
    """
    above = [*_opcodes(analysis, line)]
    before = [opcode for opcode, _ in above]
    last, second = before[-1], before[-2] if len(before) > 1 else ""
    name = last.partition(".")[0]
    scores: dict[str, float] = {}
    for number in range(1, len(before)):
        earlier = before[number - 1]
        if above[number][1] is not has_guard:
            continue
        if earlier.partition(".")[0] != name and not has_guard:
            continue
        weight = 1.0
        if earlier == last:
            weight *= _WEIGHT_OF_MODIFIERS
            if number > 1 and before[number - 2] == second:
                weight *= _WEIGHT_OF_PAIR
        following = before[number].partition(".")[0]
        scores[following] = scores.get(following, 0) * _FADING + weight
    known = followers()
    pair = f"{second.partition('.')[0]} {name}"
    for key, weight in (
        (GUARD if has_guard else name, 1),
        ("" if has_guard else pair, _WEIGHT_OF_TWO),
    ):
        for rank, following in enumerate(known.get(key, ())):
            scores[following] = scores.get(following, 0) + weight / (rank + 1)
    scores.pop(START, None)
    return sorted(scores, key=lambda each: -scores[each])


def _opcodes(analysis: Analysis, line: int) -> Iterator[tuple[str, bool]]:
    """Yields the opcodes of the lines above and whether they have guards.

    A sign precedes those of each body.
    """
    document = analysis.document
    yield START, False
    for record in document.records[max(0, line - _MAX_LINES_ABOVE) : line]:
        for each in record.records if isinstance(record, MultiLine) else (record,):
            if isinstance(each, Shape):
                yield each.opcode, bool(each.guard)
            elif each.kind is Kind.FUNCTION:
                yield START, False


@cache
def followers() -> dict[str, tuple[str, ...]]:
    """Returns the opcodes that follow one or two in real code, the most frequent first."""
    text = files(__package__).joinpath(_TABLE).read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {first: tuple(rest.split()) for first, rest in rows}
