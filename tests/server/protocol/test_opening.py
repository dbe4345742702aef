"""The first message of a client is answered early, and all others are left in their order."""

from __future__ import annotations

import fcntl
import os
from typing import Final

import pytest

from ptx_ls.server.protocol.framing import FramingError, framed
from ptx_ls.server.protocol.opening import Opening

HELLO: Final = framed(b"hello")
ANSWER: Final = framed(b"answer")


def answer(body: bytearray) -> bytes | None:
    return ANSWER if body == b"hello" else None


def check_opening(
    *pieces: bytes,
    answered: bytes | None = None,
    messages: tuple[bytes, ...] = (),
    rest: bytes = b"",
) -> None:
    """Checks what has happened to a stream of messages, of which `rest` has not been read.

    `messages` are those that are left for the server.
    """
    source, sink = os.pipe()
    reader, drain = os.pipe()
    with os.fdopen(source, "rb", 0) as stdin, os.fdopen(drain, "wb", 0) as stdout:
        opening = Opening(stdin, stdout, answer)
        with os.fdopen(sink, "wb", 0) as client:
            for piece in pieces:
                client.write(piece)
        opening.wait()
        assert opening.answered == answered
        assert stdin.read() == rest
    with os.fdopen(reader, "rb") as sent:
        assert sent.read() == (ANSWER if answered else b"")
    assert not opening.unsent
    assert [it for it in opening.messages if not isinstance(it, FramingError)] == list(messages)


def test_initialize_alone() -> None:
    check_opening(HELLO, answered=b"hello")


def test_bytes_that_come_one_by_one() -> None:
    check_opening(*(HELLO[at : at + 1] for at in range(len(HELLO))), answered=b"hello")


def test_messages_that_come_at_once() -> None:
    others = framed(b"b"), framed(b"c"), framed(b"hello")
    check_opening(b"".join((HELLO, *others)), answered=b"hello", messages=(b"b", b"c", b"hello"))


def test_another_first_message() -> None:
    check_opening(framed(b"a") + HELLO, messages=(b"a", b"hello"))


def test_a_header_that_is_none() -> None:
    check_opening(b"Content-Length: many\r\n\r\n" + HELLO, messages=(b"hello",))


def test_the_end_of_the_input() -> None:
    check_opening()
    check_opening(HELLO[:-1])


def test_the_start_of_a_message_is_left_to_the_server() -> None:
    source, sink = os.pipe()
    reader, drain = os.pipe()
    with os.fdopen(source, "rb", 0) as stdin, os.fdopen(drain, "wb", 0) as stdout:
        with os.fdopen(sink, "wb", 0) as client:
            client.write(HELLO + HELLO[:-2])
        opening = Opening(stdin, stdout, answer)
        opening.wait()
        (last,) = opening.deframer.feed(HELLO[-2:])
        assert last == bytearray(b"hello")
    os.close(reader)


@pytest.mark.parametrize("is_gone", [False, True])
def test_an_answer_that_cannot_be_written_is_left_to_the_server(*, is_gone: bool) -> None:
    source, sink = os.pipe()
    reader, drain = os.pipe()
    with os.fdopen(source, "rb", 0) as stdin, os.fdopen(drain, "wb", 0) as stdout:
        if is_gone:
            os.close(reader)
        else:
            stdout.write(b"x" * fcntl.fcntl(drain, fcntl.F_GETPIPE_SZ))  # until it is full
        with os.fdopen(sink, "wb", 0) as client:
            client.write(HELLO)
        opening = Opening(stdin, stdout, answer)
        opening.wait()
        assert opening.answered == bytearray(b"hello")
        assert opening.unsent == ANSWER
    if not is_gone:
        os.close(reader)
