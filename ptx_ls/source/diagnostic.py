"""Diagnostics about a piece of text, and the edits that would fix it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.position import Range


class Severity(Enum):
    """The severity of a diagnostic. An ERROR is something that ptxas rejects."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


_SEVERITIES: Final = list(Severity)


def least(*severities: Severity) -> Severity:
    """Returns the lowest of some severities."""
    return max(severities, key=_SEVERITIES.index)


class Tag(Enum):
    """A property that an editor may show in its own way, in addition to the message."""

    UNNECESSARY = "unnecessary"
    DEPRECATED = "deprecated"


class Applicability(Enum):
    """Who may apply a fix (docs/fixes.md)."""

    CERTAIN = "certain"
    """Any tool, unreviewed: the text can mean nothing else."""
    UNSAFE = "unsafe"
    """A tool that is asked for unsafe fixes.

    It inserts or replaces the only legal punctuation, or removes an instruction without effect.
    """
    GUESS = "guess"
    """A person who reviews it: it chooses a name, type, modifier or number for the author."""


class TextEdit(NamedTuple):
    """The replacement of a range; an empty range inserts, an empty text removes."""

    range: Range
    new_text: str


class Fix(NamedTuple):
    """A way to fix what a diagnostic reports.

    Attributes:
        title: what the fix does, as a command: "Replace `.lo` with `.hi`".
        edits: to be applied together; they do not overlap, and all refer to the text as it is.
        applicability: who may apply it.
        header: new values of `.version` and `.target`, while their place is not known yet.
    """

    title: str
    edits: tuple[TextEdit, ...]
    applicability: Applicability
    header: tuple[tuple[str, str], ...] = ()

    @property
    def is_certain(self) -> bool:
        """Whether it may be applied without review."""
        return self.applicability is Applicability.CERTAIN


class Offers:
    """Fixes that are found on demand; each is a guess.

    Most diagnostics are published or printed without their fixes, and legal replacements for
    a mistake take longer to find than the mistake. Two are equal if their fixes are.
    """

    __slots__ = ("_find", "_found")

    def __init__(
        self, find: Callable[[], tuple[Fix, ...]], found: tuple[Fix, ...] | None = None
    ) -> None:
        self._find, self._found = find, found

    @property
    def found(self) -> tuple[Fix, ...] | None:
        """The fixes if they are known already, else None."""
        return self._found

    def fixes(self) -> tuple[Fix, ...]:
        """Returns the fixes, the best one first; the first call finds them."""
        if self._found is None:
            self._found = self._find()
        return self._found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Offers) and self.fixes() == other.fixes()

    def __hash__(self) -> int:
        return hash(self.fixes())

    def __repr__(self) -> str:
        return f"Offers({list(self.fixes())})"


class RelatedRange(NamedTuple):
    """Another place in the same document that helps to understand a diagnostic.

    `name`: the symbol of the module that is declared there, if another function may declare it; the
    place is then looked up.
    """

    range: Range
    message: str
    name: str = ""


class Single(NamedTuple):
    """One place, with its message, of a diagnostic about several."""

    range: Range
    message: str


class Diagnostic(NamedTuple):
    """One finding.

    Attributes:
        range: the offending text, as narrow as it can be named.
        rule: kebab-case name of the rule; its page in the docs has the same name.
        severity: how much it matters.
        message: names the offending text and what was expected; without a full stop.
        ready: fixes that are already known, the best one first.
        related: other places to look at.
        tags: how an editor may show it.
        singles: every place with its own message, if the diagnostic covers several.
        offers: further fixes, which are guesses and found on demand.
        targets: the targets for which it holds, if the file is checked against others than its own.
        own_severity: its severity before settings replaced it; None if they did not.
    """

    range: Range
    rule: str
    severity: Severity
    message: str
    ready: tuple[Fix, ...] = ()
    related: tuple[RelatedRange, ...] = ()
    tags: frozenset[Tag] = frozenset()
    singles: tuple[Single, ...] = ()
    offers: Offers | None = None
    targets: tuple[str, ...] = ()
    own_severity: Severity | None = None

    @property
    def is_rejected(self) -> bool:
        """Whether ptxas rejects the text: it is an error, whatever severity settings give it."""
        return (self.own_severity or self.severity) is Severity.ERROR

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """All fixes, the best one first. The first call may take a millisecond."""
        return self.ready if self.offers is None else (*self.ready, *self.offers.fixes())


def separate(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Splits diagnostics about several places; returns all in the order of the places.

    The parts of a split diagnostic have no fixes and no related places.
    """
    found: list[Diagnostic] = []
    has_several = False
    for one in diagnostics:
        if one.singles:
            has_several = True
            found += [
                one._replace(
                    range=single.range,
                    message=single.message,
                    ready=(),
                    related=(),
                    singles=(),
                    offers=None,
                )
                for single in one.singles
            ]
        else:
            found.append(one)
    return sorted(found, key=_place) if has_several else found


def _place(diagnostic: Diagnostic) -> tuple[Range, str]:
    return diagnostic.range, diagnostic.rule
