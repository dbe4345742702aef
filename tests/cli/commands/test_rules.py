import json

import pytest

from ptx_ls.cli.linting.file_report import SYNTAX_RULE
from ptx_ls.cli.main import main
from ptx_ls.lint import rule as registry
from ptx_ls.lint.rule_names import rule_url


@pytest.fixture
def check_printed(capsys: pytest.CaptureFixture[str]) -> "Check":
    return Check(capsys)


class Check:
    """Runs a command and checks what it prints."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str, status: int = 0, err: str = "") -> str:
        assert main(arguments) == status
        printed = self._capsys.readouterr()
        assert printed.err == err
        return printed.out


def test_page_of_every_rule(check_printed: Check) -> None:
    for name, rule in registry.rules().items():
        about = f"Severity: {rule.described_severity}. Group: {rule.group}. <{rule_url(name)}>"
        assert check_printed("explain", name) == f"# {name}\n\n{about}\n\n{rule.doc.strip()}\n"


def test_pages_are_laid_out_on_request(check_printed: Check) -> None:
    page = check_printed("explain", "unknown-opcode", "--color", "always")
    assert "\x1b[" in page
    assert "```" not in page


def test_near_rule_is_proposed(check_printed: Check) -> None:
    message = "no rule `unknown-opcod` (did you mean `unknown-opcode`?); `ptx-ls rules` lists them"
    check_printed("explain", "unknown-opcod", status=2, err=f"ptx-ls: {message}\n")


def test_rule_in_any_case(check_printed: Check) -> None:
    assert check_printed("explain", "Unknown-Opcode") == check_printed("explain", "unknown-opcode")


def test_words_in_several_names_are_searched(check_printed: Check) -> None:
    note = "no rule `oversized`; the pages of these rules contain the words:\n"
    found = check_printed("explain", "oversized", err=note)
    names = {line.split()[0] for line in found.splitlines()}
    assert {"oversized-shift", "oversized-constant"} <= names
    (line,) = (line for line in found.splitlines() if line.startswith("oversized-shift "))
    assert line.split(maxsplit=2)[2].startswith(registry.rules()["oversized-shift"].summary[:20])


@pytest.mark.parametrize("name", ["performance", "Syntax"])
def test_rules_of_a_group(check_printed: Check, name: str) -> None:
    listed = check_printed("explain", name, err=f"`{name}` is a group with these rules:\n")
    expected = [each for each, rule in registry.rules().items() if rule.group == name.lower()]
    assert [line.split()[0] for line in listed.splitlines()] == sorted(expected)


def test_unknown_rule(check_printed: Check) -> None:
    message = "no rule `\\x1b`; `ptx-ls rules` lists them"
    check_printed("explain", "\x1b", status=2, err=f"ptx-ls: {message}\n")


def test_explain_wants_a_rule(check_printed: Check) -> None:
    message = "the following arguments are required: RULE; see `ptx-ls explain --help`"
    check_printed("explain", status=2, err=f"ptx-ls: {message}\n")


def test_list_of_rules(check_printed: Check) -> None:
    lines = check_printed("rules").splitlines()
    assert [line.split()[0] for line in lines] == sorted(registry.rules())
    (line,) = (line for line in lines if line.startswith("unknown-opcode "))
    assert line.split(maxsplit=2)[1:] == ["error", registry.rules()["unknown-opcode"].summary]


def test_list_of_rules_as_json(check_printed: Check) -> None:
    listed = json.loads(check_printed("rules", "--output-format", "json"))
    assert listed == [
        {
            "rule": name,
            "severity": rule.severity.value,
            "in_compiler_output": rule.severity_in_compiler_output or rule.severity.value,
            "group": rule.group,
            "summary": rule.summary,
            "url": rule_url(name),
        }
        for name, rule in sorted(registry.rules().items())
    ]


def test_rule_of_a_byte_order_mark_has_a_page() -> None:
    assert SYNTAX_RULE in registry.rules()


def test_words_in_pages_of_rules(check_printed: Check) -> None:
    note = "no rule `wider than`; the pages of these rules contain the words:\n"
    found = check_printed("explain", "wider", "than", err=note)
    assert "operand-width" in {line.split()[0] for line in found.splitlines()}
