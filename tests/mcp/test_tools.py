"""The tools for agents, called by the client of the protocol's own package."""

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from ptx_ls.cli.commands import mcp as command
from ptx_ls.cli.main import main
from ptx_ls.mcp import sources, tools
from ptx_ls.mcp.server import server

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = HEADER + "\n.entry k()\n{\n    ret;\n}\n"
WRONG = HEADER + ".entry k()\n{\n    .reg .b32 %r<3>;\n    mov.u33 %r1, 2;\n    ret\n}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    below = tmp_path / "open"
    below.mkdir()
    (below / "k.ptx").write_text(KERNEL, encoding="utf-8")
    (below / "k.txt").write_text(KERNEL, encoding="utf-8")
    (tmp_path / "outside.ptx").write_text(KERNEL, encoding="utf-8")
    (below / "link.ptx").symlink_to(tmp_path / "outside.ptx")
    (below / "utf-16.ptx").write_text(KERNEL, encoding="utf-16")
    return below


async def check_tool(folder: Path, tool: str, **arguments: object) -> Any:  # noqa: ANN401  # JSON
    """Calls a tool, and returns its structured result."""
    async with Client(server([str(folder)])) as client:
        result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def check_error(folder: Path, tool: str, message: str, **arguments: object) -> None:
    """Calls a tool that fails, and compares the end of what it says."""
    async with Client(server([str(folder)])) as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert content.text.removeprefix(f"Error executing tool {tool}: ") == message


async def test_lint(folder: Path) -> None:
    found = await check_tool(folder, "lint", text=WRONG)
    assert found["counts"] == {"error": 2}
    first, second = found["findings"]
    assert first["span"] == {"line": 7, "column": 8, "end_line": 7, "end_column": 12}
    assert (first["rule"], first["fixes"][0]["applicability"]) == ("unknown-modifier", "guess")
    span = {"line": 8, "column": 8, "end_line": 8, "end_column": 8}
    assert second["fixes"][0]["edits"] == [{"span": span, "new_text": ";"}]


async def test_the_most_severe_findings_are_kept(folder: Path) -> None:
    found = await check_tool(folder, "lint", text=WRONG, max_findings=1)
    assert (len(found["findings"]), found["is_complete"], found["counts"]) == (
        1,
        False,
        {"error": 2},
    )


async def test_a_correct_file(folder: Path) -> None:
    expected = {"findings": [], "counts": {}, "is_complete": True}
    assert await check_tool(folder, "lint", path="k.ptx") == expected
    assert await check_tool(folder, "lint", path=str(folder / "k.ptx")) == expected


async def test_format(folder: Path) -> None:
    expected = {"text": KERNEL, "is_changed": True}
    assert await check_tool(folder, "format", text=HEADER + ".entry k(){ret;}") == expected
    assert await check_tool(folder, "format", text=KERNEL) == {**expected, "is_changed": False}


async def test_what_is_not_ptx_is_not_formatted(folder: Path) -> None:
    message = "cannot be formatted: it does not begin with `.version`"
    await check_error(folder, "format", message, text="int main() {}")


async def test_bytes_that_are_not_utf_8(folder: Path) -> None:
    (folder / "latin.ptx").write_bytes(WRONG.encode() + b"// \xe9\n")
    found = await check_tool(folder, "lint", path="latin.ptx")
    assert found["counts"] == {"error": 2}
    message = "cannot be formatted: some of its bytes are not UTF-8"
    await check_error(folder, "format", message, path="latin.ptx")


async def test_diff(folder: Path) -> None:
    found = await check_tool(folder, "diff", before=KERNEL, after_path="k.ptx")
    assert found == {"is_same": True, "properties": [], "functions": []}
    other = KERNEL.replace("    ret;", "    trap;\n    ret;")
    found = await check_tool(folder, "diff", before_path="k.ptx", after=other)
    [function] = found["functions"]
    assert (function["name"], function["statements"][0]["new"]) == ("k", "trap;")
    await check_error(folder, "diff", "expected either `text` or `path`", before=KERNEL)


async def test_requirements(folder: Path) -> None:
    text = HEADER + ".entry k()\n{\n    cp.async.wait_all;\n    ret;\n}\n"
    found = await check_tool(folder, "requirements", text=text)
    assert (found["version"], found["target"], found["lacking"]) == ("7.0", "sm_80", None)
    found = await check_tool(folder, "requirements", text=text, target="sm_75")
    assert found["lacking"] == [{"line": 6, "what": "cp.async.wait_all"}]
    message = "target: `sm_80b` is unknown (did you mean `sm_80`?)"
    await check_error(folder, "requirements", message, text=text, target="sm_80b")


async def test_explain(folder: Path) -> None:
    found = await check_tool(folder, "explain", rule="unknown-modifier")
    assert found["page"].startswith("# unknown-modifier\n\nSeverity: error.")
    message = "no rule `unknown-modifer` (did you mean `unknown-modifier`?);"
    message += " `search` searches the texts of pages"
    await check_error(folder, "explain", message, rule="unknown-modifer")


