"""Messages of ptxas about a saved document, beside the findings of ptx-ls."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server import fake_ptxas
from tests.server.client import URI, Client, Message, edit
from tests.server.fake_ptxas import posix
from tests.support.assembling import require_ptxas

pytestmark = pytest.mark.slow

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
PUBLISH = "textDocument/publishDiagnostics"
SHOW, LOG = "window/showMessage", "window/logMessage"
PULLING: Message = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}


def session(program: Path | str, capabilities: Message | None = None, **more: object) -> Client:
    client = Client()
    settings = {"onSave": "check", "path": str(program), **more}
    client.initialize(
        capabilities or {}, initializationOptions={"ptxas": settings, "diagnostics.delay": 1}
    )
    return client


def save(client: Client, uri: str = URI) -> None:
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


def opened(client: Client, body: str) -> None:
    """Opens a module, and waits until it is checked by us."""
    client.open(HEADER + body)
    client.notification(PUBLISH)


def worded(diagnostics: list[Any]) -> list[str]:
    """Diagnostics in few words: line after the header, columns, source or rule, related ones."""
    found = []
    for it in diagnostics:
        start, end = it["range"]["start"], it["range"]["end"]
        name = it["message"] if it["source"] == "ptxas" else it["code"]
        related = [each["message"] for each in it.get("relatedInformation", ())]
        place = f"{start['line'] - 3}:{start['character']}-{end['character']}"
        found.append(" | ".join([f"{place} {it['severity']} {name}", *related]))
    return found


def check_shown(client: Client, *expected: str) -> None:
    """Checks the next diagnostics that are pushed."""
    assert worded(client.notification(PUBLISH)["diagnostics"]) == list(expected)


def ended(process: int) -> None:
    """Waits until a process is gone; the client's watchdog ends its server if it never is."""
    while True:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)


def started(folder: Path, n_runs: int) -> int:
    """Waits for a run, and gives its process."""
    deadline = time.monotonic() + 60
    while len(fake_ptxas.runs(folder)) < n_runs:
        assert time.monotonic() < deadline, "it never ran"
        time.sleep(0.01)
    return fake_ptxas.runs(folder)[n_runs - 1][0]


@posix
def test_one_mistake_is_one_diagnostic(tmp_path: Path) -> None:
    body = (
        ".entry k() {\n"
        "  rat; // error Not a name of any known instruction: 'rat'\n"
        "  bar.sync 0; // warning slow\n"
        "  ret; bar.sync 1; // error of 'bar'\n"
        "} // general fatal too large: 'k'\n"
    )
    with session(fake_ptxas.make(tmp_path)) as client:
        opened(client, body)
        save(client)
        check_shown(
            client,
            "1:2-5 1 unknown-opcode | ptxas: Not a name of any known instruction: 'rat'",
            "0:7-8 1 too large: 'k'",
            "2:2-13 2 slow",
            "3:7-18 1 of 'bar'",
        )
        assert [it[1] for it in fake_ptxas.runs(tmp_path)] == ["-arch=compute_80"]
        assert client.leave() == 0


@posix
def test_what_was_said_is_gone_with_an_edit_there_or_a_clean_save(tmp_path: Path) -> None:
    body = (
        ".entry k()\n{\nret; // error one\n}\n.entry l()\n{\nret; // error two\n}\n"
        ".entry m()\n{\nret; // warning three\n}\n"
    )
    with session(fake_ptxas.make(tmp_path)) as client:
        opened(client, body)
        save(client)
        check_shown(client, "2:0-4 1 one", "6:0-4 1 two", "10:0-4 2 three")
        client.change(1, edit((4, 0), (4, 0), "\n"))
        check_shown(client, "7:0-4 1 two", "11:0-4 2 three")
        client.change(2, edit((10, 4), (10, 30), ""), edit((14, 4), (14, 30), ""))
        check_shown(client)
        save(client)
        check_shown(client, "3:0-4 1 one")
        client.change(3, edit((6, 4), (6, 30), ""), edit((0, 0), (0, 0), "// x\n"))
        check_shown(client)
        save(client)
        check_shown(client)


@posix
def test_the_next_edit_or_save_ends_a_run(tmp_path: Path) -> None:
    with session(fake_ptxas.make(tmp_path)) as client:
        opened(client, ".entry k()\n{\nret; // slow\n}\n")
        save(client)
        first = started(tmp_path, 1)
        save(client)
        ended(first)
        second = started(tmp_path, 2)
        client.change(1, edit((5, 8), (5, 12), "error of this"))
        check_shown(client)
        ended(second)
        save(client)
        check_shown(client, "2:0-4 1 of this")


@posix
def test_nothing_runs_on_when_the_session_is_over(tmp_path: Path) -> None:
    with session(fake_ptxas.make(tmp_path)) as client:
        opened(client, ".entry k() { ret; } // slow\n")
        save(client)
        process = started(tmp_path, 1)
        assert client.leave() == 0
        ended(process)


