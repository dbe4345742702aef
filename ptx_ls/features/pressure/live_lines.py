"""The number of live registers at the ends of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.pressure.pressure import MAX_LINES, liveness_of
from ptx_ls.source import Position
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document


def live_lines(document: Document, first: int, stop: int) -> Iterator[tuple[Position, str]]:
    """Yields the end of each line in [first, stop) with an instruction, and what is alive there."""
    lines = document.lines
    words: dict[int, int] = {}
    for number, located in enumerate(document.functions):
        begin = located.first_line
        n_lines = located.function.extent.lines
        if begin >= stop:
            break
        if begin + n_lines < first or n_lines > MAX_LINES:
            continue
        liveness = liveness_of(document, number)
        if liveness is not None:
            for each in liveness.counts_between(first - begin, stop - begin):
                words[begin + each.row] = max(each.words, words.get(begin + each.row, 0))
    for line, count in sorted(words.items()):
        yield Position(line, content_length(lines[line])), f"{count} live"
