"""Which tests `./dev test --quick` leaves out."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = (sys.executable, "-c", "")


def test_a_quick_test_starts_no_program() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"starts python.*: mark it as slow"):
        subprocess.run(PROGRAM, check=True)


def test_a_quick_test_may_start_ptxas(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        subprocess.run([tmp_path / "ptxas"], check=True)


@pytest.mark.slow
def test_a_slow_test_may_start_any_program() -> None:
    subprocess.run(PROGRAM, check=True)
