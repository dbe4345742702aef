"""The pages of rules about asynchronous instructions show the protocol as a picture."""

from __future__ import annotations

from typing import Final

import pytest

from ptx_ls.cli.main import main
from ptx_ls.lint.protocols.protocol_pictures import with_protocols
from ptx_ls.lint.rule import rules

ASYNC: Final = [name for name, rule in rules().items() if rule.group == "async"]
_EXAMPLE: Final = "## Example\n"


def check_page(page: str) -> None:
    """Checks that a page has a picture before its example."""
    before, _, _ = page.partition(_EXAMPLE)
    assert "```text\n" in before


@pytest.mark.parametrize("name", ASYNC)
def test_page_has_a_picture(name: str) -> None:
    check_page(rules()[name].doc)


def test_terminal_shows_the_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "early-copy-access"]) == 0
    shown = capsys.readouterr().out
    assert "open ───────────▶ committed" in shown
    assert "/protocols/cp-async" in shown


def test_picture_is_not_drawn_twice() -> None:
    page = f"```text\nown\n```\n\n{_EXAMPLE}"
    assert with_protocols("uncommitted-matrix", page).count("```text") == 1


def test_other_rules_have_none() -> None:
    assert with_protocols("unused-label", _EXAMPLE) == _EXAMPLE
