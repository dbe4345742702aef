"""The work of the tools. Nothing here writes files, or depends on the protocol."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from ptx_ls import isa, lint
from ptx_ls.api import NeedReason, compare, describe, explain
from ptx_ls.api.linting import problem_of
from ptx_ls.document.document import Document
from ptx_ls.features.requirements.requirements import requirements
from ptx_ls.features.requirements.requirements_text import (
    as_facts,
    details,
    obstacles,
    summary,
)
from ptx_ls.formatting import FormatStyle
from ptx_ls.formatting.formatter import formatted_document
from ptx_ls.handbook.search import Searched, found, pages
from ptx_ls.isa.version import parse_target
from ptx_ls.lint import rule as registry
from ptx_ls.mcp.results import (
    DiffResult,
    FormatResult,
    LintResult,
    PageResult,
    RequirementsResult,
    SearchHit,
)
from ptx_ls.mcp.sources import LOST, ToolInputError
from ptx_ls.semantics.recognition import why_not_ptx
from ptx_ls.source import Severity
from ptx_ls.source.near_names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_FINDINGS: Final = 1000
"""Maximum number of findings in an answer."""
_MAX_HITS: Final = 25
"""Maximum number of pages that a search returns."""
_SEVERITIES: Final = list(Severity)


def findings_in(text: str, most: int, should_stop: Callable[[], bool]) -> LintResult:
    """Lints a module; the result has at most `most` findings, and few of them if it is stopped."""
    diagnostics = lint.lint(Document.read(text), should_stop=should_stop)
    counts = Counter(each.severity.value for each in diagnostics)
    worst = sorted(diagnostics, key=lambda each: _SEVERITIES.index(each.severity))[:most]
    shown = sorted(worst, key=lambda each: each.range)
    return LintResult(
        findings=[problem_of(each) for each in shown],
        counts=dict(counts),
        is_complete=len(shown) == len(diagnostics),
    )


def formatted(text: str) -> FormatResult:
    """Formats a module in the default style.

    Raises:
        ToolInputError: if it cannot be read as PTX.
    """
    if LOST in text:
        raise ToolInputError("cannot be formatted: some of its bytes are not UTF-8")
    document = Document.read(text)
    reason = why_not_ptx(document)
    if reason:
        raise ToolInputError(f"cannot be formatted: {reason}")
    result = formatted_document(document, FormatStyle())
    return FormatResult(text=result, is_changed=result != text)


def differences(before: str, after: str) -> DiffResult:
    """Compares two modules by meaning."""
    found = compare(before, after)
    return DiffResult(
        is_same=not found, properties=[*found.properties], functions=[*found.functions]
    )


def needs_of(
    text: str, version: str | None, target: str | None, should_stop: Callable[[], bool]
) -> RequirementsResult:
    """Finds out what a module needs, and what a version and a target lack of it.

    The result is incomplete if it is stopped.

    Raises:
        ToolInputError: if the version or the target is unknown.
    """
    database = isa.database()
    _require("version", version, [entry.name for entry in database.versions.values()])
    _require("target", target, [name for name in database.targets if parse_target(name)])
    needs = requirements(text, should_stop)
    facts = as_facts(needs)
    lacking = None
    if version is not None or target is not None:
        lacking = [
            NeedReason(each.line + 1, each.what) for each in obstacles(needs, version, target)
        ]
    return RequirementsResult(
        summary=[summary(needs), *details(needs)],
        declared_version=facts["declared"]["version"],
        declared_target=facts["declared"]["target"],
        version=facts["version"] and facts["version"]["value"],
        target=facts["target"] and facts["target"]["value"],
        targets=facts["targets"],
        lacking=lacking,
    )


def _require(name: str, value: str | None, known: list[str]) -> None:
    if value is not None and value not in known:
        raise ToolInputError(f"{name}: `{value}` is unknown{did_you_mean(value, known)}")


def rule_page(name: str) -> PageResult:
    """Returns the page of a rule.

    Raises:
        ToolInputError: if no rule has the name.
    """
    return _page(explain, name)


def isa_page(name: str) -> PageResult:
    """Returns the pages of a name of the instruction set, as `ptx-ls isa` shows them.

    Raises:
        ToolInputError: if nothing has the name.
    """
    return _page(describe, name)


def _page(find: Callable[[str], str], name: str) -> PageResult:
    try:
        return PageResult(name=name, page=find(name))
    except LookupError as error:
        raise ToolInputError(f"{error}; `search` searches the texts of pages") from None


def pages_with(words: str) -> list[SearchHit]:
    """Returns the pages on rules and on the instruction set that have all words; best first.

    Raises:
        ToolInputError: if there are no words.
    """
    if not words.strip():
        raise ToolInputError("expected words to search for")
    hits = found(words, _all_pages())[:_MAX_HITS]
    return [SearchHit(name=hit.name, kind=hit.kind, line=hit.line) for hit in hits]


def _all_pages() -> Iterator[Searched]:
    for rule in registry.rules().values():
        yield Searched(rule.name, "rule", rule.page)
    yield from pages()
