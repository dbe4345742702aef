"""Diagnostics of files that are not open: pulled for the whole workspace, or pushed if wanted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.server.client import Client, Message, ServerError, framed
from tests.server.folder import (
    CHANGED,
    CREATED,
    DELETED,
    enter,
    opened,
    short,
    tell,
    uri_of,
    write,
)

pytestmark = pytest.mark.slow

GOOD = ".entry k() { ret; }\n"
BAD = ".entry k() { rat; }\n"
PUBLISH = "textDocument/publishDiagnostics"
PULLING: Message = {"textDocument": {"diagnostic": {}}}
PUSHED = {"diagnostics": {"workspace": True, "delay": 1}}
WRONG = "0:13-16"


def pull(client: Client, previous: dict[str, str] | None = None, **more: object) -> list[Message]:
    ids = [{"uri": uri, "value": value} for uri, value in (previous or {}).items()]
    found = client.request("workspace/diagnostic", {"previousResultIds": ids, **more})
    assert isinstance(found["items"], list)
    return found["items"]


def ids_of(reports: list[Message]) -> dict[str, str]:
    return {report["uri"]: report["resultId"] for report in reports if "resultId" in report}


def check_reports(folder: Path, reports: list[Message], **expected: str) -> None:
    """Checks the report on each file: `unchanged`, or the places of its diagnostics."""
    found = {
        report["uri"]: "unchanged"
        if report["kind"] == "unchanged"
        else " ".join(short(folder, report["uri"], it["range"]) for it in report["items"])
        for report in reports
    }
    assert len(reports) == len(found)
    assert found == {
        uri_of(folder, f"{name}.ptx"): f"{name}.ptx {what}" if what[:1].isdigit() else what
        for name, what in expected.items()
    }


def test_each_file_is_reported_on_once(tmp_path: Path) -> None:
    write(tmp_path, good=GOOD, bad=BAD, edited=GOOD)
    with Client() as client:
        result = enter(client, tmp_path, capabilities=PULLING)
        assert result["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"]
        client.open(**opened(tmp_path, "edited", BAD))
        first = pull(client)
        check_reports(tmp_path, first, good="", bad=WRONG, edited=WRONG)
        assert {report["version"] for report in first} == {None, 0}
        again = pull(client, ids_of(first))
        check_reports(tmp_path, again, good="unchanged", bad="unchanged", edited="unchanged")
        assert ids_of(again) == ids_of(first)
        write(tmp_path, good=BAD)  # found without a notification
        (tmp_path / "bad.ptx").unlink()
        write(tmp_path, new=BAD)
        tell(client, tmp_path, bad=DELETED, new=CREATED)
        check_reports(
            tmp_path,
            pull(client, ids_of(first)),
            good=WRONG,
            bad="",
            edited="unchanged",
            new=WRONG,
        )


def test_other_settings(tmp_path: Path) -> None:
    write(tmp_path, bad=BAD)
    with Client() as client:
        enter(client, tmp_path, capabilities=PULLING)
        first = pull(client)
        ignore = {"ptx": {"lint": {"ignore": ["unknown-opcode"]}}}
        client.notify("workspace/didChangeConfiguration", {"settings": ignore})
        check_reports(tmp_path, pull(client, ids_of(first)), bad="")
        client.notify("workspace/didChangeConfiguration", {"settings": {"ptx": {}}})
        check_reports(tmp_path, pull(client, ids_of(first)), bad="unchanged")


def test_in_the_folders_where_the_user_wants_them(tmp_path: Path) -> None:
    write(tmp_path, a__k=BAD, b__k=BAD)

    def answer(params: Message) -> list[object]:
        return [
            {"diagnostics": {"workspace": "/a" in it.get("scopeUri", "")}} for it in params["items"]
        ]

    with Client(answers={"workspace/configuration": answer}) as client:
        able = {**PULLING, "workspace": {"configuration": True}}
        enter(client, tmp_path / "a", tmp_path / "b", capabilities=able)
        client.server_request("workspace/configuration")
        shown_before = {uri_of(tmp_path, "b/k.ptx"): "x"}
        check_reports(tmp_path, pull(client, shown_before), **{"a/k": WRONG, "b/k": ""})


def test_a_client_that_can_be_told_asks_again_when_files_change(tmp_path: Path) -> None:
    write(tmp_path, a=BAD)
    refresh = "workspace/diagnostic/refresh"
    able = {**PULLING, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with Client() as client:
        enter(client, tmp_path, capabilities=able)
        check_reports(tmp_path, pull(client), a=WRONG)
        write(tmp_path, a=GOOD, b=BAD)
        tell(client, tmp_path, a=CHANGED, b=CREATED)
        client.server_request(refresh)
        check_reports(tmp_path, pull(client), a="", b=WRONG)
        assert client.asked == [refresh]


def test_a_file_that_is_closed_is_reported_on_as_it_is_on_the_disk(tmp_path: Path) -> None:
    write(tmp_path, a=BAD)
    outside = tmp_path.parent / f"{tmp_path.name}.ptx"
    outside.write_text(BAD, "utf-8")
    with Client() as client:
        enter(client, tmp_path, capabilities=PULLING)
        document = {"uri": uri_of(tmp_path, "a.ptx")}
        client.open(**opened(tmp_path, "a", GOOD))
        asked: Message = {"textDocument": document}
        assert client.request("textDocument/diagnostic", asked)["items"] == []
        client.notify("textDocument/didClose", {"textDocument": document})
        found = client.request("textDocument/diagnostic", asked)
        check_reports(tmp_path, [{**found, **document}], a=WRONG)
        asked["previousResultId"] = found["resultId"]
        assert client.request("textDocument/diagnostic", asked)["kind"] == "unchanged"
        asked = {"textDocument": {"uri": outside.as_uri()}}
        assert client.request("textDocument/diagnostic", asked) == {"kind": "full", "items": []}


def test_results_in_parts_with_progress(tmp_path: Path) -> None:
    write(tmp_path, **{f"m{n}": BAD for n in range(50)})
    with Client() as client:
        enter(client, tmp_path, capabilities=PULLING)
        assert pull(client, partialResultToken="part", workDoneToken=7) == []
        progress = [it["params"] for it in client.unread if it["method"] == "$/progress"]
        parts = [it["value"]["items"] for it in progress if it["token"] == "part"]
        assert len(parts) > 1
        every = [report for part in parts for report in part]
        check_reports(tmp_path, every, **{f"m{n}": WRONG for n in range(50)})
        kinds = [it["value"]["kind"] for it in progress if it["token"] == 7]
        assert (kinds[0], kinds[-1]) == ("begin", "end")
        assert kinds[1:-1] == ["report"] * 50


def test_a_pull_that_is_cancelled(tmp_path: Path) -> None:
    many = "    mov.u32 %r1, %r2;\n" * 20_000
    body = f".entry k()\n{{\n    .reg .b32 %r<9>;\n{many}    ret;\n}}\n"
    write(tmp_path, **{f"m{n}": body for n in range(20)})
    with Client() as client:
        enter(client, tmp_path, capabilities=PULLING)
        client.request("workspace/symbol", {"query": ""})
        params: Message = {"previousResultIds": [], "workDoneToken": "all"}
        started = client.start_request("workspace/diagnostic", params)
        assert client.notification("$/progress")["value"]["kind"] == "begin"
        client.notify("$/cancelRequest", {"id": started})
        assert client.response(started)["error"]["code"] == -32800
        assert client.notification("$/progress")["value"]["kind"] != "begin"
        write(tmp_path, **{f"m{n}": f"{body}// anew\n" for n in range(20)})
        tell(client, tmp_path, **{f"m{n}": CHANGED for n in range(20)})
        started = client.start_request("workspace/diagnostic", params)
        while client.notification("$/progress")["value"]["kind"] != "begin":
            pass  # of the work before
        client.notify("window/workDoneProgress/cancel", {"token": "all"})
        assert len(client.response(started)["result"]["items"]) < 20
        assert client.leave() == 0


def test_work_that_the_user_cancels_before_it_begins(tmp_path: Path) -> None:
    write(tmp_path, **{f"m{n}": BAD for n in range(50)})
    with Client() as client:
        enter(client, tmp_path, capabilities=PULLING)
        client.request("workspace/symbol", {"query": ""})
        params: Message = {"previousResultIds": [], "workDoneToken": "all"}
        # Both at once: the server handles all that it reads at once before any work begins.
        request = {"id": "x", "method": "workspace/diagnostic", "params": params}
        cancel = {"method": "window/workDoneProgress/cancel", "params": {"token": "all"}}
        client.send_bytes(b"".join(framed(message) for message in (request, cancel)))
        assert client.response("x")["result"]["items"] == []
        assert len(pull(client, workDoneToken="all")) == 50  # another request of the same name


def check_pushed(client: Client, folder: Path, **expected: str) -> None:
    """Checks what is pushed next, in any order: the places of each file's diagnostics."""
    reports = [client.notification(PUBLISH) for _ in expected]
    as_pulled = [{**it, "kind": "full", "items": it["diagnostics"]} for it in reports]
    check_reports(folder, as_pulled, **expected)


