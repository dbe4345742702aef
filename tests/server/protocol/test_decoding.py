"""Messages are read alike, whoever reads them."""

from __future__ import annotations

import json
import sys

import pytest

from ptx_ls.server.protocol import decoding

TEXT = '\tret;\n\u00e9\U0001f600"\\/\u2028' * 100


def check_read(body: str, expected: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """The content of a message, decoded with orjson and without it."""
    for is_large, is_installed in ((False, True), (True, True), (True, False)):
        with monkeypatch.context() as patch:
            patch.setattr(decoding, "_MIN_BYTES_FOR_ORJSON", 0 if is_large else 10**9)
            if not is_installed:
                patch.setitem(sys.modules, "orjson", None)
            assert decoding.decoded(bytearray(body.encode())) == expected


@pytest.mark.parametrize(
    "message",
    [{"id": 1, "text": TEXT}, {"text": "\ud83d half", "n": [2**53, -1.5, True, None]}, []],
)
def test_a_message(message: object, monkeypatch: pytest.MonkeyPatch) -> None:
    check_read(json.dumps(message), message, monkeypatch)


def test_what_orjson_refuses_is_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for message in ({"text": "\ud83d"}, {"n": float("inf")}):
        check_read(json.dumps(message), message, monkeypatch)


def test_what_is_no_json(monkeypatch: pytest.MonkeyPatch) -> None:
    for large in (0, 10**9):
        monkeypatch.setattr(decoding, "_MIN_BYTES_FOR_ORJSON", large)
        with pytest.raises(ValueError, match="Expecting"):
            decoding.decoded(b'{"text": ')