@posix
def test_a_document_that_is_closed(tmp_path: Path) -> None:
    with session(fake_ptxas.make(tmp_path)) as client:
        opened(client, ".entry k() { ret; } // slow\n")
        save(client)
        process = started(tmp_path, 1)
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        check_shown(client)
        ended(process)
        save(client)
        save(client, "file:///never.ptx")
        assert client.leave() == 0


@posix
def test_clients_that_pull(tmp_path: Path) -> None:
    with session(fake_ptxas.make(tmp_path), PULLING) as client:
        client.open(HEADER + ".entry k() { ret; } // error here\n")
        document = {"textDocument": {"uri": URI}}
        before = client.request("textDocument/diagnostic", document)
        assert before["items"] == []
        save(client)
        client.server_request("workspace/diagnostic/refresh")
        previous = {**document, "previousResultId": before["resultId"]}
        report = client.request("textDocument/diagnostic", previous)
        assert worded(report["items"]) == ["0:0-19 1 here"]


@posix
def test_only_where_it_is_wanted_and_as_it_is_wanted(tmp_path: Path) -> None:
    def change(how: str) -> None:
        settings = {"path": str(fake_ptxas.make(tmp_path)), "onSave": how}
        client.notify(
            "workspace/didChangeConfiguration", {"settings": {"ptx": {"ptxas": settings}}}
        )

    with session(fake_ptxas.make(tmp_path), onSave="off") as client:
        opened(client, ".entry k()\n{\nret; // warning here\n}\n")
        save(client)
        change("assemble")
        check_shown(client)
        save(client)
        check_shown(client, "2:0-4 2 here")
        assert [it[1] for it in fake_ptxas.runs(tmp_path)] == ["-arch=sm_80"]
        change("off")
        check_shown(client)


@pytest.mark.parametrize("chosen", ["", "/gone/ptxas"])
def test_no_ptxas(chosen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTX_LS_PTXAS", "/gone/too")
    with session(chosen) as client:
        opened(client, ".entry k() { ret; }\n")
        for _ in range(2):
            save(client)
            said = client.notification(LOG)["message"]
            assert "`ptx.ptxas.path`" in said
            assert chosen in said
        assert client.ask("hover", 3, 14)
        assert client.notification(SHOW)["message"] == f"ptx-ls: {said}"
        assert SHOW not in [it["method"] for it in client.unread]
        assert client.leave() == 0


@posix
@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("crash", "crashed (signal 9)"),
        ("slow", "took longer than 1 s"),
        ("mute", "ended with status 255: no message"),
    ],
)
def test_a_ptxas_that_fails(tmp_path: Path, comment: str, words: str) -> None:
    with session(fake_ptxas.make(tmp_path), timeout=1) as client:
        opened(client, f".entry k()\n{{\nret; // {comment}\n}}\n")
        save(client)
        assert words in client.notification(LOG)["message"]
        assert words in client.notification(SHOW)["message"]
        client.change(1, edit((5, 8), (5, 8 + len(comment)), "error here"))
        check_shown(client)
        save(client)
        check_shown(client, "2:0-4 1 here")


@posix
def test_what_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "ptxas").write_text("text", "utf-8")
    with session(tmp_path / "ptxas") as client:
        opened(client, ".entry k() { ret; }\n")
        save(client)
        assert "cannot be started" in client.notification(SHOW)["message"]
        assert client.leave() == 0


@pytest.mark.ptxas
def test_the_real_ptxas() -> None:
    program = require_ptxas()
    body = ".entry k()\n{\n  .shared .b8 a[100000];\n  rat;\n  bar.sync 0;\n}\n"
    with session(program, onSave="assemble") as client:
        opened(client, body)
        save(client)
        found = worded(client.notification(PUBLISH)["diagnostics"])
        assert any("unknown-opcode | ptxas: " in it for it in found)
        client.change(
            1, edit((6, 2), (6, 3), "e"), edit((6, 3), (6, 4), "x"), edit((6, 2), (6, 5), "ret")
        )
        client.notification(PUBLISH)
        save(client)
        found = worded(client.notification(PUBLISH)["diagnostics"])
        assert any("too much shared data" in it for it in found)


def test_a_workspace_that_is_not_trusted_starts_no_program(tmp_path: Path) -> None:
    program = tmp_path / "ptxas"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n", encoding="utf-8")
    program.chmod(0o755)
    settings = {"ptxas": {"onSave": "check", "path": str(program)}, "restricted": True}
    with Client() as client:
        client.initialize(initializationOptions=settings)
        opened(client, ".entry k() { ret; }\n")
        save(client)
        for command in ("ptx.assemble", "ptx.showSass"):
            sent = {"command": command, "arguments": [URI]}
            answer = client.response(client.start_request("workspace/executeCommand", sent))
            assert "untrusted" in answer["error"]["message"]
        assert not [it for it in client.unread if it["method"] in (SHOW, LOG)]
    assert not (tmp_path / "started").exists()
