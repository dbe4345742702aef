"""Completion of labels: declared ones, those that branches use, and new ones."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind, in_turn
from ptx_ls.features.completion.ranking.fresh_registers import unused_number
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.semantics.analysis import Analysis

FIRST: Final = "00-"
"""Begins the sort keys of items that come before all opcodes."""
LATER: Final = "00002~"
"""Begins the sort keys of items that come after the likeliest opcodes."""
_ENDS: Final = ("bra", "brx", "exit", "ret", "trap")
_MAX_LINES_AWAY: Final = 200
"""Maximum distance from the cursor, in lines, of branches that are read."""
_MAX_LINE_LENGTH: Final = 1000
_DIGITS: Final = "0123456789"


def missing(analysis: Analysis, place: TypingPlace) -> list[str]:
    """Returns the undeclared labels that branches nearby use, the nearest above first."""
    document, line = analysis.document, place.range.start.line
    located = document.located_on(line)
    start = max(located.first_line, line - _MAX_LINES_AWAY)
    stop = min(located.stop_line, line + _MAX_LINES_AWAY)
    around = [*reversed(document.lines[start:line]), *document.lines[line + 1 : stop]]
    found: dict[str, None] = {}
    for text in around:
        if "bra" in text and len(text) < _MAX_LINE_LENGTH:
            names = names_in(text.partition("//")[0])
            found.update({target: None for name, target in pairwise(names) if name == "bra"})
    return [name for name in found if analysis.lookup(name, place.range.start) is None]


def declarations(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Completes missing labels with their colons, at the beginning of a statement.

    They are likely after a statement that ends a block, and unlikely elsewhere.
    """
    rank = FIRST if _ends_block(analysis, place.range.start.line) else LATER
    return [
        CompletionItem(
            f"{name}:",
            ItemKind.LABEL,
            place.range,
            f"{name}:",
            detail="target of a branch",
            sort=f"{rank}{number:03}",
        )
        for number, name in enumerate(missing(analysis, place))
    ]


def _ends_block(analysis: Analysis, line: int) -> bool:
    """Whether control never continues after the last instruction above a line."""
    above = analysis.document.records[max(0, line - _MAX_LINES_AWAY) : line]
    last = next((each for each in reversed(above) if isinstance(each, Shape)), None)
    return last is not None and not last.guard and last.name in _ENDS


def targets(
    analysis: Analysis, place: TypingPlace, declared: Sequence[CompletionItem]
) -> list[CompletionItem]:
    """Returns the items of a branch: declared labels, missing ones and new ones in turn.

    A branch goes back to the nearest label above, or forward to a label that does not exist yet.
    """
    near = [item.text for item in sorted(declared, key=lambda item: item.sort)]
    undeclared = missing(analysis, place)
    new = [
        name
        for name in _new_labels([*near, *undeclared])
        if analysis.lookup(name, place.range.start) is None
    ]
    return in_turn(
        declared,
        _targets(place, undeclared, "undeclared target of another branch"),
        _targets(place, new, "new label"),
    )


def _targets(place: TypingPlace, names: Sequence[str], detail: str) -> list[CompletionItem]:
    return [
        CompletionItem(name, ItemKind.LABEL, place.range, name, detail=detail, sort=f"{number:04}")
        for number, name in enumerate(names)
    ]


def _new_labels(names: Sequence[str]) -> list[str]:
    """Returns new names like those of labels, of which the nearest one is first.

    The numbers are the next one that no label has, the lowest one, and those after all others.
    """
    stem = next((each for name in names if (each := name.rstrip(_DIGITS)) != name), "")
    numbers = [
        decimal(name[len(stem) :])
        for name in names
        if name.startswith(stem) and name[len(stem) :].isdecimal()
    ]
    if not stem or not numbers:
        return []
    used = {0, *numbers}
    likely = (unused_number(numbers[0], used), unused_number(1, used), max(used) + 1, max(used) + 2)
    return [f"{stem}{number}" for number in dict.fromkeys(likely)]
