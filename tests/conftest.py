"""Settings of the test run, and what a quick test may do."""

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.support")

# A deadline would measure how busy the machine is. In CI the same examples run every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI", "").lower() == "true" else "local")

# Tests of the command line must not find results of other runs; those of the cache have their own.
os.environ["PTX_LS_CACHE_DIR"] = ""

_STARTS = frozenset({"os.posix_spawn", "os.system", "subprocess.Popen"})
_quick: list[str] = []
"""The test that runs, if it is not marked as slow."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Notes whether the test is a quick one, for `_refuse`."""
    _quick[:] = [] if item.get_closest_marker("slow") else [item.nodeid]
    try:
        return (yield)
    finally:
        _quick.clear()


@pytest.fixture(autouse=True)
def _excerpts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns rules about what a function computes off in tests that are marked as `excerpts`."""
    if request.node.get_closest_marker("excerpts"):
        from tests.support.lint import only_excerpts  # noqa: PLC0415  its asserts are rewritten

        only_excerpts(monkeypatch)


def _refuse(
    quick: list[str], starts: frozenset[str], event: str, arguments: tuple[object, ...]
) -> None:
    """Fails a quick test that starts a program other than ptxas."""
    if not quick or event not in starts:
        return
    program = Path(str(arguments[0])).name
    if program.removesuffix(".exe") != "ptxas":
        pytest.fail(f"{quick[0]} starts {program}: mark it as slow")


# It is called until the process ends, when the names of this module are gone.
sys.addaudithook(partial(_refuse, _quick, _STARTS))
