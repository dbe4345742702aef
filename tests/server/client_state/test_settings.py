import pytest

from ptx_ls.formatting import FormatStyle
from ptx_ls.server.client_state.setting_values import OnSave, RuleSeverities
from ptx_ls.server.client_state.settings import SETTINGS, Setting, Settings, read
from ptx_ls.source import Severity


def check_settings(sent: object, expected: Settings, *problems: str) -> None:
    settings, found = read(sent)
    assert settings == expected
    assert len(found) == len(problems)
    assert all(part in sentence for part, sentence in zip(problems, found, strict=True))


def test_settings_are_read_with_and_without_their_section() -> None:
    for sent in ({"diagnostics": {"delay": 5}}, {"ptx": {"diagnostics": {"delay": 5}}}):
        check_settings(sent, Settings(diagnostics_delay=5))
    check_settings({"diagnostics.delay": 5}, Settings(diagnostics_delay=5))


def test_names_of_rules() -> None:
    sent = {"lint": {"ignore": ["unknown-opcode"]}}
    check_settings(sent, Settings(ignored_rules=frozenset({"unknown-opcode"})))


def test_severities_of_rules() -> None:
    expected = RuleSeverities((("a", Severity.HINT), ("b", Severity.ERROR)))
    for sent in (
        {"lint": {"severity": {"b": "error", "a": "hint"}}},
        {"lint.severity": {"b": "error", "a": "hint"}},
    ):
        check_settings(sent, Settings(rule_severities=expected))
    for wrong in ({"a": "fatal"}, {"a": None}, ["a"], {"a": ["hint"]}):
        check_settings(
            {"lint": {"severity": wrong}}, Settings(), "one of error, warning, information, hint"
        )


@pytest.mark.parametrize("sent", [None, {}, [], 3, "ptx", {"ptx": None}])
def test_nothing_set(sent: object) -> None:
    check_settings(sent, Settings())


@pytest.mark.parametrize("value", [0, -1, "9", 1.5, True, []])
def test_a_wrong_value_keeps_the_default_and_the_others_count(value: object) -> None:
    sent = {"diagnostics": {"limit": value, "delay": 0}}
    check_settings(sent, Settings(diagnostics_delay=0), "`ptx.diagnostics.limit` must be")


def test_an_unknown_name_is_named() -> None:
    check_settings({"colour": {"sky": 1}}, Settings(), "`ptx.colour.sky`")
    check_settings({"lint": {"ignore": "all"}}, Settings(), "a list of rule names")


def test_switches() -> None:
    sent = {"inlayHints": {"literals": False}, "codeLens": {"resources": 1}}
    check_settings(sent, Settings(literal_hints=False), "`ptx.codeLens.resources` must be true")


def test_layout() -> None:
    sent = {"format": {"operandColumn": 0, "tabs": True, "onSave": True, "width": 10}}
    expected = Settings(format_operand_column=0, format_tabs=True, format_on_save=True)
    check_settings(sent, expected, "`ptx.format.width` must be a whole number from 40 to 1000")
    assert expected.style == FormatStyle(operand_column=0, tabs=True)


def test_programs() -> None:
    sent = {"ptxas": {"onSave": "check", "path": "/opt/ptxas", "timeout": 5}}
    expected = Settings(ptxas_on_save=OnSave.CHECK, ptxas_path="/opt/ptxas", ptxas_timeout=5)
    check_settings(sent, expected)
    sent = {"ptxas": {"onSave": "never", "path": ["ptxas"], "timeout": 0}}
    check_settings(
        sent,
        Settings(),
        "must be `off` or `check` or `assemble`",
        "must be the path of a program",
        "`ptx.ptxas.timeout`",
    )


def test_what_is_the_editors_own_is_passed_over() -> None:
    sent = {"server": {"command": ["ptx-ls"]}, "trace": {"server": "off"}}
    check_settings({"ptx": sent | {"diagnostics": {"delay": 1}}}, Settings(diagnostics_delay=1))


def test_every_field_has_a_name_in_editors() -> None:
    assert [it.field for it in SETTINGS] == list(Settings._fields)
    assert len({it.key for it in SETTINGS}) == len(SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda it: it.key)
def test_the_default_of_a_setting_may_be_sent(setting: Setting) -> None:
    default = setting.default
    sent = sorted(default) if isinstance(default, frozenset) else default
    if isinstance(default, RuleSeverities):
        sent = dict(default.by_name)
    check_settings({setting.key: sent}, Settings())
    check_settings({setting.key: 1.5}, Settings(), f"`ptx.{setting.key}` must be")
