"""Applies the fixes of diagnostics to a text, round by round until nothing is left to fix."""

from __future__ import annotations

from bisect import bisect_right, insort
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.lint.session import LintSession
from ptx_ls.lint.work import LintSettings
from ptx_ls.semantics.recognition import NO_HEADER, begins_as_ptx, why_not_ptx
from ptx_ls.source import Applicability, Position, Severity
from ptx_ls.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ptx_ls.source import Diagnostic, Fix, Range, TextEdit
    from ptx_ls.syntax.reader import Reader

_MAX_ROUNDS: Final = 20
"""Rounds of fixes: some uncover others, and two might undo each other."""
_ALL: Final = frozenset(Severity)


class Fixed(NamedTuple):
    """A text after fixes, and how many diagnostics they were for.

    `refusal`: why the text was left as it is although there are fixes, as `why_not_ptx` words it.
    """

    text: str
    n_fixed: int
    refusal: str = ""


def _never() -> bool:
    return False


def fix(
    text: str,
    *,
    has_unsafe: bool = False,
    severities: frozenset[Severity] = _ALL,
    ignored: frozenset[str] = frozenset(),
    reader: Reader | None = None,
    should_stop: Callable[[], bool] = _never,
) -> Fixed:
    """Applies what mends the diagnostics of some severities, if the text reads as PTX then.

    Args:
        text: of a module.
        has_unsafe: whether to apply unsafe fixes, too, where they leave no error on their lines;
            where there are several ways to mend something, none of them is taken.
        severities: of the diagnostics to mend.
        ignored: names of rules that report nothing.
        reader: what reads the text, if it is to learn from it.
        should_stop: whether the result is not wanted any more; fixing ends there.
    """
    original, n_fixed = text, 0
    for _ in range(_MAX_ROUNDS):
        document = Document(text, reader)
        found = _found(document, LintSettings(ignored), should_stop)
        wanted = [one for one in found if one.severity in severities]
        chosen = choose(wanted)
        if not chosen and has_unsafe:
            check = partial(_found, settings=LintSettings(ignored), should_stop=should_stop)
            chosen = _mending(choose(wanted, has_unsafe=True), document.lines, found, check)
        if not chosen or should_stop():
            break
        if not begins_as_ptx(document.lines, document.records):
            return Fixed(original, 0, NO_HEADER)
        text = applied(document.lines, [edit for each in chosen for edit in each.edits])
        n_fixed += len(chosen)
    refusal = why_not_ptx(Document(text, reader)) if n_fixed else ""
    return Fixed(original, 0, refusal) if refusal else Fixed(text, n_fixed)


def fixable(
    text: str,
    wanted: Sequence[Diagnostic],
    *,
    severities: frozenset[Severity] = _ALL,
    reader: Reader | None = None,
) -> tuple[int, int]:
    """How many diagnostics `fix` would mend, and how many more with unsafe fixes.

    What it does is planned in full only where something may keep fixes from being written: a syntax
    error, or what has to be looked at after an unsafe fix.

    Args:
        text: of a module, which reads as PTX up to its syntax errors.
        wanted: its diagnostics of some severities.
        severities: those.
        reader: what reads the text, if it is to learn from it.
    """
    n_certain, n_either = len(choose(wanted)), len(choose(wanted, has_unsafe=True))
    has_unsafe = n_either > n_certain
    if n_certain and why_not_ptx(Document(text, reader)):
        n_certain = fix(text, severities=severities, reader=reader).n_fixed
    if has_unsafe:
        n_either = fix(text, has_unsafe=True, severities=severities, reader=reader).n_fixed
        return n_certain, max(0, n_either - n_certain)
    return n_certain, 0


def _mending(
    fixes: list[Fix],
    lines: Sequence[str],
    before: Sequence[Diagnostic],
    check: Callable[[Document], list[Diagnostic]],
) -> list[Fix]:
    """Those of some fixes after which nothing is wrong with the lines that they change.

    An empty list unless they leave fewer errors. They leave the number of lines as it is.
    """
    if not fixes:
        return []
    text = applied(lines, [edit for each in fixes for edit in each.edits])
    after = _errors(check(Document(text)))
    if len(after) >= len(_errors(before)):
        return []
    wrong = {line for one in after for line in _lines(one.range)}
    return [each for each in fixes if wrong.isdisjoint(_changed(each))]


def _errors(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [one for one in found if one.severity is Severity.ERROR]


def _lines(area: Range) -> range:
    return range(area.start.line, area.end.line + 1)


def _changed(each: Fix) -> list[int]:
    return [line for edit in each.edits for line in _lines(edit.range)]


def _found(
    document: Document, settings: LintSettings, should_stop: Callable[[], bool]
) -> list[Diagnostic]:
    session = LintSession(document, settings)
    while not should_stop() and (work := session.pending()) is not None:
        session.accept(work.run(should_stop))
    return session.diagnostics()


def choose(diagnostics: Iterable[Diagnostic], *, has_unsafe: bool = False) -> list[Fix]:
    """One fix for each diagnostic that has one to take, as far as they do not overlap."""
    chosen: list[Fix] = []
    taken = _Ranges()
    for diagnostic in diagnostics:
        each = fix_of(diagnostic, has_unsafe=has_unsafe)
        if each is not None and not any(taken.touches(edit.range) for edit in each.edits):
            chosen.append(each)
            for edit in each.edits:
                taken.add(edit.range)
    return chosen


def fix_of(diagnostic: Diagnostic, *, has_unsafe: bool = False) -> Fix | None:
    """The fix to take unseen: a certain one, or an unsafe one that is the only fix."""
    for each in diagnostic.ready:
        if each.is_certain:
            return each
    if has_unsafe and diagnostic.ready:
        first, *others = diagnostic.fixes
        return None if others or first.applicability is not Applicability.UNSAFE else first
    return None


def applied(lines: Sequence[str], edits: Iterable[TextEdit]) -> str:
    """A text with edits applied, which do not overlap."""
    parts: list[str] = []
    place = Position(0, 0)
    for edit in sorted(edits, key=lambda edit: (edit.range.start, edit.range.end)):
        parts += (*_between(lines, place, edit.range.start), edit.new_text)
        place = edit.range.end
    return "".join((*parts, *_between(lines, place, Position(len(lines), 0))))


def _between(lines: Sequence[str], start: Position, end: Position) -> Iterator[str]:
    """The text between two places, which may be after the last line."""
    if start.line == end.line:
        yield from (line[start.column : end.column] for line in lines[start.line : end.line + 1])
        return
    yield from (line[start.column :] for line in lines[start.line : start.line + 1])
    yield from lines[start.line + 1 : end.line]
    yield from (line[: end.column] for line in lines[end.line : end.line + 1])


class _Ranges:
    """Ranges that do not overlap, in order."""

    def __init__(self) -> None:
        self._starts: list[Position] = []
        self._ends: list[Position] = []

    def touches(self, area: Range) -> bool:
        """Whether a range meets one of these: even neighbours may have to be judged anew."""
        before = bisect_right(self._starts, area.end)
        return before > 0 and self._ends[before - 1] >= area.start

    def add(self, area: Range) -> None:
        """Adds a range. It may meet others at its ends only."""
        insort(self._starts, area.start)
        insort(self._ends, area.end)
