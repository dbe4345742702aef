"""Keeps the diagnostics of other lines as they are while a statement is being typed.

Half a statement changes how other lines are read: without its `;`, it contains the next one, and
half a name is another name. The consequences for other lines are not true of the finished
line, so these keep the diagnostics that they had before.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.document.statements import statements_on
from ptx_ls.lint.results.known_diagnostics import KnownDiagnostics
from ptx_ls.lint.results.result import Result
from ptx_ls.semantics.symbols.compiler_output import MAX_BANNER_LINES, has_banner
from ptx_ls.source import Diagnostic, Position, Range, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.lint import LintSession
    from ptx_ls.syntax.statement import Statement

_MAX_LINES: Final = 200
"""Maximum number of lines of a statement, or of an open block, that is taken as being typed."""
_HEADS: Final = frozenset({Kind.FUNCTION, Kind.SECTION})
_FUNCTIONS: Final = _HEADS | {Kind.FUNCTION_DECLARATION}
_OPENING: Final = _HEADS | {Kind.OPEN}


class TypedLines(NamedTuple):
    """Lines of a document that have been edited, one next to the other.

    `before`: the document before the first of these edits, in which they were the lines from
    `first` to `last_before`; now, they are those from `first` to `last`.
    """

    before: Document
    first: int
    last_before: int
    last: int

    @property
    def n_added(self) -> int:
        """The number of lines by which the lines after them have moved."""
        return self.last - self.last_before


def typed_lines(
    known: TypedLines | None, before: Document, document: Document, first: int, last: int
) -> TypedLines | None:
    """Returns the edited lines after one more edit; only those of that edit if it is elsewhere.

    `known`: the lines that were edited until now. `before`: the document before the edit, `first`
    and `last`: the lines of the edit after it. Returns None if there are too many.
    """
    n_added = document.n_lines - before.n_lines
    last_before = last - n_added
    if last_before < first:  # a line end that joined another one
        return None
    found = TypedLines(before, first, last_before, last)
    if known is not None and first <= known.last and last_before >= known.first:
        further = max(0, last_before - known.last)
        found = TypedLines(
            known.before,
            min(first, known.first),
            known.last_before + further,
            max(known.last + n_added, last),
        )
    is_long = max(found.last, found.last_before) - found.first >= _MAX_LINES
    return None if is_long else found


def is_unfinished(typed: TypedLines, document: Document) -> bool:
    """Whether the lines, as they are now, change how the lines after them are read.

    That is so if their statements have a syntax error, a function header without body, or a brace
    that leaves more braces without a partner than before, or if their last statement or comment now
    includes the next line, except for a header whose `{` is there. It is also so if they are a part
    of the comment that says that a compiler wrote the module, or was.
    """
    around = _runs(document, typed.first, typed.last)
    rows = document.records[around.start : around.stop]
    if any(read.problems or read.kind is Kind.BROKEN for read in rows):
        return True
    if typed.first < MAX_BANNER_LINES and _has_banner(document) != _has_banner(typed.before):
        return True
    statements = list(_statements(document, typed.first, typed.last))
    if _goes_on(document, typed.last) and not _goes_on(typed.before, typed.last_before):
        is_head = bool(statements) and statements[-1].record.kind in _HEADS
        if not is_head or _is_followed_by_head(typed):
            return True
    if any(_is_header_alone(each) for each in statements):
        return True
    former = _statements(typed.before, typed.first, typed.last_before)
    if sum(map(_opened, statements)) == sum(map(_opened, former)):
        return False
    n_before = _n_unmatched(typed.before, typed.first, typed.last_before)
    return _n_unmatched(document, typed.first, typed.last) > n_before


def has_new_errors(typed: TypedLines, before: LintSession, session: LintSession) -> bool:
    """Whether the statements on the lines have more errors than before the edits.

    Then they are wrong as they are, so other lines should not be judged by them.
    `before` and `session`: the checks of the document before the edits and now.
    """
    n_errors = _n_errors(session, typed.first, typed.last)
    return n_errors > 0 and n_errors > _n_errors(before, typed.first, typed.last_before)


def held(
    typed: TypedLines, known_before: KnownDiagnostics, known: KnownDiagnostics
) -> KnownDiagnostics:
    """Returns the present diagnostics of edited lines, and the former ones of all others.

    `known_before` and `known`: those of the document before the edits and now.
    """
    results: list[tuple[Position, Result]] = []
    apart: list[Diagnostic] = []
    starts = [start for start, _ in known_before.results]
    for number, (start, result) in enumerate(known_before.results):
        if start.line > typed.last_before:
            results.append((_moved(start, typed), result))
        elif number + 1 < len(starts) and starts[number + 1].line <= typed.first:
            results.append((start, result))
        else:
            places = known_before.header, known_before.declared
            apart += [
                _carried(one, typed)
                for one in result.at(start, *places)
                if not typed.first <= one.range.start.line <= typed.last_before
            ]
    apart += [
        one
        for start, result in known.results
        if start.line <= typed.last
        for one in result.at(start, known.header, known.declared)
        if typed.first <= one.range.start.line <= typed.last
    ]
    if apart:
        results.append((Position(0, 0), Result(apart)))
    declared = {
        name: _moved_range(place, typed)
        for name, place in known_before.declared.items()
        if not typed.first <= place.start.line <= typed.last_before
    }
    return KnownDiagnostics(tuple(results), known.header, known.declared | declared)


def _statements(document: Document, first: int, last: int) -> Iterator[Statement]:
    """Yields the statements that touch some lines, in order."""
    after = Position(0, 0)
    for line in range(first, last + 1):
        for found in statements_on(document, line):
            if found.start >= after and found.end.line >= first and found.start.line <= last:
                yield found
                after = found.end


def _runs(document: Document, first: int, last: int) -> range:
    """Returns some lines, with those that are read together with them."""
    return range(document.run_at(first).start, document.run_at(last).stop)


def _n_errors(session: LintSession, first: int, last: int) -> int:
    around = _runs(session.document, first, last)
    found = session.within(around.start, around.stop - 1)
    return sum(one.severity is Severity.ERROR for one in found)


def _has_banner(document: Document) -> bool:
    return has_banner(document.lines[:MAX_BANNER_LINES])


def _is_followed_by_head(typed: TypedLines) -> bool:
    """Whether a function began below the lines before they were edited."""
    last = typed.before.n_lines
    later = range(typed.last_before + 1, min(typed.last_before + 1 + _MAX_LINES, last))
    line = next((each for each in later if typed.before.lines[each].strip()), None)
    return line is not None and any(
        each.start.line == line and each.record.kind in _FUNCTIONS
        for each in statements_on(typed.before, line)
    )


def _is_header_alone(statement: Statement) -> bool:
    """Whether a statement is the header of a function, without a body and without a `;`."""
    return statement.record.kind is Kind.FUNCTION_DECLARATION and not statement.text.endswith(";")


def _opened(statement: Statement) -> int:
    """Returns by how much a statement changes the number of open braces."""
    kind = statement.record.kind
    return (kind in _OPENING) - (kind is Kind.CLOSE)


def _n_unmatched(document: Document, first: int, last: int) -> int:
    """Returns the number of braces without a partner in the functions on some lines."""
    numbers: set[int] = set()
    count = 0
    for line in range(first, last + 1):
        located = document.located_on(line)
        if located.number not in numbers:
            numbers.add(located.number)
            count += len(braces(located.function).unmatched)
    return count


def _goes_on(document: Document, line: int) -> bool:
    """Whether the text on a line and that on a later line are read together."""
    later = range(line + 1, document.run_at(line).stop)
    return any(document.lines[each].strip() for each in islice(later, _MAX_LINES))


def _carried(diagnostic: Diagnostic, typed: TypedLines) -> Diagnostic:
    """Returns a former diagnostic at its present place, without what refers to edited lines."""
    return diagnostic._replace(
        range=_moved_range(diagnostic.range, typed),
        ready=(),
        offers=None,
        related=tuple(
            [
                each._replace(range=_moved_range(each.range, typed))
                for each in diagnostic.related
                if not typed.first <= each.range.start.line <= typed.last_before
            ]
        ),
        singles=tuple(
            [each._replace(range=_moved_range(each.range, typed)) for each in diagnostic.singles]
        ),
    )


def _moved_range(place: Range, typed: TypedLines) -> Range:
    return Range(_moved(place.start, typed), _moved(place.end, typed))


def _moved(place: Position, typed: TypedLines) -> Position:
    """Returns where a former place is now; the end of the edited lines if it was in these."""
    if place.line < typed.first:
        return place
    if place.line > typed.last_before:
        return place._replace(line=place.line + typed.n_added)
    return place._replace(line=min(place.line, typed.last))
