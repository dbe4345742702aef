"""Hovers on the wire: what only the server adds to them."""

from pathlib import Path

import pytest

from tests.server.client import Client, edit
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.slow

MODULE = """\
.version 8.3
.target sm_90
.address_size 64
.visible .entry kernel()
{
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    cp.async.wait_all;
    STATEMENT
    ret;
}
.file 1 "/nowhere/source.cu"
"""
MMA = (
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4},"
    " {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f<|>2, %f3, %f4};"
)


def check_hover(
    statement: str, *expected: str, client: str = "", folder: Path = Path("/none")
) -> str:
    """The hover at the cursor of a module that a client of that name opens in a folder."""
    marked = statement if statement.startswith(".") else MODULE.replace("STATEMENT", statement)
    fixture = parse_fixture(marked)
    uri = (folder / "module.ptx").as_uri()
    with Client() as server:
        server.initialize(**({"clientInfo": {"name": client}} if client else {}))
        server.open(fixture.text, uri)
        place = {"line": fixture.cursor.line, "character": fixture.cursor.column}
        params = {"textDocument": {"uri": uri}, "position": place}
        text: str = server.request("textDocument/hover", params)["contents"]["value"]
        while "Analysing" in text:  # what a module needs takes its time on a busy machine
            text = server.request("textDocument/hover", params)["contents"]["value"]
        assert server.leave() == 0
    for part in expected:
        assert part in text, text
    return text


@pytest.mark.parametrize(("name", "is_shown"), [("Visual Studio Code", True), ("Neovim", False)])
def test_pictures_for_clients_that_show_them(name: str, *, is_shown: bool) -> None:
    text = check_hover(MMA, "In fragment `c` (registers 0 to 3), register 1", client=name)
    assert ("](data:image/svg+xml;base64," in text) is is_shown
    assert ("| register | lane 0 |" in text) is not is_shown


def test_the_line_of_the_source(tmp_path: Path) -> None:
    (tmp_path / "source.cu").write_text("a\nb\n    float x = y[i];\n", encoding="utf-8")
    check_hover(".loc 1 <|>3 5".join(MODULE.split("STATEMENT")), "```cuda\nfloat x = y[i];\n```",
                folder=tmp_path)  # fmt: skip


def test_the_label_that_debug_data_names() -> None:
    module = MODULE.replace("STATEMENT", "$L__tmp1:\n    add.s32 %r1, %r2, %r3;")
    text = module + ".section .debug_info\n{\n.b64 $L__t<|>mp1\n}\n"
    check_hover(text, "`$L__tmp1`: label on line 9", "add.s32")


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    text = check_hover(".loc 1 <|>3 5".join(MODULE.split("STATEMENT")), "line 3", folder=tmp_path)
    assert "```" not in text


def test_plain_text_where_markdown_is_not_taken() -> None:
    for formats, kind in ((["plaintext"], "plaintext"), (["plaintext", "markdown"], "markdown")):
        with Client() as server:
            server.initialize({"textDocument": {"hover": {"contentFormat": formats}}})
            server.open(MODULE.replace("STATEMENT", "add.s32 %r1, %r2, %r3;"))
            contents = server.ask("hover", 8, 5)["contents"]
            assert contents["kind"] == kind
            assert ("**" in contents["value"]) is (kind == "markdown")
            assert "%r1 = %r2 + %r3;" in contents["value"]


@pytest.mark.parametrize("header", [".version 8.<|>3", ".target sm_<|>90"])
def test_what_the_module_needs(header: str) -> None:
    check_hover(
        MODULE.replace(header.replace("<|>", ""), header),
        "This module needs PTX ISA 7.8 for `sm_90`, and declares 8.3.",
        "- oldest target: `sm_80`\n  - line 8: `cp.async.wait_all`",
    )


@pytest.mark.parametrize("n_lines", [3, 600, 6000])
def test_the_value_of_a_register(n_lines: int) -> None:
    body = "    bar.sync 0;\n" * n_lines + "    add.u32 %r1, %r1, 2;\n"
    with Client() as client:
        client.initialize()
        client.open(
            f".entry k()\n{{\n    .reg .b32 %r1;\n    mov.u32 %r1, 5;\n{body}    ret;\n}}\n"
        )
        line = n_lines + 4
        client.ask("hover", line, 13)  # while the text is being read, nothing is evaluated
        assert client.ask("hover", line, 13)["contents"]["value"].startswith("`%r1 = 7`")
        client.change(2, edit((0, 0), (0, 0), "\n"))
        text = client.ask("hover", line + 1, 13)["contents"]["value"]
        assert "Analysing" not in text
        assert "`.b32`" in text or "untyped" in text
        assert client.ask("hover", line + 1, 13)["contents"]["value"].startswith("`%r1 = 7`")


def test_the_meaning_comes_before_the_state_and_the_links_after_it() -> None:
    copy = "cp.async.ca.shared.global [%r1], [%rd1], 4;"
    group = f"{copy}\ncp.async.commit_group;\n"
    text = check_hover(f"{{ .reg .b64 %rd<5>;\n{group}{group}c<|>p.async.wait_group 1; }}")
    parts = "```text", "**`cp.async.wait_group`**", "in flight", "[More about `cp`]"
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


def test_the_state_comes_before_what_holds_for_every_such_instruction() -> None:
    text = check_hover(
        "{ .reg .b64 %rd<5>; c<|>p.async.ca.shared.global [%r1], [%rd1], 4; "
        "cp.async.commit_group; cp.async.wait_group 0; }"
    )
    parts = (
        "**`cp.async.ca.shared.global`**",
        "The group of the copy is committed",
        "⚠",
        "[More about `cp`]",
    )
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


def test_the_value_of_a_register_comes_before_its_declaration() -> None:
    text = check_hover("mov.u32 %r1, 64;\n    add.u32 %r2, %r<|>1, 1;", "64")
    assert text.index("64") < text.index("register, 32 untyped bits")
