from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.server.protocol.framing import Deframer, FramingError

ERROR = "error"


def check_bodies(pieces: Iterable[bytes], expected: list[bytes | str]) -> None:
    deframer = Deframer()
    found = [body for piece in pieces for body in deframer.feed(piece)]
    assert [ERROR if isinstance(body, FramingError) else body for body in found] == expected


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@given(st.lists(st.binary(max_size=30)), st.lists(st.integers(0, 200)))
def test_messages_arrive_whole_however_they_are_cut(bodies: list[bytes], at: list[int]) -> None:
    stream = b"".join(map(framed, bodies))
    cuts = sorted({0, *(place for place in at if place < len(stream)), len(stream)})
    pieces = [stream[i:j] for i, j in pairwise(cuts)]
    check_bodies(pieces, list(bodies))


def test_other_header_fields_are_ignored() -> None:
    header = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\n"
    check_bodies([header + b"{}"], [b"{}"])


def test_after_a_bad_header_the_next_message_is_read() -> None:
    check_bodies([b"Content-Length: x\r\n\r\n" + framed(b"{}")], [ERROR, b"{}"])
    check_bodies([b"Hello\r\n\r\n" + framed(b"{}")], [ERROR, b"{}"])


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\n", b"\n\r\n"])
def test_line_ends_without_carriage_returns(end: bytes) -> None:
    check_bodies([b"Content-Length: 2" + end + b"{}", framed(b"[]")], [b"{}", b"[]"])
    check_bodies([b"Accept: x\nContent-Length: 2" + end[:1], end[1:] + b"{}"], [b"{}"])


@pytest.mark.parametrize("length", [b"-5", b"9" * 6000, b"99999999999", b"\xc2\xb2", b"", b"1.5"])
def test_lengths_that_no_message_has(length: bytes) -> None:
    check_bodies([b"Content-Length: " + length + b"\r\n\r\n", framed(b"{}")], [ERROR, b"{}"])


@given(st.integers(1, 9))
def test_a_length_that_is_too_small_costs_one_message(n_missing: int) -> None:
    cut = b'{"ab": "cd"}'
    header = b"Content-Length: %d\r\n\r\n" % (len(cut) - n_missing)
    check_bodies([header + cut + framed(b"{}")], [cut[:-n_missing], ERROR, b"{}"])


def test_what_never_ends_is_no_header() -> None:
    check_bodies([b"x" * 5000, b"x" * 5000, framed(b"{}")], [ERROR, b"{}"])
