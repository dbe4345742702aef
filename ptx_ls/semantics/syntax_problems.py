"""Syntax problems of a region, without those that only our way of finding statements makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.semantics.continued import goes_on, is_operand
from ptx_ls.semantics.mismatch import BadSyntax
from ptx_ls.syntax.parser import TOO_MANY_BLOCKS, SyntaxProblem
from ptx_ls.syntax.places import shifted
from ptx_ls.syntax.record import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.module import ModuleFacts
    from ptx_ls.semantics.region import RegionFacts
    from ptx_ls.semantics.region_text import RegionText
    from ptx_ls.syntax.places import Place


def check_syntax(text: RegionText, facts: RegionFacts, module: ModuleFacts) -> Iterator[BadSyntax]:
    """The statements of a region that cannot be read."""
    previous = None
    faulty = {read for read in text.distinct if read.problems}
    for index in text.lines_of(faulty):
        read = text.records[index]
        if read is previous:
            continue
        previous = read
        for problem in read.problems:
            if _belongs(text, index, problem.start):
                start = shifted(problem.start, (index, 0))
                if goes_on(text, start, problem.found) or is_operand(
                    text, start, problem.found, facts.scope_at(start), module
                ):
                    continue
                line = text.lines[start[0]] if start[0] < len(text.lines) else ""
                yield BadSyntax(problem, start, shifted(problem.end, (index, 0)), line)
    if facts.too_deep is not None:
        yield _too_deep(text, facts.too_deep)


def _too_deep(text: RegionText, start: Place) -> BadSyntax:
    """The first block that is nested too deep to be read."""
    end = start[0], start[1] + 1
    problem = SyntaxProblem(start, end, "{", (TOO_MANY_BLOCKS,))
    return BadSyntax(problem, start, end, text.lines[start[0]])


def _belongs(text: RegionText, index: int, place: Place) -> bool:
    """Whether a place in a run is the region's, where several regions share the run."""
    run = text.records[index]
    if not isinstance(run, Run):
        return True
    if index == 0 and text.skip and place < run.pieces[text.skip].start:
        return False
    is_last = text.limit is not None and run is text.records[-1]
    return not (is_last and text.limit is not None and place >= run.pieces[text.limit].start)