def test_pushed_to_a_client_that_does_not_pull(tmp_path: Path) -> None:
    write(tmp_path, good=GOOD, bad=BAD, worse=BAD)
    with Client() as client:
        enter(client, tmp_path, initializationOptions=PUSHED)
        check_pushed(client, tmp_path, bad=WRONG, worse=WRONG)
        write(tmp_path, bad=GOOD, good=BAD)
        tell(client, tmp_path, bad=CHANGED, good=CHANGED)
        check_pushed(client, tmp_path, bad="", good=WRONG)
        client.open(**opened(tmp_path, "good", GOOD))
        check_pushed(client, tmp_path, good="")
        document = {"uri": uri_of(tmp_path, "good.ptx")}
        client.notify("textDocument/didClose", {"textDocument": document})
        check_pushed(client, tmp_path, good="")
        check_pushed(client, tmp_path, good=WRONG)
        (tmp_path / "good.ptx").unlink()
        tell(client, tmp_path, good=DELETED)
        check_pushed(client, tmp_path, good="")
        client.notify("workspace/didChangeConfiguration", {"settings": {"ptx": {}}})
        check_pushed(client, tmp_path, worse="")


def test_what_nobody_tells_of_is_seen_when_a_document_is_saved(tmp_path: Path) -> None:
    write(tmp_path, a=GOOD)
    with Client() as client:
        enter(client, tmp_path, initializationOptions=PUSHED)
        client.open(**opened(tmp_path, "a", GOOD))
        check_pushed(client, tmp_path, a="")
        client.request("workspace/symbol", {"query": ""})
        write(tmp_path, d__new=BAD)
        document = {"textDocument": {"uri": uri_of(tmp_path, "a.ptx")}}
        while PUBLISH not in [message["method"] for message in client.unread]:
            time.sleep(0.05)  # it was looked a moment ago
            client.notify("textDocument/didSave", document)
            client.request("textDocument/foldingRange", document)
        check_pushed(client, tmp_path, **{"d/new": WRONG})


def test_nothing_is_pushed_unless_it_is_wanted(tmp_path: Path) -> None:
    write(tmp_path, bad=BAD)
    with Client() as client:
        enter(client, tmp_path)
        client.request("workspace/symbol", {"query": ""})
        client.open(**opened(tmp_path, "other", GOOD))
        check_pushed(client, tmp_path, other="")
        assert client.leave() == 0
        assert client.unread == []


def test_no_folder() -> None:
    with Client() as client:
        client.initialize(PULLING)
        assert pull(client) == []
        client.open("rat;\n")
        (report,) = pull(client)
        assert report["items"]
        try:
            client.request("workspace/diagnostic", {})
        except ServerError as error:
            assert error.args[0]["code"] == -32602  # noqa: PT017
        else:
            raise AssertionError


def test_open_documents_are_reported_on_in_one_order_however_they_were_opened() -> None:
    with Client() as client:
        client.initialize(PULLING)
        for name in "bac":
            client.open(GOOD, f"untitled:{name}")
        client.notify("textDocument/didClose", {"textDocument": {"uri": "untitled:a"}})
        client.open(GOOD, "untitled:a")
        found = [report["uri"] for report in pull(client)]
        assert found == ["untitled:a", "untitled:b", "untitled:c"]
