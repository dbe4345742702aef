"""A check whose rules are all off is not called."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ptx_ls.lint import analyses
from ptx_ls.lint.analyses import ANALYSES, Analysis, AnalysisInput, analyses_on
from ptx_ls.lint.rule import listeners
from ptx_ls.lint.session import lint
from ptx_ls.lint.work import LintSettings
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.syntax.document import Document
from tests.support.lint import module

NUMBERS = range(len(ANALYSES))


def check_called(
    number: int, ignored: frozenset[str], monkeypatch: pytest.MonkeyPatch, *, expected: bool
) -> None:
    """Fails unless linting a module calls an analysis, or does not."""
    calls: list[AnalysisInput] = []

    def count(seen: AnalysisInput) -> Iterable[Mismatch]:
        calls.append(seen)
        return ()

    counted = [*ANALYSES]
    counted[number] = Analysis(count, ANALYSES[number].finds)
    monkeypatch.setattr(analyses, "ANALYSES", tuple(counted))
    analyses_on.cache_clear()
    try:
        lint(Document(module("ret;")), LintSettings(ignored))
    finally:
        analyses_on.cache_clear()
    assert bool(calls) is expected


@pytest.mark.parametrize("number", NUMBERS)
def test_off_with_its_rules(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = listeners(ANALYSES[number].finds)
    assert rules
    check_called(number, rules, monkeypatch, expected=False)


@pytest.mark.parametrize("number", NUMBERS)
def test_on_with_one_of_its_rules(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = listeners(ANALYSES[number].finds)
    check_called(number, rules - {min(rules)}, monkeypatch, expected=True)
