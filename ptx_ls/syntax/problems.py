"""Corrects the syntax errors that the statement parser finds, and finds others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax import parser, tokens
from ptx_ls.syntax.names import OF_NAMES
from ptx_ls.syntax.offsets import RunPosition, place_of, shifted
from ptx_ls.syntax.parser import SyntaxProblem
from ptx_ls.syntax.parsing.expected import expected_after

if TYPE_CHECKING:
    from ptx_ls.syntax.cut import Cut
    from ptx_ls.syntax.parser import RunProblem, StatementProblem
    from ptx_ls.syntax.statements import Cutter

_ODD_MODIFIER: Final = re.compile(rf"\.\w*+\$[{OF_NAMES}]*+", re.ASCII).search
_PARAMETER: Final = ".param"
_SECTION: Final = ".section"
_BODY: Final = ("{",)
_NAMELESS: Final = LazyPattern(r"(?:\.\w++\s*+)?\.entry\s*+\(", re.ASCII).match
_ENTRY: Final = tuple(tokens.tokenize(".entry"))[:1]


def odd_modifier(text: str) -> StatementProblem | None:
    """Returns the problem of a modifier with a `$`, as in `.u$L1`, which no opcode has."""
    match = _ODD_MODIFIER(text)
    if match is None:
        return None
    start, end = place_of(text, match.start()), place_of(text, match.end())
    return SyntaxProblem(start, end, match[0], ())


def moved(problem: StatementProblem, start: RunPosition) -> RunProblem:
    """Converts a problem with places in a statement to one with places in the run."""
    return SyntaxProblem(
        shifted(problem.start, start), shifted(problem.end, start), problem.found, problem.expected
    )


def at_follower(problem: RunProblem, cut: Cut, text: str) -> RunProblem:
    """Moves the problem of an incomplete statement to the next token, if more than `;` is missing.

    A token on another line begins a correct statement, so that the problem remains at the end of
    the incomplete one, which the user may be typing. Exceptions are a list of parameters without
    its head, and a repeated head of a section. `text`: the statement.
    """
    follower = cut.follower
    if follower is None or problem.found or ";" in problem.expected:
        return problem
    is_list = follower.text == _PARAMETER and text.startswith(_PARAMETER)
    is_doubled = follower.text == _SECTION and problem.expected == _BODY
    if follower.start[0] > cut.end[0] and not (is_list or is_doubled):
        return problem
    return SyntaxProblem(follower.start, follower.end, follower.text, problem.expected)


def problem_of_head(text: str) -> StatementProblem | None:
    """Returns the problem of a function's head; if a kernel has no name, it is at the `(`."""
    problem = parser.problem_of(text)
    match = _NAMELESS(text) if problem is not None and problem.found in ("{", ";", "") else None
    if match is None:
        return problem
    start, end = place_of(text, match.end() - 1), place_of(text, match.end())
    return SyntaxProblem(start, end, "(", expected_after(_ENTRY))


def unclosed(cutter: Cutter) -> RunProblem:
    """Returns the problem of a comment or raw text that is not closed."""
    row, column = cutter.opened
    first, last = cutter.awaited
    end = RunPosition((row, column + len(first)))
    return SyntaxProblem(cutter.opened, end, first, (last,))
