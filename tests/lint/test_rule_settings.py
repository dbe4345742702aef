"""Rules that are off, and severities that differ from those of the rules."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import LintSession, engine, lint
from ptx_ls.lint.fixes import apply
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_settings import DEFAULT_RULES, RuleSettings, without_rules
from ptx_ls.source import Severity
from tests.support.lint import module

pytestmark = pytest.mark.excerpts

TEXT = module("rat;\nL1:\nL1:\nret;\n")
OPCODE, LABEL = "unknown-opcode", "duplicate-label"


def check_lint(settings: RuleSettings, *expected: tuple[str, Severity]) -> None:
    found = lint(Document.read(TEXT), settings)
    assert [(one.rule, one.severity) for one in found] == [*expected]


def test_every_rule() -> None:
    check_lint(DEFAULT_RULES, (OPCODE, Severity.ERROR), (LABEL, Severity.ERROR))


def test_a_rule_that_is_off() -> None:
    check_lint(RuleSettings(frozenset({OPCODE})), (LABEL, Severity.ERROR))


def test_a_severity() -> None:
    settings = RuleSettings(severities=((OPCODE, Severity.HINT),))
    check_lint(settings, (OPCODE, Severity.HINT), (LABEL, Severity.ERROR))


def test_no_function_is_checked_if_all_rules_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "mismatches_of", lambda *_: pytest.fail("a function is checked"))
    check_lint(without_rules())
    assert not without_rules().has_rules
    assert RuleSettings(frozenset(rules()) - {OPCODE}).has_rules


def test_a_limit_keeps_what_is_most_severe_as_configured() -> None:
    session = LintSession(Document.read(TEXT), RuleSettings(severities=((OPCODE, Severity.HINT),)))
    while (work := session.pending()) is not None:
        work.run(lambda: False)
    assert [one.rule for one in session.diagnostics(1)] == [LABEL]


def test_the_same_document_with_other_settings() -> None:
    document = Document.read(TEXT)
    assert len(lint(document)) == 2
    assert lint(document, without_rules()) == []
    (first, _) = lint(document, RuleSettings(severities=((OPCODE, Severity.WARNING),)))
    assert first.severity is Severity.WARNING
    assert lint(document)[0].severity is Severity.ERROR


SETTINGS = (
    DEFAULT_RULES,
    RuleSettings(frozenset({OPCODE})),
    RuleSettings(frozenset({OPCODE, LABEL})),
    RuleSettings(severities=((OPCODE, Severity.HINT),)),
    RuleSettings(severities=((OPCODE, Severity.WARNING),)),
    RuleSettings(named=frozenset({OPCODE})),
)


def test_digests_differ_as_settings_do() -> None:
    assert len({each.identity for each in SETTINGS}) == len(SETTINGS)
    for each in SETTINGS:
        assert pickle.loads(pickle.dumps(each)).identity == each.identity  # noqa: S301


@pytest.mark.slow
def test_a_digest_is_the_same_in_another_process() -> None:
    program = (
        "from ptx_ls.lint.rule_settings import RuleSettings;"
        f"print(RuleSettings(frozenset({sorted(SETTINGS[2].ignored)})).identity)"
    )
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.strip() == SETTINGS[2].identity


@pytest.mark.parametrize("severity", Severity)
def test_a_severity_does_not_change_what_an_unsafe_fix_may_leave(severity: Severity) -> None:
    settings = RuleSettings(severities=tuple((name, severity) for name in sorted(rules())))
    for statements in UNSAFE:
        text = module(statements)
        own = apply.fix(text, has_unsafe=True)
        assert apply.fix(text, has_unsafe=True, settings=settings) == own
        counts = []
        for each in (DEFAULT_RULES, settings):
            document = Document.read(text)
            counts.append(apply.fixable(document, lint(document, each), settings=each))
        assert counts[0] == counts[1]


UNSAFE = ("add.s32 %r1 %r2, %r3;\nret;\n", "add.s32 %r1, %r2, %r3\nret;\n", "add.s32 %r1 q, %r3;\n")


def test_the_severity_that_is_set_decides_which_fixes_are_wanted() -> None:
    text = module("add.s32 %r1, %r2, %r3\nret;\n")
    settings = RuleSettings(severities=(("syntax-error", Severity.HINT),))

    def fixed(wanted: Severity) -> int:
        return apply.fix(
            text, is_wanted=lambda one: one.severity is wanted, settings=settings
        ).n_fixed

    assert (fixed(Severity.HINT), fixed(Severity.ERROR)) == (1, 0)
