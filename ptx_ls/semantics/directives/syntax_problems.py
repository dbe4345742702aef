"""The syntax errors of a function, without those caused only by splitting text into statements."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.semantics.directives.misread_statements import with_misread
from ptx_ls.semantics.directives.unreadable_statements import with_rests
from ptx_ls.semantics.instructions.checks.line_continuation import goes_on, is_operand
from ptx_ls.semantics.problems.instructions import BadSyntax, UnknownOpcode
from ptx_ls.syntax.offsets import RunPosition, after, along, shifted
from ptx_ls.syntax.parser import TOO_MANY_BLOCKS, SyntaxProblem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText


def check_syntax(
    text: RegionText,
    facts: RegionFacts,
    module: ModuleFacts,
    region: int,
    *,
    closes_early: bool = False,
) -> Iterator[BadSyntax | UnknownOpcode]:
    """Yields the syntax errors of a function.

    `closes_early`: whether the body seems to end too early. Then a `}` after operands is assumed to
    be stray.
    """
    errors = with_rests(sorted(_errors(text, facts, module, region), key=attrgetter("start")), text)
    if closes_early:
        errors = (_with_stray_brace(error, text) for error in errors)
    yield from with_misread(errors, text, facts, module.context)
    if facts.too_deep is not None:
        yield _too_deep(text, facts.too_deep)


def _errors(
    text: RegionText, facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[BadSyntax]:
    previous = None
    faulty = {read for read in text.distinct if read.problems}
    for index in text.lines_of(faulty):
        read = text.records[index]
        if read is previous:
            continue
        previous = read
        row = FunctionPosition((index, 0))
        for problem in read.problems:
            start = shifted(problem.start, row)
            scope, found = facts.scope_at(start), problem.found
            if goes_on(text, start, found) or (
                not found and is_operand(text, start, scope, module, region)
            ):
                continue
            line = text.lines[start[0]] if start[0] < len(text.lines) else ""
            yield BadSyntax(problem, start, shifted(problem.end, row), line)


def _with_stray_brace(error: BadSyntax, text: RegionText) -> BadSyntax:
    """Treats a `}` directly after a statement that lacks its `;` as stray."""
    line, column = error.start
    rest = after(text.lines[line], column) if line < len(text.lines) else ""
    n_blanks = len(rest) - len(rest.lstrip())
    if not error.lacks_semicolon or not rest.startswith("}", n_blanks):
        return error
    problem = error.problem._replace(found="}", expected=(",", ";"))
    start, end = on_row(line, column + n_blanks, column + n_blanks + 1)
    return error._replace(
        problem=problem, start=start, end=end, line=text.lines[line], is_stray=True
    )


def _too_deep(text: RegionText, start: FunctionPosition) -> BadSyntax:
    """Returns the error of the first block that is nested too deeply."""
    row, column = start
    on_line = RunPosition((0, column))
    problem = SyntaxProblem(on_line, along(on_line, 1), "{", (TOO_MANY_BLOCKS,))
    return BadSyntax(problem, start, along(start, 1), text.lines[row])
