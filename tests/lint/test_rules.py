"""Every rule is documented, and its page tells the truth."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ptx_ls import lint
from ptx_ls.document.document import Document
from ptx_ls.isa import ViolationKind
from ptx_ls.lint import rule as registry
from ptx_ls.lint import suggestions
from ptx_ls.lint.checks import COMPUTATION_GROUPS
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.lint.rule_settings import OPTIONAL, RuleSettings
from ptx_ls.source import Severity
from tests.support.lint import example_module, lint_excerpt

RULES = registry.rules()
FOLDER = Path(suggestions.__file__).parent / "rules"
HEADINGS = ["## Why is this bad?", "## Example", "Use instead:"]
CODE = re.compile(r"```ptx\n(.*?)```", re.DOTALL)


def check_reported(name: str, code: str) -> set[str]:
    """The names of the rules that report something in an example of a rule.

    Optional rules are on; rules about what a function computes are off in other groups, whose
    examples are short. Findings about unnecessary code and the end of a kernel do not count.
    """
    linted = lint.lint if RULES[name].group in COMPUTATION_GROUPS else lint_excerpt
    found = linted(Document.read(example_module(code)), RuleSettings(frozenset()))
    counted = [
        one.rule
        for one in found
        if one.rule == name
        or not (one.severity is Severity.HINT or one.tags or one.rule == "missing-return")
    ]
    return {*counted}


@pytest.mark.parametrize("name", RULES)
def test_page_has_its_headings(name: str) -> None:
    lines = RULES[name].doc.splitlines()
    assert [line for line in lines if line in HEADINGS] == HEADINGS
    assert RULES[name].summary.endswith(".")
    assert lines[1] == ""


@pytest.mark.parametrize("name", RULES)
def test_example_is_reported_by_its_rule_alone(name: str) -> None:
    example, _ = CODE.findall(RULES[name].doc)
    assert check_reported(name, example) == {name}


@pytest.mark.parametrize("name", RULES)
def test_nothing_is_reported_of_what_to_use_instead(name: str) -> None:
    _, instead = CODE.findall(RULES[name].doc)
    assert check_reported(name, instead) == set()


def test_every_rule_has_a_file_of_its_name() -> None:
    files = {path.stem for path in FOLDER.rglob("[a-z]*.py")}
    assert files == {name.replace("-", "_") for name in RULES}
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in RULES)


def test_every_rule_has_a_test() -> None:
    tests = {
        path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("rules/**/*.py")
    }
    assert {name.replace("-", "_") for name in RULES} - tests == set()


def test_names_and_triggers_are_taken_once() -> None:
    def check(mismatch: object, context: RuleContext) -> Finding:
        del mismatch, context
        return Finding("")

    with pytest.raises(ValueError, match="is already registered"):
        rule("unknown-opcode", on=int)(check)
    with pytest.raises(ValueError, match="needs a predicate"):
        rule("another", on=ViolationKind.OPERAND_COUNT)(check)


def test_optional_rules_exist() -> None:
    assert set(RULES) >= OPTIONAL
