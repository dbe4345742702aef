from pathlib import Path

import pytest

from tests.support.programs import require_program


def check_missing(expected: type[BaseException]) -> None:
    with pytest.raises(expected, match="needs ptxas, to be had by: pip install it"):
        require_program("ptxas", "pip install it", lambda _: None)


def test_program_found() -> None:
    found = require_program("ptxas", "pip install it", lambda name: f"/bin/{name}")
    assert found == Path("/bin/ptxas")


def test_missing_program_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    check_missing(pytest.skip.Exception)


def test_missing_program_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    check_missing(pytest.fail.Exception)
