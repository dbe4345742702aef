"""Who may connect to a server that listens: hosts, origins, tokens, first bytes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.server.protocol.access import (
    MAX_HELLO_SIZE,
    AccessControl,
    ConnectionGate,
    RefusedError,
    is_loopback,
)
from ptx_ls.server.protocol.framing import Deframer, FramingError

TOKEN = "a token of 24 characters"
ANY = "0.0.0.0"  # noqa: S104  # nothing is bound
LOCAL, SECRET, REMOTE = AccessControl(), AccessControl(token=TOKEN), AccessControl(ANY, TOKEN)
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}


def hello(**options: object) -> dict[str, object]:
    """The `initialize` request with some `initializationOptions`."""
    return {**HELLO, "params": {"rootUri": None, "initializationOptions": options}}


def framed(message: object) -> bytes:
    """A message as it is sent over TCP."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def check_websocket(
    access: AccessControl,
    *,
    host: str | None = "127.0.0.1:9000",
    origins: tuple[str, ...] = (),
    path: str = "/",
    key: str | None = None,
    expected: bool,
) -> None:
    """Checks whether a WebSocket is opened for a request."""
    hosts = [host] if host is not None else []
    keys = [key] if key is not None else []
    if expected:
        access.check_websocket(path, hosts, origins, keys)
    else:
        with pytest.raises(RefusedError) as caught:
            access.check_websocket(path, hosts, origins, keys)
        assert "\n" not in str(caught.value)
        assert TOKEN not in str(caught.value)


def passed(access: AccessControl, sent: bytes, size: int) -> bytes:
    """The bytes that a gate passes of some that come in pieces; raises RefusedError as it does."""
    gate = ConnectionGate(access)
    for start in range(0, len(sent), size):
        admitted = gate.admit(sent[start : start + size])
        if admitted is not None:
            return admitted + sent[start + size :]
    return b""


def check_gate(access: AccessControl, sent: bytes, expected: object) -> None:
    """Checks which message passes of bytes that come in pieces of any size."""
    for size in (1, 7, len(sent)):
        (body,) = Deframer().feed(passed(access, sent, size))
        assert not isinstance(body, FramingError)
        assert json.loads(body) == expected


def check_refused(access: AccessControl, sent: bytes) -> None:
    """Checks that nothing passes of bytes that come in pieces of any size."""
    for size in (1, 7, len(sent)):
        with pytest.raises(RefusedError) as caught:
            passed(access, sent, size)
        assert TOKEN.encode() not in caught.value.answer


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "::1"])
def test_addresses_of_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [ANY, "::", "", "*", "0", "192.168.0.1", "127.evil.example", "localhost.evil.example", "host"],
)
def test_addresses_that_others_reach(host: str) -> None:
    assert not is_loopback(host)


def test_programs_send_no_origin() -> None:
    check_websocket(LOCAL, expected=True)
    check_websocket(REMOTE, path=f"/?token={TOKEN}".replace(" ", "%20"), expected=True)


@pytest.mark.parametrize("access", [LOCAL, SECRET, REMOTE])
@pytest.mark.parametrize(
    "origin",
    [
        "https://example.com",
        "http://example.com:9000",
        "null",
        "",
        "*",
        "file://",
        "http://localhost.example.com",
        "http://127.0.0.1.example.com",
        "http://localhost:80@example.com",
        "http://localhost/",
        "http://localhost\n",
        "xhttp://localhost",
    ],
)
def test_pages_of_foreign_sites(access: AccessControl, origin: str) -> None:
    path = f"/?token={access.token}"
    check_websocket(access, origins=(origin,), path=path, expected=False)
    check_websocket(access, origins=("http://localhost", origin), path=path, expected=False)


