"""Completion of labels that branches use but that are not declared yet."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.features.completion.complete_item import CompletionItem, ItemKind
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
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


def targets(analysis: Analysis, place: TypingPlace) -> list[CompletionItem]:
    """Completes missing labels that other branches name, as the target of a branch."""
    return [
        CompletionItem(
            name,
            ItemKind.LABEL,
            place.range,
            name,
            detail="undeclared label of another branch",
            sort=f"1{number:04}",
        )
        for number, name in enumerate(missing(analysis, place))
    ]
