"""What requests need is loaded while the client is silent, and only then."""

import asyncio
import importlib

import pytest

from ptx_ls.server import warming


def check_loaded(silences: list[float], *expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens in order: `?` for a look at how long the client is silent, else a module."""
    seen: list[str] = []

    def silence() -> float:
        seen.append("?")
        return silences.pop(0)

    monkeypatch.setattr(warming, "_START", 0)
    monkeypatch.setattr(importlib, "import_module", seen.append)
    asyncio.run(warming.warm(["hover", "rename"], silence))
    assert seen == list(expected)


def test_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    check_loaded([1, 1], "?", "hover", "?", "rename", monkeypatch=monkeypatch)


def test_not_while_messages_come(monkeypatch: pytest.MonkeyPatch) -> None:
    check_loaded(
        [0.01, 0.049, 1, 0.01, 1], *"???", "hover", *"??", "rename", monkeypatch=monkeypatch
    )
