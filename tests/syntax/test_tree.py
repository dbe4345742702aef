"""The tree of a module loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from ptx_ls.syntax.document import Document
from ptx_ls.syntax.tree import ModuleTree
from tests.syntax.test_document import documents

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ptx"))


def check_tree(text: str, statements: list[str] | None = None) -> None:
    """Fails unless the tree stands for `text`, and has just these statements if they are given."""
    tree = ModuleTree(Document(text))
    assert tree.get_code() == text
    if statements is not None:
        assert [statement.text for statement in tree.statements] == statements


def test_statements_and_what_is_between_them() -> None:
    check_tree(
        "// one\nL: ret; /* two */ bra\n L;\n\n",
        ["L:", "ret;", "bra\n L;"],
    )


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    check_tree(path.read_text("utf-8"))


@pytest.mark.slow
@settings(max_examples=300)
@given(documents)
def test_any_document(text: str) -> None:
    check_tree(text)
