"""Data for requests is loaded while the client is silent, and only then."""

import ast
import asyncio
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import ptx_ls
from ptx_ls.server.methods import FEATURES
from ptx_ls.server.scheduling import preload


def check_loaded(silences: list[float], *expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of events: `?` for a question how long the client is silent, else a task."""
    seen: list[str] = []

    def silence() -> float:
        seen.append("?")
        return silences.pop(0)

    monkeypatch.setattr(preload, "_DELAY", 0)
    tasks = [partial(seen.append, name) for name in ("hover", "rename")]
    asyncio.run(preload.preload(tasks, silence))
    assert seen == list(expected)


def test_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    check_loaded([1, 1], "?", "hover", "?", "rename", monkeypatch=monkeypatch)


def test_not_while_messages_come(monkeypatch: pytest.MonkeyPatch) -> None:
    check_loaded(
        [0.01, 0.049, 1, 0.01, 1], *"???", "hover", *"??", "rename", monkeypatch=monkeypatch
    )


def late_imports(package: str) -> Iterator[str]:
    """Modules of ptx-ls that functions of a package import when they are called."""
    root = Path(ptx_ls.__file__).parent
    for path in (root / package).rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.ImportFrom) and node.module:
                        for each in node.names:
                            file = root.parent.joinpath(*node.module.split("."), f"{each.name}.py")
                            yield f"{node.module}.{each.name}" if file.exists() else node.module


@pytest.mark.slow
def test_all_that_answers_load_late_is_loaded_before() -> None:
    handlers = {
        f"ptx_ls.server.handlers.{feature.handler.partition('.')[0]}" for feature in FEATURES
    }
    names = [*handlers, *preload.LATE]
    code = f"import {', '.join(names)}; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    for package in ("features", "semantics"):
        for name in late_imports(package):
            assert name in loaded
