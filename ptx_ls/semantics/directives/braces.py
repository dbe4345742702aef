"""Braces without partners.

Source: PTX ISA, "Kernel and Function Directives"; functions do not nest.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.problems.instructions import LooseBrace
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.record import MultiLine, run_start
from ptx_ls.syntax.statements import BLANKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.syntax.nesting import BraceProblem
    from ptx_ls.syntax.offsets import Place


MAX_OPENED: Final = 100
"""Braces that are named of those that are never closed: the outermost ones."""


def check_braces(text: RegionText, problems: Sequence[BraceProblem]) -> Iterator[LooseBrace]:
    """Each brace that closes nothing, those side by side as one, and once all never closed."""
    closing = (_place(text, problem) for problem in problems if not problem.is_opening)
    for start, end in _side_by_side(closing, text):
        yield LooseBrace(is_opening=False, start=start, end=end)
    opening = (_place(text, problem) for problem in problems if problem.is_opening)
    opened = tuple(islice(opening, MAX_OPENED))
    if opened:
        stop = end_of_region(text)
        ends_file = stop[0] < len(text.lines) and text.limit is None
        yield LooseBrace(is_opening=True, start=stop, end=stop, opened=opened, ends_file=ends_file)


def _side_by_side(
    places: Iterable[tuple[Place, Place]], text: RegionText
) -> Iterator[tuple[Place, Place]]:
    """The same places, with those joined that have only blanks between them on a line."""
    before: tuple[Place, Place] | None = None
    for start, end in places:
        if before is not None:
            line, column = before[1]
            if line == start[0] and not text.lines[line][column : start[1]].strip(BLANKS):
                before = before[0], end
                continue
            yield before
        before = start, end
    if before is not None:
        yield before


def _place(text: RegionText, problem: BraceProblem) -> tuple[Place, Place]:
    line = problem.line - text.start
    read = text.records[line]
    brace = "{" if problem.is_opening else "}"
    if isinstance(read, MultiLine):
        end = shifted(read.pieces[problem.piece].end, (line, 0))
    else:
        end = (line, text.lines[line].index(brace) + 1)
    return (end[0], end[1] - 1), end


def end_of_region(text: RegionText) -> Place:
    """Where a region ends: on the line of the next function's head, or with the file."""
    n_lines = len(text.lines)
    last = text.records[-1]
    if text.limit is None or not isinstance(last, MultiLine):
        is_last = not text.lines[-1].endswith(("\n", "\r"))
        return (n_lines - 1, len(text.lines[-1])) if is_last else (n_lines, 0)
    first = run_start(text.records, n_lines - 1)
    return shifted(last.pieces[text.limit].start, (first, 0))
