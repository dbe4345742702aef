"""Access control for a server that listens on a socket: origins, hosts, tokens.

Every program of the machine can connect to a loopback port, and so can web pages: any page can open
a WebSocket to it or post to it. Browsers send the `Origin` of the page, which it cannot forge; a
site whose name resolves to 127.0.0.1 (DNS rebinding) is recognised by its `Host`.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import re
import socket
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import parse_qs, urlsplit

from ptx_ls.server.protocol.framing import HEADER_END, MAX_HEADER_SIZE, content_length, framed
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

TOKEN: Final = "token"  # a name, not a token
"""The name of the token in an address, and among `initializationOptions`."""
MAX_HELLO_SIZE: Final = 1_000_000
"""Maximum number of bytes of the first message of a client, which contains the token."""
_LOCAL_ORIGIN: Final = re.compile(
    r"(https?|vscode-\w+)://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", re.ASCII
)
_FIELDS: Final = (b"content-length", b"content-type")
_OPTIONS: Final = "initializationOptions"
_NO_TOKEN: Final = "expected `initialize` with the token as the first message"
_REQUEST_FAILED: Final = -32803


class RefusedError(Exception):
    """Raised if a client is refused; the message says why, and `answer` is sent to it."""

    def __init__(self, message: str, answer: bytes = b"") -> None:
        super().__init__(message)
        self.answer = answer or f"ptx-ls: {message}\r\n".encode()


class AccessControl(NamedTuple):
    """The clients that may use the server, and the folders that it reads for them.

    Attributes:
        host: the address to listen on, as the user wrote it.
        token: the token that a client has to send; "" if none is needed.
        origins: the origins of web pages that may connect, in addition to this machine's.
        folders: the folders below which files may be read.
    """

    host: str = "127.0.0.1"
    token: str = ""
    origins: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()

    def is_token(self, shown: object) -> bool:
        """Whether a client has sent the token; takes equally long for every wrong token."""
        if not self.token:
            return True
        text = shown if isinstance(shown, str) else ""
        return hmac.compare_digest(text.encode(errors="replace"), self.token.encode())

    def takes_origin(self, origins: Sequence[str]) -> bool:
        """Whether a request with these `Origin` headers may connect; only browsers send any."""
        if not origins:
            return True
        (first, *more) = origins
        return not more and (first in self.origins or bool(_LOCAL_ORIGIN.fullmatch(first)))

    def takes_host(self, hosts: Sequence[str]) -> bool:
        """Whether a request with these `Host` headers may connect.

        A numeric address cannot be rebound. A name must be ours, as it could be that of any site.
        """
        try:
            (host,) = hosts
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if is_loopback(name) or name in self._names_of_origins():
            return True
        if is_loopback(self.host):
            return False
        return _is_number(name) or name in _lowered(
            self.host, socket.gethostname(), socket.getfqdn()
        )

    def _names_of_origins(self) -> set[str]:
        return _lowered(*(urlsplit(it).hostname or "" for it in self.origins)) - {""}

    def check_websocket(
        self, target: str, hosts: Sequence[str], origins: Sequence[str], keys: Sequence[str]
    ) -> None:
        """Checks the request that opens a WebSocket: its path and headers.

        `keys` are the `Authorization` headers. The token may also be in the path: `/?token=...`.

        Raises:
            RefusedError: if the request is refused.
        """
        if not self.takes_origin(origins):
            raise RefusedError("web pages from this origin are not allowed to connect")
        if not self.takes_host(hosts):
            raise RefusedError("the header `Host` does not name this server")
        in_path = parse_qs(urlsplit(target).query).get(TOKEN, [])
        in_header = [it.removeprefix("Bearer ") for it in keys]
        if not any(map(self.is_token, [*in_path, *in_header, ""])):
            raise RefusedError("the token is missing or wrong")


class ConnectionGate:
    """Checks the first bytes of a TCP client: they have to be LSP, and contain the token.

    A browser can post anything to a port, but its own header comes first.
    """

    def __init__(self, access: AccessControl) -> None:
        self._access = access
        self._held = b""

    def admit(self, received: bytes) -> bytes | None:
        """Returns the bytes to handle, without the token; None while more bytes are needed.

        Raises:
            RefusedError: if the client is refused.
        """
        self._held += received
        end = _checked_header(self._held)
        if end is None:
            return None
        if not self._access.token:
            return self._held
        length, _ = content_length(self._held[:end])
        if length is None or length > MAX_HELLO_SIZE:
            raise RefusedError(_NO_TOKEN)
        stop = end + length
        if len(self._held) < stop:
            return None
        body = self._without_token(self._held[end:stop])
        return framed(body) + self._held[stop:]

    def _without_token(self, body: bytes) -> bytes:
        message = _initialize(body)
        options = message["params"].get(_OPTIONS)
        shown = options.pop(TOKEN, None) if isinstance(options, dict) else None
        if self._access.is_token(shown):
            return json.dumps(message).encode()
        why = f"`{_OPTIONS}.{TOKEN}` is missing or wrong"
        error = {"code": _REQUEST_FAILED, "message": f"ptx-ls: {why}"}
        answer = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "error": error})
        raise RefusedError(why, framed(answer.encode()))


def is_loopback(host: str) -> bool:
    """Whether an address can be reached only from this machine."""
    if host.lower() == "localhost":
        return True
    return _is_number(host) and ipaddress.ip_address(host).is_loopback


def _initialize(body: bytes) -> dict[str, Any]:
    """Returns the request that opens a session; raises RefusedError for any other message."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        message = None
    is_it = isinstance(message, dict) and message.get("method") == "initialize"
    if not is_it or not isinstance(message.get("params"), dict):
        raise RefusedError(_NO_TOKEN)
    return cast("dict[str, Any]", message)


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _lowered(*names: str) -> set[str]:
    return {name.lower() for name in names}


def _checked_header(held: bytes) -> int | None:
    """Returns the offset of the body; None while the header is incomplete.

    Raises:
        RefusedError: if it is not an LSP header, as soon as that is known.
    """
    found = HEADER_END.search(held)
    *lines, last = held[: found.start() if found else MAX_HEADER_SIZE].lower().split(b"\n")
    if found:
        lines.append(last)
    elif len(held) > MAX_HEADER_SIZE or not _may_begin_field(last):
        raise RefusedError(_wrong(held))
    if not all(line.partition(b":")[0].rstrip() in _FIELDS for line in lines):
        raise RefusedError(_wrong(held))
    return found.end() if found else None


def _may_begin_field(line: bytes) -> bool:
    start = line.rstrip(b"\r")
    return any(name.startswith(start[: len(name)]) for name in _FIELDS)


def _wrong(held: bytes) -> str:
    first = held.partition(b"\n")[0]
    method, blank, _ = first.partition(b" ")
    if blank and method.isalpha() and method.isupper():
        return "this port speaks the Language Server Protocol, not HTTP"
    return "expected a Content-Length header"
