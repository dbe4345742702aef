"""`./dev new-rule` writes a rule that works."""

import importlib.util
import sys
from pathlib import Path

import pytest

from docs.new_rule import RULES, NewRuleError, write
from ptx_ls.lint import checks
from ptx_ls.lint import rule as registry
from ptx_ls.lint.checks import checks_on
from ptx_ls.lint.rule_index import CHECKS
from tests.support.lint import check_lint, diagnostics, module

NAME = "left-breakpoint"
MODULE = "ptx_ls.lint.rules.instructions.left_breakpoint"


def check_written(folder: Path, name: str, group: str) -> list[Path]:
    """Writes a rule into an empty checkout; both files compile."""
    for part in (RULES, Path("tests/lint/rules")):
        (folder / part / "instructions").mkdir(parents=True)
        (folder / part / "instructions" / "__init__.py").touch()
    paths = write(folder, name, group)
    for path in paths:
        text = path.read_text("utf-8")
        compile(text, str(path), "exec")
        assert max(map(len, text.splitlines())) <= 100
    return paths


def test_the_rule_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.rules()
    rule_path, test_path = check_written(tmp_path, NAME, "instructions")
    for known in ("_by_name", "_by_trigger"):
        monkeypatch.setattr(registry, known, vars(registry)[known].copy())
    spec = importlib.util.spec_from_file_location(MODULE, rule_path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, MODULE, made)
    spec.loader.exec_module(made)
    monkeypatch.setattr(checks, "CHECKS", (*CHECKS, (NAME, MODULE, ("brkpt",), "")))
    checks_on.cache_clear()
    try:
        check_lint(f"    brkpt;\n//  ^^^^^^ {NAME}: a kernel stops at `brkpt`")
        assert diagnostics(module("trap;")) == []
    finally:
        checks_on.cache_clear()
    assert f"^^^^^^ {NAME}: " in test_path.read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "group", "message"),
    [
        ("Left_Breakpoint", "instructions", "named in lower-case words"),
        (NAME, "nowhere", "no group 'nowhere'; there are instructions"),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, name: str, group: str, message: str) -> None:
    with pytest.raises(NewRuleError, match=message):
        check_written(tmp_path, name, group)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    check_written(tmp_path, NAME, "instructions")
    with pytest.raises(NewRuleError, match="exists already"):
        write(tmp_path, NAME, "instructions")
