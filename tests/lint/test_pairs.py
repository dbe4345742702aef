"""Mistakes that ptxas accepts are found, and correct kernels draw nothing.

`pairs/RULE` has mistakes, `NAME.wrong.ptx`, with the marks of what is reported, and the nearest
correct kernels, `NAME.right.ptx`. `quiet` has correct kernels that look wrong.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule import rules
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.source import Severity
from tests.support.assembling import assemble
from tests.support.fixture import assert_diagnostics, parse_fixture

FOLDER = Path(__file__).parent
WRONG = sorted(FOLDER.glob("pairs/*/*.wrong.ptx"))
RIGHT = sorted((*FOLDER.glob("pairs/*/*.right.ptx"), *FOLDER.glob("quiet/*.ptx")))


def check_file(path: Path, *, is_wrong: bool) -> set[str]:
    """Returns the rules expected in a file, if exactly what it marks is reported there.

    A mistake may have effects that other rules report, too, and a correct kernel may draw hints.
    """
    fixture = parse_fixture(path.read_text(encoding="utf-8"))
    expected = {each.rule for each in fixture.expectations}
    own = expected | {path.parent.name}
    found = [
        one
        for one in lint(Document.read(fixture.text), DEFAULT_RULES)
        if one.rule in own or not (is_wrong or one.severity is Severity.HINT)
    ]
    assert_diagnostics(fixture, found)
    return expected


def _name(path: Path) -> str:
    return str(path.relative_to(FOLDER))


@pytest.mark.parametrize("path", WRONG, ids=_name)
def test_mistake_is_reported(path: Path) -> None:
    assert path.parent.name in check_file(path, is_wrong=True)


@pytest.mark.parametrize("path", RIGHT, ids=_name)
def test_correct_kernel_draws_nothing(path: Path) -> None:
    assert check_file(path, is_wrong=False) == set()


@pytest.mark.parametrize("path", WRONG, ids=_name)
def test_mistake_has_a_correct_twin(path: Path) -> None:
    assert path.parent.name in rules()
    assert path.with_name(path.name.replace(".wrong.", ".right.")) in RIGHT


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("path", [*WRONG, *RIGHT], ids=_name)
def test_ptxas_accepts_both(path: Path, tmp_path: Path) -> None:
    text = parse_fixture(path.read_text(encoding="utf-8")).text
    architecture = next(
        line.split()[1].rstrip(",") for line in text.splitlines() if line.startswith(".target")
    )
    run = assemble(text, tmp_path, architecture)
    assert [each for each in run.messages if each.is_error] == []
