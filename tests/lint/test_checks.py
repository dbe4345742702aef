"""A check whose rules are all off is not called."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest

from docs.generators import rule_index
from ptx_ls.document.document import Document
from ptx_ls.lint import checks
from ptx_ls.lint.causes.relations import with_causes
from ptx_ls.lint.check_input import CheckInput, RegisteredCheck, trigger_name
from ptx_ls.lint.checks import checks_on
from ptx_ls.lint.rule import rules, triggers_on
from ptx_ls.lint.rule_index import CHECKS
from ptx_ls.lint.rule_settings import RuleSettings
from ptx_ls.lint.session import lint
from ptx_ls.lint.shared_checks import SHARED_CHECKS
from ptx_ls.semantics.problems.mismatch import Mismatch
from tests.lint.test_rules import CODE
from tests.support.lint import HEADER, example_module, module

RULES = frozenset(rules())
NUMBERS = range(len(SHARED_CHECKS))
OWN = {name: opcodes for name, _, opcodes, _ in CHECKS}


def check_called(
    number: int, ignored: frozenset[str], monkeypatch: pytest.MonkeyPatch, *, expected: bool
) -> None:
    """Fails unless linting a module calls a shared check, or does not."""
    calls: list[CheckInput] = []

    def count(seen: CheckInput) -> Iterable[Mismatch]:
        calls.append(seen)
        return ()

    counted = [*SHARED_CHECKS]
    counted[number] = RegisteredCheck(count, SHARED_CHECKS[number].finds)
    monkeypatch.setattr(checks, "SHARED_CHECKS", tuple(counted))
    checks_on.cache_clear()
    try:
        lint(Document.read(module("ret;")), RuleSettings(ignored))
    finally:
        checks_on.cache_clear()
    assert bool(calls) is expected


def needing(number: int) -> frozenset[str]:
    """The rules that word what a shared check finds, or what may follow from that."""
    finds = SHARED_CHECKS[number].finds
    return frozenset(name for name in RULES if not wanted_by(name).isdisjoint(finds))


@cache
def wanted_by(rule: str) -> frozenset[str]:
    """The names of the triggers of a rule, and of those that may cause their mismatches."""
    return frozenset(map(trigger_name, with_causes(triggers_on(RULES - {rule}))))


@pytest.mark.parametrize("number", NUMBERS)
def test_off_with_its_rules(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert needing(number)
    check_called(number, needing(number), monkeypatch, expected=False)


@pytest.mark.parametrize("number", NUMBERS)
def test_on_with_one_of_its_rules(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check_called(number, RULES - {min(needing(number))}, monkeypatch, expected=True)


def test_what_is_not_a_cause_is_off() -> None:
    skipped = {*SHARED_CHECKS} - {*checks_on(RULES - {"constant-pointer"})}
    found = {trigger for check in skipped for trigger in check.finds}
    assert found == {
        *("BadBank", "BadLocation", "BadSampler", "BadSize", "ExcessiveRelease", "IgnoredBudget"),
        *("IgnoredField", "ReservedName", "UnknownStack", "Unresolved", "DEPRECATED", "REMOVED"),
        *("TARGET", "VERSION"),
    }


def _nothing(_: CheckInput) -> Iterable[Mismatch]:
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
    calls: list[CheckInput] = []

    def count(seen: CheckInput) -> Iterable[Mismatch]:
        calls.append(seen)
        return ()

    monkeypatch.setattr(checks, "check_of", lambda rule, _: count if rule == name else _nothing)
    lint(Document.read(text), RuleSettings(ignored))
    assert bool(calls) is expected


@pytest.mark.parametrize("name", OWN)
def test_the_check_of_a_rule_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    example = example_module(CODE.findall(rules()[name].doc)[0])
    check_own(name, example, frozenset(), monkeypatch, expected=True)
    check_own(name, example, frozenset({name}), monkeypatch, expected=False)
    if OWN[name]:
        check_own(name, module("ret;"), frozenset(), monkeypatch, expected=False)


@pytest.mark.parametrize(
    ("name", "body", "is_called"),
    [
        ("read-only-load", "ld.global.u32 %r1, [%rd1];", False),
        ("read-only-load", "ld.global.nc.u32 %r1, [%rd1];", True),
        ("parameter-format", ".param .b32 p; st.param::func.b32 [p], %r1;", True),
        ("unread-carry", "add.u32 %r1, %r2, %r3;", False),
        ("unread-carry", "add.cc.u32 %r1, %r2, %r3;", True),
    ],
)
def test_instructions_with_modifiers(
    name: str, body: str, monkeypatch: pytest.MonkeyPatch, *, is_called: bool
) -> None:
    text = module(body).replace(".version 8.0", ".version 8.3")
    check_own(name, text, frozenset(), monkeypatch, expected=is_called)


@pytest.mark.parametrize("name", [name for name, rule in rules().items() if rule.given is not None])
def test_rules_without_candidates(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_own(name, module("ret;"), frozenset(), monkeypatch, expected=False)


def test_each_check_is_listed() -> None:
    assert set(OWN) == {name for name, rule in rules().items() if rule.find is not None}


def test_the_index_is_up_to_date() -> None:
    path = rule_index.PATH
    assert path.read_text("utf-8") == rule_index.index(), "run ./dev docs"


def test_a_missing_brace_hides_what_a_kernel_computes() -> None:
    body = ".reg .b32 %r<3>;\nmov.u32 %r1, 1;\nshl.b32 %r2, %r1, 40;\nret;\n}\n"
    text = f"{HEADER}.entry k()\n{{\n{body}"
    assert "oversized-shift" in {found.rule for found in lint(Document.read(text))}
    broken = lint(Document.read(text.replace("{\n", "")))
    assert [found.rule for found in broken] == ["misplaced-directive"]
