"""Applies the fixes of diagnostics to a text, round by round until nothing is left to fix."""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import TYPE_CHECKING, Final

from ptx_ls.document.document import Document
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.lint.session import lint, never
from ptx_ls.lint.shared_caches import SharedCaches
from ptx_ls.semantics.recognition import NO_HEADER, begins_as_ptx, why_not_ptx
from ptx_ls.source import Applicability, Position, Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ptx_ls.lint.rule_settings import RuleSettings
    from ptx_ls.source import Diagnostic, Fix, Range, TextEdit

_MAX_ROUNDS: Final = 20
"""Maximum number of rounds of fixes: some uncover others, and two might undo each other."""


class Fixed(NamedTuple):
    """A text after fixes, and how many diagnostics were fixed.

    `refusal`: the result of `why_not_ptx`, if it prevented fixes from being applied; else "".
    """

    text: str
    n_fixed: int
    refusal: str = ""


def _any(_diagnostic: Diagnostic) -> bool:
    return True


def fix(
    text: str,
    *,
    has_unsafe: bool = False,
    is_wanted: Callable[[Diagnostic], bool] = _any,
    settings: RuleSettings = DEFAULT_RULES,
    caches: SharedCaches | None = None,
    should_stop: Callable[[], bool] = never,
) -> Fixed:
    """Applies fixes to diagnostics, if the result can be parsed as PTX.

    Args:
        text: the text of a module.
        has_unsafe: whether to apply unsafe fixes too. Those of errors must leave no error on their
            lines, others none in the module; a diagnostic with several unsafe fixes is left alone.
        is_wanted: whether to fix a diagnostic.
        settings: the settings of the rules.
        caches: caches to share with other texts.
        should_stop: whether to stop because the result is no longer needed.
    """
    rounds = _Rounds(is_wanted, settings, caches, should_stop)
    last = rounds.run(rounds.checked(text), has_unsafe=has_unsafe)
    if not last.n_fixed:
        return Fixed(text, 0, last.refusal)
    refusal = last.refusal or why_not_ptx(last.document)
    return Fixed(text, 0, refusal) if refusal else Fixed(last.document.text, last.n_fixed)


def fixable(
    document: Document,
    found: Sequence[Diagnostic],
    *,
    is_wanted: Callable[[Diagnostic], bool] = _any,
    settings: RuleSettings = DEFAULT_RULES,
    caches: SharedCaches | None = None,
) -> tuple[int, int]:
    """Returns how many diagnostics `fix` would fix, and how many more with unsafe fixes.

    Fixes are tried only if `fix` might refuse the result: if the document cannot be parsed as PTX,
    or if there are errors and unsafe fixes.

    Args:
        document: a module that is PTX except for its syntax errors.
        found: all its diagnostics.
        is_wanted: whether to fix a diagnostic.
        settings: the settings of the rules.
        caches: caches to share with other texts.
    """
    rounds = _Rounds(is_wanted, settings, caches, never)
    wanted = list(filter(is_wanted, found))
    n_certain, n_either = len(choose(wanted)), len(choose(wanted, has_unsafe=True))
    has_unsafe = n_either > n_certain
    if not n_either:
        return 0, 0
    last = _Round(document, found)
    if settings.severities:
        places = {(one.rule, one.range) for one in found}
        own = rounds.of(document).found
        last = _Round(document, [one for one in own if (one.rule, one.range) in places])
    if n_certain and why_not_ptx(document):
        last = rounds.run(last)
        n_certain = 0 if why_not_ptx(last.document) else last.n_fixed
    if has_unsafe and _errors(last.found):
        last = rounds.run(last, has_unsafe=True)
        n_either = 0 if why_not_ptx(last.document) else last.n_fixed
    return n_certain, max(0, n_either - n_certain)


class _Round(NamedTuple):
    """A text after some rounds of fixes, its diagnostics, and how many were fixed so far.

    `refusal`: why the remaining fixes were not applied.
    """

    document: Document
    found: Sequence[Diagnostic]
    n_fixed: int = 0
    refusal: str = ""


