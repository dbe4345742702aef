"""Much at once: huge messages, edits faster than they can be checked, thousands of documents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.client import URI, Client, at, edit

pytestmark = pytest.mark.slow

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
BODY = ".entry k()\n{\n\t.reg .b32 %r<9>;\n" + "\tadd.u32 %r1, %r2, %r3;\n" * 20 + "\tret;\n}\n"
CANCELLED = -32800


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(patience=300) as client:
        client.initialize({"textDocument": {"diagnostic": {}}})
        yield client
        assert client.leave() == 0
        assert not [it for it in client.unread if it["method"].startswith("window/show")]


def check_alive(client: Client) -> None:
    """Checks that the server still answers, and about the right text."""
    client.open(HEAD + BODY, "file:///alive.ptx")
    params = {**at(6, 2), "textDocument": {"uri": "file:///alive.ptx"}}
    assert "add" in client.request("textDocument/hover", params)["contents"]["value"]


def resident_megabytes(client: Client) -> float:
    status = Path(f"/proc/{client.process.pid}/status").read_text()
    match = re.search(r"VmRSS:\s+(\d+)", status)
    assert match
    return int(match[1]) / 1024


def test_a_document_of_sixty_megabytes(client: Client) -> None:
    line = "// " + "x" * 997 + "\n"
    client.open(HEAD + line * 60_000 + BODY)
    early = client.start_request("textDocument/hover", at(60_007, 2))
    assert "add" in client.response(early)["result"]["contents"]["value"]
    client.change(1, edit((0, 0), (60_000, 0), ""))
    check_alive(client)


def test_a_line_of_five_megabytes(client: Client) -> None:
    client.open(HEAD + "/*" + "é😀x" * 1_700_000 + "*/ .global .b32 far;\n" + BODY)
    client.ask("hover", 3, 10)
    client.ask("hover", 3, 6_800_020)
    client.change(1, edit((3, 2_000_000), (3, 2_000_001), "add"))
    client.ask("completion", 3, 2_000_003)
    check_alive(client)


def test_a_megabyte_of_statements_on_one_line(client: Client) -> None:
    client.open(
        HEAD + BODY.replace("\n", " ").replace("\tret;", "add.u32 %r1, %r2, %r3; " * 45_000)
    )
    assert "add" in client.ask("hover", 3, 900_000 - 900_000 % 23 + 7)["contents"]["value"]
    client.change(1, edit((3, 500_000), (3, 500_001), "é"))
    client.ask("completion", 3, 500_001)
    check_alive(client)


def test_a_message_of_deeply_nested_values(client: Client) -> None:
    nested: object = 0
    for _ in range(300):
        nested = [nested]
    number = client.start_request("ptx/unknown", {"nested": nested})
    assert client.response(number)["error"]["code"] == -32601
    check_alive(client)


def test_thousands_of_edits_without_a_pause(client: Client) -> None:
    client.open(HEAD + BODY)
    typed = "\tsub.s32 %r4, %r5, %r6;\n"
    messages = []
    for version in range(1, 4000):
        column = (version - 1) % len(typed)
        change = edit((6, column), (6, column), typed[column])
        params = {
            "textDocument": {"uri": URI, "version": version},
            "contentChanges": [change],
        }
        message = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}
        body = json.dumps(message).encode()
        messages.append(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    client.send_bytes(b"".join(messages[: len(typed) * 160]))
    assert "sub" in client.ask("hover", 6, 2)["contents"]["value"]
    document = at(0, 0)["textDocument"]
    report = client.request("textDocument/diagnostic", {"textDocument": document})
    assert [it for it in report["items"] if it["severity"] == 1] == []
    client.open(HEAD, "file:///other.ptx")
    symbols = client.request("textDocument/documentSymbol", {"textDocument": document})
    (function,) = [it for it in symbols if it["name"] == "k"]
    assert function["location"]["range"]["end"]["line"] == 27 + 160


def test_documents_that_come_and_go_leave_nothing(client: Client) -> None:
    def storm(count: int) -> float:
        for number in range(count):
            uri = f"file:///storm{number}.ptx"
            client.open(HEAD + f"// {number}\n" + BODY * 4, uri)
            if number % 50 == 0:
                client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        check_alive(client)
        return resident_megabytes(client)

    settled = storm(500)
    assert storm(2000) < settled + 30  # 2000 documents at once would take some 100


def test_requests_while_a_large_document_is_read(client: Client) -> None:
    client.open(HEAD + BODY * 4000)
    document = at(0, 0)["textDocument"]
    asked = [
        client.start_request(f"textDocument/{method}", {"textDocument": document})
        for method in ("documentSymbol", "foldingRange", "semanticTokens/full", "diagnostic")
    ]
    hover = client.start_request("textDocument/hover", at(6, 2))
    answers = [client.response_of([*asked, hover]) for _ in range(5)]
    assert sorted(it["id"] for it in answers) == [*asked, hover]
    assert not [it for it in answers if "error" in it]


def test_cancelled_requests(client: Client) -> None:
    client.open(HEAD + BODY * 4000)
    document = {"textDocument": at(0, 0)["textDocument"]}
    running = client.start_request("textDocument/diagnostic", document)  # until all is checked
    client.ask("hover", 6, 2)
    client.notify("$/cancelRequest", {"id": running})
    assert client.response(running)["error"]["code"] == CANCELLED
    queued = client.start_request("textDocument/documentSymbol", document)
    client.notify("$/cancelRequest", {"id": queued})
    assert client.response(queued)["error"]["code"] == CANCELLED
    finished = client.start_request("textDocument/hover", at(6, 2))
    assert client.response(finished)["result"]
    for number in (finished, 10**6, "unknown", None):
        client.notify("$/cancelRequest", {"id": number})
    client.notify("$/cancelRequest")
    check_alive(client)


def test_documents_opened_twice_and_never(client: Client) -> None:
    client.open("ret;")
    client.open(HEAD + BODY)
    assert "add" in client.ask("hover", 6, 2)["contents"]["value"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert client.ask("hover", 6, 2) is None
    client.change(5, edit((0, 0), (0, 0), "x"))
    client.open(HEAD + BODY)
    for version in (-7, 9, 9, 3):
        client.change(version, edit((6, 0), (6, 0), "\tsub.u32 %r1, %r2, %r3;\n"))
    assert "sub" in client.ask("hover", 9, 2)["contents"]["value"]
    assert "add" in client.ask("hover", 10, 2)["contents"]["value"]


def test_garbage_between_messages(client: Client) -> None:
    for garbage in (
        b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: 0x10\r\n\r\n",
        "Content-Length: ²\r\n\r\n".encode(),
        b"content-type: x\r\n\r\n",
    ):
        client.send_bytes(garbage)
        assert client.response(None)["error"]["code"] == -32700
    client.send_bytes(b"Content-Length: 0\r\n\r\n")
    assert client.response(None)["error"]["code"] == -32700
    client.send_bytes(b"Content-Length: 2\r\n\r\n[]")
    assert client.response(None)["error"]["code"] == -32600
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}'
    client.send_bytes(b"Content-Length: %d\r\n\r\n[%b]" % (len(body) + 2, body))  # a batch
    assert client.response(None)["error"]["code"] == -32600
    check_alive(client)