@pytest.mark.parametrize("origin", ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:1"])
def test_pages_of_this_machine(origin: str) -> None:
    check_websocket(LOCAL, origins=(origin,), expected=True)


def test_pages_that_the_user_allows() -> None:
    access = AccessControl(origins=frozenset({"https://ide.example.com"}))
    check_websocket(access, origins=("https://ide.example.com",), expected=True)
    check_websocket(
        access, origins=("https://ide.example.com",), host="ide.example.com", expected=True
    )
    check_websocket(access, origins=("https://ide.example.com:81",), expected=False)


@pytest.mark.parametrize(
    ("host", "is_local", "is_remote"),
    [
        ("localhost:9000", True, True),
        ("127.0.0.1", True, True),
        ("[::1]:9000", True, True),
        ("192.168.0.7:9000", False, True),  # a number cannot be rebound
        ("evil.example:9000", False, False),
        ("127.0.0.1.evil.example", False, False),
        ("localhost.evil.example", False, False),
        ("", False, False),
        ("[", False, False),
        (None, False, False),
    ],
)
def test_names_of_foreign_sites(host: str | None, *, is_local: bool, is_remote: bool) -> None:
    check_websocket(LOCAL, host=host, expected=is_local)
    check_websocket(REMOTE, host=host, key=f"Bearer {TOKEN}", expected=is_remote)


def test_the_name_that_is_listened_on() -> None:
    access = AccessControl("gpu.example", TOKEN)
    check_websocket(access, host="GPU.example:1", key=f"Bearer {TOKEN}", expected=True)
    check_websocket(access, host="cpu.example:1", key=f"Bearer {TOKEN}", expected=False)


def test_tokens_of_websockets() -> None:
    for access in (SECRET, REMOTE):
        check_websocket(access, key=f"Bearer {TOKEN}", expected=True)
        check_websocket(access, path="/?x=1&token=a+token+of+24+characters", expected=True)
        for wrong in ("", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "é" * 24, "\0"):
            check_websocket(access, key=f"Bearer {wrong}", path=f"/?token={wrong}", expected=False)
        check_websocket(access, expected=False)


def test_a_session_over_tcp() -> None:
    check_gate(LOCAL, framed(HELLO), HELLO)
    check_gate(LOCAL, b"content-type: x\ncontent-length:2\n\n{}", {})


@pytest.mark.parametrize("access", [LOCAL, SECRET, REMOTE])
@pytest.mark.parametrize(
    "first",
    [
        b"POST / HTTP/1.1\r\n",
        b"GET /?x HTTP/1.0\r\n",
        b"OPTIONS * HTTP/1.1\r\n",
        b"post / http/1.1\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"Host: x\r\n",
        b"\r\n",
        b"{}\r\n",
        b"Content-Length 5\r\n",
    ],
)
def test_nothing_is_handled_that_is_not_lsp(access: AccessControl, first: bytes) -> None:
    smuggled = framed(hello(token=access.token))
    check_refused(access, first + b"Host: 127.0.0.1\r\n" + smuggled)
    check_refused(access, first + smuggled)
    check_refused(access, first + b"Content-Type: text/plain\r\n\r\n" + smuggled)


def test_http_is_told_what_it_met() -> None:
    for sent in (b"POST / HTTP/1.1\r\n", b"POST "):
        with pytest.raises(RefusedError, match="not HTTP") as caught:
            ConnectionGate(LOCAL).admit(sent)
        assert caught.value.answer.count(b"\n") == 1


def test_a_header_without_end() -> None:
    with pytest.raises(RefusedError):
        ConnectionGate(LOCAL).admit(b"Content-Type: " + b"x" * 10_000)


def test_tokens_over_tcp() -> None:
    for access in (SECRET, REMOTE):
        check_gate(access, framed(hello(token=TOKEN)), hello())
        check_gate(access, framed(hello(token=TOKEN, lint={})), hello(lint={}))
        for wrong in ("", TOKEN[:-1], None, 5, [TOKEN], {"a": TOKEN}):
            check_refused(access, framed(hello(token=wrong)))
        others: list[object] = [
            HELLO,
            {**HELLO, "params": None},
            {**HELLO, "method": "x"},
            [],
            1,
            "x",
        ]
        for other in others:
            check_refused(access, framed(other))
        check_refused(access, b"Content-Length: 2\r\n\r\n\xff{")
        check_refused(access, b"Content-Length: %d\r\n\r\n" % (MAX_HELLO_SIZE + 1))


def test_what_comes_with_the_token_is_handled_after_it() -> None:
    sent = framed(hello(token=TOKEN)) + b"Content-Length: 2\r\n\r\n{}"
    for size in (1, 7, len(sent)):
        bodies = [bytes(it) for it in Deframer().feed(passed(SECRET, sent, size))]  # type: ignore[arg-type]
        assert [json.loads(body) for body in bodies] == [hello(), {}]


@given(st.binary(max_size=60))
def test_any_bytes_pass_or_are_refused(sent: bytes) -> None:
    try:
        assert ConnectionGate(LOCAL).admit(sent) in (None, sent)
    except RefusedError as error:
        assert error.answer.endswith(b"\n")  # noqa: PT017  # it may be raised, and need not
