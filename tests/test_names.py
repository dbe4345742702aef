"""A name of a class has one meaning in the whole package."""

from __future__ import annotations

import ast
from pathlib import Path

import ptx_ls

PACKAGE = Path(ptx_ls.__file__).parent


def defined_twice(sources: dict[str, str]) -> dict[str, list[str]]:
    """The classes that several sources define, or one of them several times."""
    found: dict[str, list[str]] = {}
    for name, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(name)
    return {name: places for name, places in sorted(found.items()) if len(places) > 1}


def test_classes_of_one_name_are_found() -> None:
    sources = {"a": "class A: ...\nclass _B: ...\nclass C: ...", "b": "class A:\n class _B: ..."}
    assert defined_twice(sources) == {"A": ["a", "b"], "_B": ["a", "b"]}


def test_no_class_name_is_used_twice() -> None:
    sources = {
        path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    assert defined_twice(sources) == {}