class _Rounds:
    """Applies fixes until none is left. Each text is read and checked once."""

    def __init__(
        self,
        is_wanted: Callable[[Diagnostic], bool],
        settings: RuleSettings,
        caches: SharedCaches | None,
        should_stop: Callable[[], bool],
    ) -> None:
        # A fix must leave no error, and a rule that finds errors may have a lower severity.
        self._is_wanted = lambda one: is_wanted(settings.applied(one))
        self._settings = settings.with_own_severities
        self._caches = caches or SharedCaches()
        self._should_stop = should_stop

    def checked(self, text: str, n_fixed: int = 0) -> _Round:
        """Returns a text with its diagnostics."""
        self._caches.begin(len(text))
        return self.of(Document.read(text, self._caches.reader), n_fixed)

    def of(self, document: Document, n_fixed: int = 0) -> _Round:
        """Returns a document with its diagnostics."""
        found = lint(document, self._settings, self._should_stop, self._caches.checkers)
        return _Round(document, found, n_fixed)

    def run(self, last: _Round, *, has_unsafe: bool = False) -> _Round:
        """Applies rounds of fixes until none is left; returns the last round.

        Stops early if the text does not begin as PTX, which sets `refusal`, or if `should_stop`
        returns true.
        """
        for _ in range(_MAX_ROUNDS):
            following = self._next(last, has_unsafe=has_unsafe)
            if following is None or self._should_stop():
                break
            if not begins_as_ptx(last.document.lines, last.document.records):
                return last._replace(refusal=NO_HEADER)
            last = following
        return last

    def _next(self, last: _Round, *, has_unsafe: bool) -> _Round | None:
        """Returns the result of one more round; None if there is nothing to apply."""
        wanted = list(filter(self._is_wanted, last.found))
        chosen = choose(wanted)
        if chosen:
            return self._after(last, chosen)
        if not has_unsafe:
            return None
        return self._without_errors(last, wanted) or self._without_others(last, wanted)

    def _without_errors(self, last: _Round, wanted: Iterable[Diagnostic]) -> _Round | None:
        """Returns the result of unsafe fixes of errors; None if none leaves fewer errors."""
        chosen = choose(_errors(wanted), has_unsafe=True)
        if not chosen:
            return None
        tried = self._after(last, chosen)
        kept = _mending(chosen, last.found, tried.found)
        if len(kept) == len(chosen):
            return tried
        return self._after(last, kept) if kept else None

    def _without_others(self, last: _Round, wanted: Iterable[Diagnostic]) -> _Round | None:
        """Returns the result of unsafe fixes of the rest, if errors are neither left nor made.

        An error may be the reason for what else is reported: a misspelt register is one that is
        never read.
        """
        chosen = [] if _errors(last.found) else choose(wanted, has_unsafe=True)
        if not chosen:
            return None
        tried = self._after(last, chosen)
        return None if _errors(tried.found) else tried

    def _after(self, last: _Round, fixes: list[Fix]) -> _Round:
        edits = [edit for each in fixes for edit in each.edits]
        return self.checked(applied(last.document.lines, edits), last.n_fixed + len(fixes))


def _mending(
    fixes: list[Fix], before: Iterable[Diagnostic], after: Iterable[Diagnostic]
) -> list[Fix]:
    """Returns the fixes that leave no error on the lines that they change.

    The list is empty unless all fixes together leave fewer errors. Fixes add and remove no lines.

    Args:
        fixes: the fixes that were applied together.
        before: the diagnostics without them.
        after: the diagnostics with all of them.
    """
    left = _errors(after)
    if len(left) >= len(_errors(before)):
        return []
    wrong = {line for one in left for line in _lines(one.range)}
    return [each for each in fixes if wrong.isdisjoint(_changed(each))]


def _errors(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [one for one in found if one.severity is Severity.ERROR]


def _lines(area: Range) -> range:
    return range(area.start.line, area.end.line + 1)


def _changed(each: Fix) -> list[int]:
    return [line for edit in each.edits for line in _lines(edit.range)]


def choose(diagnostics: Iterable[Diagnostic], *, has_unsafe: bool = False) -> list[Fix]:
    """Returns a fix for each diagnostic that has one to apply; none of them overlap."""
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
    """Returns the fix to apply without asking: a certain one, or the only one if it is unsafe."""
    for each in diagnostic.ready:
        if each.is_certain:
            return each
    if not has_unsafe or len(diagnostic.ready) != 1:
        return None
    only = diagnostic.ready[0]
    is_chosen = only.applicability is Applicability.UNSAFE and len(diagnostic.fixes) == 1
    return only if is_chosen else None


def applied(lines: Sequence[str], edits: Iterable[TextEdit]) -> str:
    """Returns a text with edits applied; they must not overlap."""
    parts: list[str] = []
    place = Position(0, 0)
    for edit in sorted(edits, key=lambda edit: (edit.range.start, edit.range.end)):
        parts += (*_between(lines, place, edit.range.start), edit.new_text)
        place = edit.range.end
    return "".join((*parts, *_between(lines, place, Position(len(lines), 0))))


def _between(lines: Sequence[str], start: Position, end: Position) -> Iterator[str]:
    """Yields the text between two positions, which may be after the last line."""
    if start.line == end.line:
        yield from (line[start.column : end.column] for line in lines[start.line : end.line + 1])
        return
    yield from (line[start.column :] for line in lines[start.line : start.line + 1])
    yield from lines[start.line + 1 : end.line]
    yield from (line[: end.column] for line in lines[end.line : end.line + 1])


class _Ranges:
    """A sorted set of ranges that do not overlap."""

    def __init__(self) -> None:
        self._starts: list[Position] = []
        self._ends: list[Position] = []

    def touches(self, area: Range) -> bool:
        """Whether a range touches one of these; adjacent ranges count."""
        before = bisect_right(self._starts, area.end)
        return before > 0 and self._ends[before - 1] >= area.start

    def add(self, area: Range) -> None:
        """Adds a range, which may touch others only at its ends."""
        insort(self._starts, area.start)
        insort(self._ends, area.end)
