"""Commands: their results, and the messages about wrong arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Client, ServerError
from tests.server.folder import enter, opened, uri_of, write

pytestmark = pytest.mark.slow

MODULE = ".entry k() { bar.warp.sync 1; ret; }\n"


def run(client: Client, command: str, *arguments: object, **more: object) -> Any:  # noqa: ANN401
    params = {"command": command, "arguments": list(arguments), **more}
    return client.request("workspace/executeCommand", params)


def test_what_a_document_needs_open_or_not(tmp_path: Path) -> None:
    write(tmp_path, closed=MODULE, open="")
    with Client() as client:
        result = enter(client, tmp_path)
        assert "ptx.requirements" in result["capabilities"]["executeCommandProvider"]["commands"]
        client.open(**opened(tmp_path, "open", MODULE))
        for name in ("open", "closed"):
            found = run(client, "ptx.requirements", uri_of(tmp_path, f"{name}.ptx"))
            assert found["version"]["value"] == "6.0"
            assert found["version"]["forced_by"][0]["line"] == 4
            assert found["declared"] == {"version": "8.0", "target": "sm_80"}


def test_pages() -> None:
    with Client() as client:
        client.initialize()
        assert "## " in run(client, "ptx.explainRule", "unknown-opcode")
        page = run(client, "ptx.showInstruction", "ld.global.nc")
        assert page.startswith("# ")
        assert "](" not in page.replace("](http", "")
        assert "](st.md)" in run(client, "ptx.showInstruction", "ld.global.nc", {"links": True})
        assert "%tid" in run(client, "ptx.showInstruction", "%tid.x")
        chapter = run(client, "ptx.showInstruction", "memory-model", {"links": True})
        assert "](https://ptx-ls.readthedocs.io/protocols/)" in chapter
        assert "](../" not in chapter


def test_pages_are_found_by_their_words() -> None:
    with Client() as client:
        client.initialize()
        listed = run(client, "ptx.showInstruction", "im2col mode", {"links": True})
        assert listed.startswith(
            "# Pages that contain `im2col mode`\n\n- [`tensors`](tensors.md), "
        )
        assert "](" not in run(client, "ptx.showInstruction", "im2col mode")
        assert run(client, "ptx.showInstruction", "LD.Global").startswith("# ")
        register = run(
            client, "ptx.showInstruction", "number of threads in the block", {"links": True}
        )
        assert "(%ntid.md)" in register


@pytest.mark.parametrize("is_able", [True, False])
def test_the_source_of_a_line(tmp_path: Path, *, is_able: bool) -> None:
    text = '.entry k()\n{\n.loc 1 7 3\nret;\n}\n.file 1 "k.cu"\n'
    write(tmp_path, k=text)
    (tmp_path / "k.cu").write_text("// source", encoding="utf-8")
    able = {"window": {"showDocument": {"support": is_able}}}
    shown: list[Any] = []

    def show(params: Any) -> Any:  # noqa: ANN401
        shown.append(params)
        return {"success": True}

    with Client(answers={"window/showDocument": show}) as client:
        enter(client, tmp_path, capabilities=able)
        document = opened(tmp_path, "k", text)
        client.open(**document)
        line = document["text"].split("\n").index("ret;")
        found = run(client, "ptx.openSource", document["uri"], line)
        assert found == {"shown": is_able}
        assert [params["uri"] for params in shown] == [(tmp_path / "k.cu").as_uri()] * is_able
        assert all(it["selection"]["start"] == {"line": 6, "character": 2} for it in shown)


def test_the_whole_workspace(tmp_path: Path) -> None:
    write(tmp_path, a=".entry k() { rat; rut; }\n", b=MODULE, c="")
    with Client() as client:
        enter(client, tmp_path, capabilities={"window": {"workDoneProgress": True}})
        client.open(**opened(tmp_path, "c", ".entry k() { rat; }\n"))
        found = run(client, "ptx.lintWorkspace", workDoneToken="lint")
        assert (found["files"], found["error"]) == (3, 3)
        kinds = [it["params"]["value"]["kind"] for it in client.unread if "value" in it["params"]]
        assert kinds == ["begin", "report", "report", "end"]
        run(client, "ptx.lintWorkspace")
        client.server_request("window/workDoneProgress/create")


@pytest.mark.parametrize(
    ("command", "arguments", "code", "reason"),
    [
        ("ptx.gone", [], -32602, "unknown command `ptx.gone`; the commands are ptx.requirements"),
        ("ptx.requirements", [], -32602, "one argument: the URI"),
        ("ptx.requirements", ["file:///gone.ptx"], -32803, "neither open nor"),
        ("ptx.requirements", ["untitled:1"], -32803, "neither open nor"),
        ("ptx.explainRule", [3], -32602, "one argument: the name of a rule"),
        ("ptx.explainRule", ["unknown-opcod"], -32803, "did you mean `unknown-opcode`?"),
        ("ptx.showInstruction", ["ld", "st"], -32602, "one argument"),
        ("ptx.showInstruction", ["ldx"], -32803, "did you mean `ld"),
        ("ptx.showInstruction", ["rust compiler"], -32803, "nothing in PTX is called"),
        ("ptx.openSource", ["file:///k.ptx"], -32602, "two arguments"),
        ("ptx.openSource", ["file:///k.ptx", 3], -32803, "is not open"),
        ("ptx.lintWorkspace", [1], -32602, "takes no arguments"),
    ],
)
def test_wrong_arguments(command: str, arguments: list[object], code: int, reason: str) -> None:
    with Client() as client:
        client.initialize()
        with pytest.raises(ServerError) as caught:
            run(client, command, *arguments)
        error: Any = caught.value.args[0]
        assert error["code"] == code
        assert reason in error["message"]
