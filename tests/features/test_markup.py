"""Markdown: all text of a document is shown as text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ptx_ls
from ptx_ls.features import markup
from ptx_ls.features.plain import plain
from tests.support.markdown import shown_text, things_that_act

HOSTILE = [
    "![x](http://evil.example/x.png)",
    "` ![x](http://evil.example/x.png) `",
    "``` \n![x](http://evil.example/x.png)",
    "`` ![x](http://evil.example/x.png)",
    "\\` ![x](http://evil.example/x.png)",
    "\\| ![x](http://evil.example/x.png) | `",
    "[x](command:workbench.action.terminal.new)",
    "[x]: http://evil.example\n\n[x]",
    "<img src=http://evil.example/x.png>",
    "<script>alert(1)</script>",
    "<http://evil.example>",
    "http://evil.example www.evil.example mailto:a@evil.example",
    "&lt;img src=x&gt; &#60;b&#62;",
    "# a\n- b\n1. c\n\n---\n\n    d",
    " #",
    "1. # a",
    "  20) - # a",
    "3. + a",
    "   - a",
    "\x1b[31m\x07\x9b31m",
    "\u202e\u2066\u200b",
    "a\r\nb\rc\n",
    "| a | b |",
    "`" * 50,
    "\\",
    "~~~\na",
]
TEXTS = st.one_of(
    st.sampled_from(HOSTILE),
    st.lists(
        st.sampled_from([*"`[]()!<>\\|~&*_ \n\r:/#-", "![", "](", "http://e", "1.", "2) ", "x"])
    ).map("".join),
)


def check_shown(markdown: markup.Markdown, *parts: str) -> None:
    """Checks that Markdown shows the words of some parts, and does nothing."""
    assert not things_that_act(markdown), markdown
    text = shown_text(markdown)
    for part in parts:
        assert _words(part) in _words(text), markdown


def _words(text: str) -> str:
    """Text without its blanks, and with escapes for characters that act."""
    kept = (it if it.isprintable() else it.encode("unicode_escape").decode() for it in text)
    return "".join("" if it in ("\\n", "\\r", "\\t") else it for it in kept).replace(" ", "")


@given(TEXTS)
def test_anything_as_text(text: str) -> None:
    check_shown(markup.escaped(text), text)
    check_shown(markup.filled("a {} b", text), text)
    check_shown(markup.paragraphs(text, text), text)
    check_shown(markup.bullets([text]), text)


def test_indented_text_is_not_code() -> None:
    check_shown(markup.escaped("    ``"), "    ``")
    check_shown(markup.escaped("\t*a*"), "\t*a*")


@given(TEXTS)
def test_anything_as_code(text: str) -> None:
    check_shown(markup.code(text), text)
    check_shown(markup.block(text), text)
    check_shown(markup.paragraphs("before", markup.block(text), "behind"), text, "before", "behind")
    check_shown(markup.filled("{}{}", markup.code(text), markup.code(text)), text)
    check_shown(markup.quoted(f"a `{text}` b"))


@given(TEXTS)
def test_anything_in_a_table(text: str) -> None:
    found = markup.table(["head", text], [[text, markup.code(text)], [markup.code(text), "end"]])
    assert not things_that_act(found), found
    assert "end" in shown_text(found)


@given(TEXTS)
def test_anything_as_plain_text(text: str) -> None:
    for found in (markup.escaped(text), markup.code(text), markup.block(text)):
        assert _words(text) in _words(plain(found)) or not text.strip(), found


@pytest.mark.parametrize(
    "uri", ["http://evil.example/x.png", "data:text/html,x", "data:image/a,b)"]
)
def test_images_are_in_their_uri(uri: str) -> None:
    assert markup.image("x", uri) == ""
    assert markup.image("x", "data:image/svg+xml;base64,AAA=").endswith("AAA=)")


def test_an_f_string_is_text_again() -> None:
    assert markup.paragraphs(f"{markup.code('a')} b") == "\\`a\\` b"


# New code

PACKAGE = Path(ptx_ls.__file__).parent
BUILDER = PACKAGE / "features" / "markup.py"


@cache
def all_calls() -> list[tuple[str, str, ast.Call]]:
    """The calls of functions of modules outside of the builder: place, name and call."""
    return [
        (f"{path.name}:{node.lineno}", called, node)
        for path in PACKAGE.rglob("*.py")
        if path != BUILDER
        for called, node in calls_in(ast.parse(path.read_text("utf-8")))
    ]


def calls_in(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """The calls of functions of modules: `markup.own`, also where only `own` is imported."""
    nodes = list(ast.walk(tree))
    imported = {
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "ptx_ls.features.markup"
        for alias in node.names
    }
    for node in nodes:
        match node:
            case ast.Call(ast.Name(name)) if name in imported:
                yield f"markup.{name}", node
            case ast.Call(ast.Attribute(ast.Name(module), name)):
                yield f"{module}.{name}", node


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of a function of the builder outside of it."""
    return ((place, node) for place, called, node in all_calls() if called == f"markup.{name}")


@pytest.mark.slow
def test_only_the_builder_makes_markdown() -> None:
    assert not [place for place, _ in calls("Markdown")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "is_template"), [("own", False), ("filled", True), ("joined", True)]
)
def test_words_of_ours_are_not_put_together(name: str, *, is_template: bool) -> None:
    """Templates are literals: text that is put together could hold a name of a document."""
    found = list(calls(name))
    assert found
    for place, call in found:
        for node in ast.walk(call.args[0]) if call.args else ():
            assert not isinstance(node, ast.JoinedStr | ast.BinOp), place
        if is_template:
            choices = call.args[0]
            parts = [choices.body, choices.orelse] if isinstance(choices, ast.IfExp) else [choices]
            assert all(isinstance(part, ast.Constant) for part in parts), place


def test_one_place_tells_a_client_that_text_is_markdown() -> None:
    """`to_lsp` takes nothing but `Markdown`, which mypy checks."""
    for path in (PACKAGE / "server").rglob("*.py"):
        # The table of fields has all values that a client may send.
        if path.name not in ("to_lsp.py", "initialize_fields.py"):
            text = path.read_text("utf-8")
            assert '"markdown"' not in text, path
            assert "MarkupContent(types.MarkupKind.Markdown" not in text, path
            assert "MarkedString" not in text, path
