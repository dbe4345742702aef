"""Special registers, directives and pragmas against recorded verdicts of ptxas."""

from __future__ import annotations

from pathlib import Path

import pytest

from certify.modules import our_errors
from certify.reference import RECORDED, recorded, silent

FILES = sorted(RECORDED.glob("*.tsv"))
MISS_SHARE = 0.02


def check_recorded(path: Path) -> float:
    """The share of what ptxas rejects in silence of ours; what it accepts must be no error."""
    cases = recorded(path)
    assert {case.text: our_errors([case]) for case in cases[True] if our_errors([case])} == {}
    return len(silent(cases[False])) / len(cases[False])


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recorded_verdicts(path: Path) -> None:
    assert check_recorded(path) <= MISS_SHARE


def test_all_measures_are_recorded() -> None:
    names = ["directives", "pragmas", "reference-gates", "special-registers"]
    assert [path.stem for path in FILES] == names
