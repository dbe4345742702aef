"""The results of the tools. Lines and columns start at 1; columns are in code points."""

from __future__ import annotations

from dataclasses import dataclass

from ptx_ls.api import FunctionChange, NeedReason, Problem, PropertyChange


@dataclass(frozen=True, kw_only=True)
class LintResult:
    """The problems of a module.

    `findings` has the most severe problems, up to the wanted number, in the order of the text.
    `counts` counts all of each severity.
    """

    findings: list[Problem]
    counts: dict[str, int]
    is_complete: bool


@dataclass(frozen=True, kw_only=True)
class FormatResult:
    """A formatted text, and whether it differs from the given one."""

    text: str
    is_changed: bool


@dataclass(frozen=True, kw_only=True)
class DiffResult:
    """Differences in meaning between two modules: at module scope, and in functions."""

    is_same: bool
    properties: list[PropertyChange]
    functions: list[FunctionChange]


@dataclass(frozen=True, kw_only=True)
class RequirementsResult:
    """The requirements of a module.

    `lacking` has the lines that the given version and target do not support; None if neither was
    given. `summary` is for people.
    """

    summary: list[str]
    declared_version: str | None
    declared_target: str | None
    version: str | None
    target: str | None
    targets: list[str]
    lacking: list[NeedReason] | None


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
