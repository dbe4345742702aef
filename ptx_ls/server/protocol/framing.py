"""LSP's base protocol: messages in a stream of bytes, each after a `Content-Length` header."""

import re
from collections.abc import Iterator
from typing import Final

HEADER_END: Final = re.compile(rb"\r?\n\r?\n")  # client scripts often omit \r
_LENGTH: Final = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,10})[ \t]*$", re.IGNORECASE)
MAX_HEADER_SIZE: Final = 8192
_MAX_BODY_SIZE: Final = 1 << 30


class FramingError(ValueError):
    """The stream has an invalid header; the message says what was expected."""


class Deframer:
    """Splits a stream, given in pieces of any size, into message bodies."""

    def __init__(self) -> None:
        self._header = b""
        self._body: bytearray | None = None  # grows, as joined pieces would fragment the memory
        self._length = 0

    def feed(self, received: bytes | memoryview) -> Iterator[bytearray | FramingError]:
        """Yields the bodies that are now complete, and an error for each invalid header.

        Continues after an error. If a message is longer than its header says, its rest is taken as
        the beginning of the next header, which is an error, but the next body is found even so.
        """
        while received:
            if self._body is None:
                self._header += received
                end = HEADER_END.search(self._header)
                if end is None and len(self._header) <= MAX_HEADER_SIZE:
                    return
                header = self._header[: end.start()] if end else self._header
                received = self._header[end.end() :] if end else b""
                self._header = b""
                length, rest = content_length(header)
                if rest or length is None:
                    yield FramingError(f"expected a Content-Length header, not {header[:60]!r}")
                if length is None:
                    continue
                self._length, self._body = length, bytearray()
            n_missing = self._length - len(self._body)
            self._body += received[:n_missing]
            received = received[n_missing:]
            if len(self._body) == self._length:
                body, self._body = self._body, None
                yield body
                del body  # while waiting for the next one


def framed(body: bytes) -> bytes:
    """Returns a message with its header."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def content_length(header: bytes) -> tuple[int | None, bytes]:
    """Returns the content length in a header, and any text before `Content-Length` in that line."""
    for field in header.split(b"\n"):
        found = _LENGTH.search(field.rstrip(b"\r"))
        if found is not None and int(found[1]) <= _MAX_BODY_SIZE:
            return int(found[1]), field[: found.start()].strip()
    return None, b""
