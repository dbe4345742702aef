"""Fixes that insert barriers, fences and waits, or remove needless ones, leave a correct kernel.

Where a mistake of `pairs` has an unsafe fix, the fixed text draws nothing, and ptxas accepts it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.fixes.apply import fix
from ptx_ls.lint.rule import rules
from ptx_ls.source import Applicability, Diagnostic, Severity
from tests.support.assembling import assemble
from tests.support.fixture import parse_fixture

FOLDER: Final = Path(__file__).parent / "pairs"
GROUPS: Final = ("async", "synchronization", "memory-performance")
NAMES: Final = frozenset(name for name, rule in rules().items() if rule.group in GROUPS)
WRONG: Final = [path for path in sorted(FOLDER.glob("*/*.wrong.ptx")) if path.parent.name in NAMES]
ALWAYS_FIXED: Final = frozenset(
    {
        "early-publication", "missing-register-fence", "needless-barrier", "needless-fence",
        "strong-scope", "unawaited-tensor-load", "unawaited-tensor-store", "unordered-flag",
    }
)  # fmt: skip
"""The rules that offer such a fix for each mistake in their pairs."""
WITHOUT_FIX: Final = {
    "early-publication/read_by_the_block.wrong.ptx": "only the thread that copies can wait",
    "unordered-flag/flag_set_before_the_store.wrong.ptx": "the store has to move",
    "unordered-flag/wait_in_a_function.wrong.ptx": "it would change the function for all callers",
}
"""Pairs of these rules for which no fix is offered, with the reason."""


def check_fix(path: Path) -> str | None:
    """Returns the text to which unsafe fixes of a rule change a pair; None if there is no fix."""
    text = parse_fixture(path.read_text(encoding="utf-8")).text
    own = [each for each in _found(text) if each.rule == path.parent.name]
    if not all(map(_is_fixable, own)):
        return None
    fixed = fix(text, has_unsafe=True, is_wanted=lambda one: one.rule in NAMES).text
    assert [str(each) for each in _found(fixed)] == []
    return fixed


def _found(text: str) -> list[Diagnostic]:
    found = [one for one in lint(Document.read(text)) if one.rule in NAMES]
    return [one for one in found if one.severity is not Severity.HINT]


def _is_fixable(one: Diagnostic) -> bool:
    return any(each.applicability is Applicability.UNSAFE for each in one.fixes)


def _name(path: Path) -> str:
    return str(path.relative_to(FOLDER))


@pytest.mark.parametrize("path", WRONG, ids=_name)
def test_fixed_text_draws_nothing(path: Path) -> None:
    is_fixed = check_fix(path) is not None
    assert is_fixed or path.parent.name not in ALWAYS_FIXED or _name(path) in WITHOUT_FIX


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("path", WRONG, ids=_name)
def test_ptxas_accepts_the_fixed_text(path: Path, tmp_path: Path) -> None:
    fixed = check_fix(path)
    if fixed is None:
        return
    architecture = next(
        line.split()[1].rstrip(",") for line in fixed.splitlines() if line.startswith(".target")
    )
    run = assemble(fixed, tmp_path, architecture)
    assert [each for each in run.messages if each.is_error] == []
