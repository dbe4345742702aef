"""Commands that show the flow or the synchronisation of a function; highlights of the latter."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.client import URI, Client, ServerError

pytestmark = pytest.mark.slow

MODULE = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n  ret;\n}\n"
COPYING = """\
.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 from)
{
.reg .b64 %rd<2>;
.shared .align 16 .b8 tile[64];
ld.param.u64 %rd1, [from];
cp.async.ca.shared.global [tile], [%rd1], 16;
cp.async.commit_group;
cp.async.wait_group 0;
ret;
}
"""
FAILED = -32803


def session(text: str) -> Client:
    client = Client()
    client.initialize()
    client.open(text)
    return client


def run(client: Client, command: str, *arguments: object) -> Any:  # noqa: ANN401
    params = {"command": command, "arguments": list(arguments)}
    return client.request("workspace/executeCommand", params)


def check_refused(
    client: Client, command: str, *arguments: object, code: int = FAILED, words: str = ""
) -> None:
    with pytest.raises(ServerError) as caught:
        run(client, command, *arguments)
    error: Any = caught.value.args[0]
    assert (error["code"], words in error["message"]) == (code, True), error


def test_the_flow_of_a_function() -> None:
    with session(MODULE) as client:
        text = run(client, "ptx.showCfg", URI, 5)
        assert text.startswith('digraph "k" {')
        assert "ret;" in text
        assert run(client, "ptx.showCfg", URI, 5, {"format": "dot"}) == text
        found = run(client, "ptx.showCfg", URI, 5, {"format": "svg"})
        assert found["svg"].startswith("<svg")
        assert (found["name"], found["source"]) == ("k", None)
        assert found["first"] < 5 <= found["last"]
        check_refused(client, "ptx.showCfg", URI, 0, words="no function with a body at line 1")
        small = run(client, "ptx.showCfg", URI, 5, {"format": "svg", "area": [20, 20]})["svg"]
        assert len(small) < len(found["svg"])
        for wanted in (
            {},
            {"format": "png"},
            {"format": "svg", "more": 1},
            {"format": "dot", "area": [20, 20]},
        ):
            check_refused(client, "ptx.showCfg", URI, 5, wanted, code=-32602, words="argument")
        for area in ([0, 99], [99], "99", [9.5, 99]):
            arguments = URI, 5, {"format": "svg", "area": area}
            check_refused(client, "ptx.showCfg", *arguments, code=-32602, words="`area`")


def test_the_synchronization_of_a_function() -> None:
    with session(COPYING) as client:
        text = run(client, "ptx.showSync", URI, 5)
        assert text.splitlines()[2].split() == [
            *("9", "cp.async.ca.shared.global", "all", "threads", "complete", "at", "line", "11")
        ]
        assert run(client, "ptx.showSync", URI, 5, {"format": "text"}) == text
        data = run(client, "ptx.showSync", URI, 5, {"format": "json"})
        assert [row["kind"] for row in data["rows"]] == ["operation", "commit", "wait"]
        found = run(client, "ptx.showSync", URI, 5, {"format": "svg"})
        assert found["svg"].startswith("<svg")
        assert (found["name"], found["source"]) == ("k", None)
        assert found["first"] < 5 <= found["last"]
        check_refused(client, "ptx.showSync", URI, 0, words="no function with a body at line 1")
    with session(MODULE) as client:
        wanted = {"format": "svg"}
        check_refused(
            client, "ptx.showSync", URI, 5, wanted, words="no synchronisation and no asynchronous"
        )


def test_hover_and_highlights_in_a_long_function() -> None:
    """They come from a thread."""
    more = "add.s64 %rd1, %rd1, 1;\n" * 700
    with session(COPYING.replace("cp.async.wait", f"{more}cp.async.wait")) as client:
        at = {"textDocument": {"uri": URI}, "position": {"line": 8, "character": 4}}
        client.request("textDocument/hover", at)  # the first one does not wait
        shown = client.request("textDocument/hover", at)["contents"]["value"]
        assert "committed on line 10. The copy is complete after the wait on line 711." in shown
        found = client.request("textDocument/documentHighlight", at)
        assert [each["range"]["start"]["line"] for each in found] == [8, 9, 710]
        assert [each["kind"] for each in found] == [3, 3, 2]


def test_wrong_arguments() -> None:
    with session(MODULE) as client:
        for command in ("ptx.showCfg", "ptx.showSync"):
            for arguments in ([], [3], [URI, "x"], [URI, -1], [URI, 5, {"format": "png"}]):
                check_refused(client, command, *arguments, code=-32602, words="argument")
            check_refused(client, command, "file:///gone.ptx", 0, words="is not open")
