"""Commands that run ptxas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ptx_ls.toolchain import disassembler, ptxas
from tests.server import fake_ptxas
from tests.server.client import URI, Client, Message, ServerError
from tests.server.fake_ptxas import posix
from tests.support.programs import require_program

pytestmark = pytest.mark.slow

MODULE = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n  ret;\n}\n"
FAILED, CANCELLED = -32803, -32800


def session(folder: Path, text: str, **more: object) -> Client:
    settings = {"path": str(fake_ptxas.make(folder)), **more}
    return real_session(text, settings)


def real_session(text: str, settings: Message) -> Client:
    client = Client()
    client.initialize(initializationOptions={"ptxas": settings})
    client.open(text)
    return client


def run(client: Client, command: str, *arguments: object, **more: object) -> Any:  # noqa: ANN401
    params = {"command": command, "arguments": list(arguments), **more}
    return client.request("workspace/executeCommand", params)


def check_refused(
    client: Client, command: str, *arguments: object, code: int = FAILED, words: str = ""
) -> None:
    with pytest.raises(ServerError) as caught:
        run(client, command, *arguments)
    error: Any = caught.value.args[0]
    assert (error["code"], words in error["message"]) == (code, True), error


@posix
def test_what_a_module_uses(tmp_path: Path) -> None:
    with session(tmp_path, MODULE) as client:
        found = run(client, "ptx.assemble", URI, workDoneToken="work")
        assert (found["accepted"], found["target"], found["messages"]) == (True, "sm_80", [])
        (kernel,) = found["functions"]
        assert (kernel["name"], kernel["isKernel"], kernel["registers"]) == ("k", True, 24)
        assert (kernel["spillStores"], kernel["spillLoads"], kernel["shared"]) == (4, 8, 1024)
        shown = client.notification("window/showMessage")
        assert shown["type"] == 3
        assert (
            "k: 24 registers, 4 B spill stores, 8 B spill loads, 1,024 B shared" in shown["message"]
        )
        assert [it[1] for it in fake_ptxas.runs(tmp_path)] == ["-arch=sm_80"]
        kinds = [it["params"]["value"]["kind"] for it in client.unread if "value" in it["params"]]
        assert kinds == ["begin", "end"]


@posix
def test_what_is_wrong_with_a_module(tmp_path: Path) -> None:
    with session(tmp_path, MODULE.replace("ret;", "ret; // error bad")) as client:
        client.notification("textDocument/publishDiagnostics")
        found = run(client, "ptx.assemble", URI)
        assert (found["accepted"], found["functions"]) == (False, [])
        assert found["messages"] == [{"line": 6, "severity": "error", "text": "bad"}]
        assert client.notification("window/showMessage")["type"] == 1
        (shown,) = client.notification("textDocument/publishDiagnostics")["diagnostics"]
        assert (shown["source"], shown["message"]) == ("ptxas", "bad")
        check_refused(client, "ptx.showSass", URI, words="line 6: bad")


@posix
def test_a_module_that_needs_another(tmp_path: Path) -> None:
    text = f"{MODULE}// general fatal Unresolved extern function 'f'\n"
    with session(tmp_path, text) as client:
        run(client, "ptx.assemble", URI)
        assert len(fake_ptxas.runs(tmp_path)) == 2


@posix
def test_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with session(tmp_path, MODULE) as client:
        check_refused(client, "ptx.showSass", URI, words="neither nvdisasm nor cuobjdump")
        fake_ptxas.script(tmp_path / "cuobjdump", "#!/bin/sh\necho sass $1\n")
        assert run(client, "ptx.showSass", URI) == "sass -sass\n"
        fake_ptxas.script(tmp_path / "nvdisasm", "#!/bin/sh\necho code $1\n")
        assert run(client, "ptx.showSass", URI) == "code -c\n"
        fake_ptxas.script(tmp_path / "nvdisasm", "#!/bin/sh\necho why >&2\nexit 3\n")
        check_refused(client, "ptx.showSass", URI, words="ended with status 3: why")
    other = str(fake_ptxas.script(tmp_path / "other", "#!/bin/sh\necho other\n"))
    with session(tmp_path, MODULE, disassembler=other) as client:
        assert run(client, "ptx.showSass", URI) == "other\n"
    with session(tmp_path, MODULE, disassembler="/gone/nvdisasm") as client:
        check_refused(client, "ptx.showSass", URI, words="`ptx.ptxas.disassembler`")


@posix
def test_the_user_cancels(tmp_path: Path) -> None:
    with session(tmp_path, f"{MODULE}// slow\n") as client:
        params = {"command": "ptx.assemble", "arguments": [URI], "workDoneToken": "work"}
        number = client.start_request("workspace/executeCommand", params)
        client.notification("$/progress")
        client.notify("window/workDoneProgress/cancel", {"token": "work"})
        assert client.response(number)["error"]["code"] == CANCELLED
        number = client.start_request("workspace/executeCommand", params)
        client.notify("$/cancelRequest", {"id": number})
        assert client.response(number)["error"]["code"] == CANCELLED
        assert client.leave() == 0


def test_the_least_target_has_a_name_of_its_own() -> None:
    with real_session(MODULE, {}) as client:
        assert run(client, "ptx.minTarget", URI) == run(client, "ptx.requirements", URI)


def test_wrong_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTX_LS_PTXAS", "/gone/ptxas")
    with real_session(MODULE, {}) as client:
        for command in ("ptx.assemble", "ptx.showSass"):
            for arguments in ([], [3], [URI, "x"], [URI, -1]):
                check_refused(client, command, *arguments, code=-32602, words="argument")
        for command in ("ptx.assemble", "ptx.showSass"):
            check_refused(client, command, "file:///gone.ptx", words="is not open")
            check_refused(client, command, URI, words="ptxas was not found")


@pytest.mark.ptxas
def test_the_real_programs() -> None:
    program = require_program("ptxas", ptxas.INSTALL_HINT, lambda _: ptxas.find())
    with real_session(MODULE, {"path": str(program)}) as client:
        found = run(client, "ptx.assemble", URI)
        assert found["accepted"]
        (kernel,) = found["functions"]
        assert kernel["registers"] > 0
        if disassembler.find(program) is not None:
            assert "EXIT" in run(client, "ptx.showSass", URI)
