"""The results of the tools. Lines and columns start at 1; columns are in code points."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Place:
    """A range of a text; its end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, kw_only=True)
class PlacedText(Place):
    """A text about a range, or one that replaces it."""

    text: str


@dataclass(frozen=True, kw_only=True)
class FixResult:
    """A fix.

    `applicability` says how certain it is: `certain`, `unsafe` or `guess`.
    """

    title: str
    applicability: str
    edits: list[PlacedText]


@dataclass(frozen=True, kw_only=True)
class FindingResult(Place):
    """A diagnostic."""

    severity: str
    rule: str
    message: str
    related: list[PlacedText]
    fixes: list[FixResult]


@dataclass(frozen=True, kw_only=True)
class LintResult:
    """What is wrong with a module.

    `findings` has the most severe ones, up to the number that was asked for, in the order of the
    text. `counts` counts all of each severity.
    """

    findings: list[FindingResult]
    counts: dict[str, int]
    is_complete: bool


@dataclass(frozen=True, kw_only=True)
class FormatResult:
    """A formatted text, and whether it differs from the given one."""

    text: str
    is_changed: bool


@dataclass(frozen=True, kw_only=True)
class Demanding:
    """A line that needs something."""

    line: int
    what: str


@dataclass(frozen=True, kw_only=True)
class RequirementsResult:
    """What a module needs.

    `lacking` has the lines that the given version and target do not support; None if neither was
    given. `summary` is for people.
    """

    summary: list[str]
    declared_version: str | None
    declared_target: str | None
    version: str | None
    target: str | None
    targets: list[str]
    lacking: list[Demanding] | None


@dataclass(frozen=True, kw_only=True)
class PageResult:
    """A page in Markdown."""

    name: str
    page: str


@dataclass(frozen=True, kw_only=True)
class SearchHit:
    """A page that has some words, and the line that has them.

    `kind` is `rule`, or what the page of the instruction set is about.
    """

    name: str
    kind: str
    line: str
