"""Checks a module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls import lint
from ptx_ls.document.document import Document
from ptx_ls.files.configuration.kinds import ALL
from ptx_ls.lint import rule as registry
from ptx_ls.lint.rule_settings import OPTIONAL, RuleSettings
from ptx_ls.source.near_names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.source import Diagnostic, Fix, Range


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A range of a text; its end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class TextNote:
    """A message about another place that helps to understand a problem."""

    span: TextSpan
    message: str


@dataclass(frozen=True, slots=True)
class TextEditAt:
    """The replacement of a range; an empty range inserts, an empty text removes."""

    span: TextSpan
    new_text: str


@dataclass(frozen=True, slots=True)
class ProblemFix:
    """A way to fix a problem.

    Attributes:
        title: what the fix does, as a command.
        applicability: `certain` if its meaning is certain, `unsafe` or `guess` if it is not.
        edits: to be applied together; they do not overlap.
    """

    title: str
    applicability: str
    edits: tuple[TextEditAt, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that a rule reports.

    Attributes:
        rule: the name of the rule; `explain` returns its page.
        severity: `error`, `warning`, `information` or `hint`. An error is what ptxas rejects.
        message: what is wrong, without a full stop.
        span: the text that is wrong.
        notes: other places to look at.
        fixes: ways to fix it, the best one first.
    """

    rule: str
    severity: str
    message: str
    span: TextSpan
    notes: tuple[TextNote, ...] = ()
    fixes: tuple[ProblemFix, ...] = ()


def check(
    text: str, *, select: Iterable[str] | None = None, ignore: Iterable[str] = ()
) -> tuple[Problem, ...]:
    r"""Returns the problems of a module, in the order of the text.

    >>> header = ".version 8.0\n.target sm_90\n"
    >>> for problem in check(header + ".func f() { .reg .b32 a; mov.u32 a, b; }"):
    ...     print(problem.span.line, problem.rule, problem.message, sep=": ")
    3: undeclared-symbol: undeclared symbol `b`

    Args:
        text: the module.
        select: names of rules or groups to check, or `all`, which is the default. A rule that is
            optional, or off in compiler output, is only checked if its own name is given.
        ignore: names of rules or groups to leave out.

    Raises:
        LookupError: if a rule or group does not exist.
    """
    chosen = None if select is None else frozenset(select)
    wanted = _named(chosen) if chosen is not None else frozenset(registry.rules()) - OPTIONAL
    ignored = frozenset(registry.rules()) - wanted | _named(ignore)
    settings = RuleSettings(ignored, named=chosen or frozenset())
    return tuple(map(problem_of, lint.lint(Document.read(text), settings)))


def _named(names: Iterable[str]) -> frozenset[str]:
    """Returns the rules that names of rules or groups mean."""
    groups: dict[str, list[str]] = {ALL: []}
    for rule in registry.rules().values():
        groups.setdefault(rule.group, [])
        if rule.name not in OPTIONAL:
            groups[rule.group].append(rule.name)
            groups[ALL].append(rule.name)
    found: set[str] = set()
    for name in names:
        if name not in registry.rules() and name not in groups:
            near = did_you_mean(name, [*registry.rules(), *groups])
            raise LookupError(f"no rule or group `{name}`{near}")
        found |= {name, *groups.get(name, ())}
    return frozenset(found & registry.rules().keys())


def problem_of(found: Diagnostic) -> Problem:
    """Returns a diagnostic as a problem."""
    return Problem(
        found.rule,
        found.severity.value,
        found.message,
        _span(found.range),
        tuple(TextNote(_span(each.range), each.message) for each in found.related),
        tuple(map(_fix, found.fixes)),
    )


def _fix(fix: Fix) -> ProblemFix:
    edits = tuple(TextEditAt(_span(each.range), each.new_text) for each in fix.edits)
    return ProblemFix(fix.title, fix.applicability.value, edits)


def _span(found: Range) -> TextSpan:
    start, end = found
    return TextSpan(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
