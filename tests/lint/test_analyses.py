"""A check whose rules are all off is not called."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import analyses
from ptx_ls.lint.analyses import ANALYSES, analyses_on
from ptx_ls.lint.analysis import AnalysisInput, RegisteredCheck
from ptx_ls.lint.rule import listeners, rules
from ptx_ls.lint.rule_index import CHECKS
from ptx_ls.lint.session import lint
from ptx_ls.lint.work import LintSettings
from ptx_ls.semantics.problems.mismatch import Mismatch
from tests.lint.test_rules import CODE
from tests.support.lint import module

NUMBERS = range(len(ANALYSES))
OWN = {name: opcodes for name, _, opcodes in CHECKS}


def check_called(
    number: int, ignored: frozenset[str], monkeypatch: pytest.MonkeyPatch, *, expected: bool
) -> None:
    """Fails unless linting a module calls an analysis, or does not."""
    calls: list[AnalysisInput] = []

    def count(seen: AnalysisInput) -> Iterable[Mismatch]:
        calls.append(seen)
        return ()

    counted = [*ANALYSES]
    counted[number] = RegisteredCheck(count, ANALYSES[number].finds)
    monkeypatch.setattr(analyses, "ANALYSES", tuple(counted))
    analyses_on.cache_clear()
    try:
        lint(Document.read(module("ret;")), LintSettings(ignored))
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


def _nothing(_: AnalysisInput) -> Iterable[Mismatch]:
    return ()


def check_own(
    name: str,
    text: str,
    ignored: frozenset[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    expected: bool,
) -> None:
    """Fails unless linting a module calls the check that a rule has itself, or does not."""
    calls: list[AnalysisInput] = []

    def count(seen: AnalysisInput) -> Iterable[Mismatch]:
        calls.append(seen)
        return ()

    monkeypatch.setattr(analyses, "check_of", lambda rule, _: count if rule == name else _nothing)
    lint(Document.read(text), LintSettings(ignored))
    assert bool(calls) is expected


@pytest.mark.parametrize("name", OWN)
def test_the_check_of_a_rule_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (example, *_) = CODE.findall(rules()[name].doc)
    check_own(name, example, frozenset(), monkeypatch, expected=True)
    check_own(name, example, frozenset({name}), monkeypatch, expected=False)
    if OWN[name]:
        check_own(name, module("ret;"), frozenset(), monkeypatch, expected=False)


def test_each_check_is_listed() -> None:
    assert set(OWN) == {name for name, rule in rules().items() if rule.find is not None}
