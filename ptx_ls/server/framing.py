"""LSP's base protocol: messages in a stream of bytes, each behind a `Content-Length` header."""

from collections.abc import Iterator

_HEADER_END = b"\r\n\r\n"
_LONGEST_HEADER = 8192


class FramingError(ValueError):
    """What came is no header; the message says what was expected."""


class Deframer:
    """Cuts a stream into message bodies. Feed it what comes, in pieces of any size."""

    def __init__(self) -> None:
        self._header = b""
        self._body: bytearray | None = None  # one piece that grows: many would litter the memory
        self._length = 0

    def feed(self, received: bytes) -> Iterator[bytearray | FramingError]:
        """Yields the bodies that are complete now, and an error for a header that is none.

        After an error it goes on behind the bad header, where the next message should begin.
        """
        while received:
            if self._body is None:
                header, end, received = (self._header + received).partition(_HEADER_END)
                if not end and len(header) <= _LONGEST_HEADER:
                    self._header = header
                    return
                self._header = b""
                try:
                    self._length = _content_length(header)
                except FramingError as error:
                    yield error
                    continue
                self._body = bytearray()
            n_missing = self._length - len(self._body)
            self._body += received[:n_missing]
            received = received[n_missing:]
            if len(self._body) == self._length:
                body, self._body = self._body, None
                yield body
                del body  # while the next one is waited for


def _content_length(header: bytes) -> int:
    for field in header.split(b"\r\n"):
        name, _, value = field.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    raise FramingError(f"expected a Content-Length header, not {header[:60]!r}")
