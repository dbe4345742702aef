"""LSP's base protocol: messages in a stream of bytes, each behind a `Content-Length` header."""

from collections.abc import Iterator

_HEADER_END = b"\r\n\r\n"
_LONGEST_HEADER = 8192


class FramingError(ValueError):
    """What came is no header; the message says what was expected."""


class Deframer:
    """Cuts a stream into message bodies. Feed it what comes, in pieces of any size."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []  # of the body that is being received
        self._n_missing = 0
        self._header = b""

    def feed(self, received: bytes) -> Iterator[bytes | FramingError]:
        """Yields the bodies that are complete now, and an error for a header that is none.

        After an error it goes on behind the bad header, where the next message should begin.
        """
        while received or (self._pieces and not self._n_missing):
            if self._pieces or self._n_missing:
                self._pieces.append(received[: self._n_missing])
                received = received[self._n_missing :]
                self._n_missing -= len(self._pieces[-1])
                if not self._n_missing:
                    yield b"".join(self._pieces)
                    self._pieces.clear()
                continue
            header, end, rest = (self._header + received).partition(_HEADER_END)
            if end or len(header) > _LONGEST_HEADER:
                self._header, received = b"", rest
                try:
                    self._n_missing = _content_length(header)
                except FramingError as error:
                    yield error
                else:
                    self._pieces.append(b"")  # a body of no bytes is complete at once
            else:
                self._header, received = header, b""


def _content_length(header: bytes) -> int:
    for field in header.split(b"\r\n"):
        name, _, value = field.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    raise FramingError(f"expected a Content-Length header, not {header[:60]!r}")