async def test_isa(folder: Path) -> None:
    found = await check_tool(folder, "isa", name="ld.global.nc")
    assert found["page"].startswith("# `ld.global.nc`")
    message = (
        "`ld` has no modifier `.ncx` (did you mean `.nc`?); `search` searches the texts of pages"
    )
    await check_error(folder, "isa", message, name="ld.ncx")


async def test_search(folder: Path) -> None:
    found = await check_tool(folder, "search", words="async proxy")
    assert "fence" in [hit["name"] for hit in found["result"]]
    found = await check_tool(folder, "search", words="undeclared register")
    assert "rule" in [hit["kind"] for hit in found["result"]]
    assert (await check_tool(folder, "search", words="qwertz")) == {"result": []}
    await check_error(folder, "search", "expected words to search for", words=" ")


@pytest.mark.parametrize(
    "path", ["../outside.ptx", "link.ptx", "missing.ptx", "", "/dev/zero", "//host/k.ptx", "\0.ptx"]
)
async def test_only_files_below_the_folders_are_read(folder: Path, path: str) -> None:
    message = f"`{path}` is not a file below {folder}"
    await check_error(folder, "lint", message, path=path)


async def test_other_files_are_not_read(folder: Path) -> None:
    await check_error(folder, "lint", "`k.txt` is not a `.ptx` file", path="k.txt")
    message = "`utf-16.ptx`: encoded as UTF-16, but PTX must be ASCII or UTF-8;"
    message += " `iconv -f UTF-16 -t UTF-8 FILE` converts it"
    await check_error(folder, "lint", message, path="utf-16.ptx")


async def test_text_or_path(folder: Path) -> None:
    message = "expected either `text` or `path`"
    await check_error(folder, "lint", message)
    await check_error(folder, "format", message, text=KERNEL, path="k.ptx")


async def test_a_text_that_is_too_large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_BYTES", 50)
    message = "more than 50 bytes; use `ptx-ls lint` in a terminal"
    await check_error(folder, "lint", message, text=KERNEL)
    await check_error(folder, "lint", message, path="k.ptx")


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "{" * 10_000, "// \x7f\n", ".version 8.0"])
async def test_any_text_is_answered(folder: Path, text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    await check_tool(folder, "lint", text=text)
    await check_tool(folder, "requirements", text=text)


async def test_all_tools_only_read(folder: Path) -> None:
    async with Client(server([str(folder)])) as client:
        found = (await client.list_tools()).tools
    assert [tool.name for tool in found] == [
        "lint",
        "format",
        "requirements",
        "diff",
        "explain",
        "isa",
        "search",
    ]
    for tool in found:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.output_schema is not None
        assert all("description" in it for it in tool.input_schema["properties"].values())


async def test_resources(folder: Path) -> None:
    async with Client(server([str(folder)])) as client:
        rules = await client.read_resource("ptx://rules")
        page = await client.read_resource("ptx://rules/unknown-modifier")
        isa = await client.read_resource("ptx://isa/mma")
        with pytest.raises(Exception, match="nothing in PTX is called `zzz`"):
            await client.read_resource("ptx://isa/zzz")
    listed, *pages = [getattr(each.contents[0], "text", "") for each in (rules, page, isa)]
    assert "\n- unknown-modifier: " in listed
    assert [text.split()[:2] for text in pages] == [["#", "unknown-modifier"], ["#", "`mma`"]]


async def test_a_call_while_another_one_works(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, stopped = anyio.Event(), anyio.Event()
    work = tools.findings_in

    def endless(text: str, most: int, should_stop: Any) -> object:  # noqa: ANN401
        anyio.from_thread.run_sync(started.set)
        while not should_stop():
            pass
        return work(text, most, should_stop)

    monkeypatch.setattr(tools, "findings_in", endless)
    async with Client(server([str(folder)])) as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "lint", {"text": KERNEL})
        await started.wait()
        result = await client.call_tool("explain", {"rule": "unknown-modifier"})
        assert not result.is_error
        group.cancel_scope.cancel()
    stopped.set()


@pytest.mark.slow
async def test_the_command(folder: Path) -> None:
    arguments = ["-m", "ptx_ls", "mcp", "--folder", str(folder)]
    async with Client(StdioServerParameters(command=sys.executable, args=arguments)) as client:
        result = await client.call_tool("lint", {"path": "k.ptx"})
    assert result.structured_content == {"findings": [], "counts": {}, "is_complete": True}


def test_the_package_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    monkeypatch.delitem(sys.modules, "ptx_ls.mcp.server", raising=False)
    assert main(["mcp"]) == 2
    assert capsys.readouterr().err == f"ptx-ls: {command.HOW_TO_INSTALL}\n"


def test_a_folder_that_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--folder", "/missing"]) == 2
    assert capsys.readouterr().err == "ptx-ls: --folder: `/missing` is not a folder\n"
