import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.encoding import (
    FOREIGN,
    DecodedText,
    EncodingError,
    decode,
    encode,
    foreign_bytes,
)


def check_decoded(encoded: bytes, text: str, *, had_bom: bool = False) -> None:
    decoded = decode(encoded)
    assert decoded.text == text
    assert decoded.had_bom == had_bom
    assert not decoded.is_mixed


def check_mixed(encoded: bytes, text: str, *, had_bom: bool = False) -> None:
    decoded = decode(encoded)
    assert decoded == DecodedText(text, had_bom, is_mixed=True)
    assert encode(decoded) == encoded


def check_refused(encoded: bytes, message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        decode(encoded)
    assert str(caught.value) == message


def test_empty_file() -> None:
    check_decoded(b"", "")


@pytest.mark.parametrize(("codec", "name"), [("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE")])
def test_utf_16_without_a_mark(codec: str, name: str) -> None:
    message = f"encoded as {name}, but PTX must be ASCII or UTF-8"
    check_refused(
        ".version 8.0\n".encode(codec), f"{message}; `iconv -f {name} -t UTF-8 FILE` converts it"
    )
    check_refused(b"\0a", "a binary file: NUL at byte 0 (line 1)")


def test_line_ends_stay_as_they_are() -> None:
    check_decoded(b"a\r\nb\rc\n", "a\r\nb\rc\n")


def test_utf_8_in_comments() -> None:
    check_decoded("// größer \U0001f600".encode(), "// größer \U0001f600")


def test_byte_order_mark_is_no_text() -> None:
    check_decoded(b"\xef\xbb\xbfret;", "ret;", had_bom=True)
    check_decoded(b"\xef\xbb\xbf", "", had_bom=True)


def test_only_the_first_mark_is_one() -> None:
    check_decoded(b"\xef\xbb\xbf\xef\xbb\xbfa", "\ufeffa", had_bom=True)


@pytest.mark.parametrize(
    ("encoded", "name"),
    [
        ("\ufeffret;".encode("utf-16-le"), "UTF-16"),
        ("\ufeffret;".encode("utf-16-be"), "UTF-16"),
        ("\ufeffret;".encode("utf-32-le"), "UTF-32"),
        ("\ufeffret;".encode("utf-32-be"), "UTF-32"),
    ],
)
def test_other_encodings_are_named(encoded: bytes, name: str) -> None:
    how = f"`iconv -f {name} -t UTF-8 FILE` converts it"
    check_refused(encoded, f"encoded as {name}, but PTX must be ASCII or UTF-8; {how}")


def test_a_binary_is_named() -> None:
    check_refused(b".text\n\x01\x00", "a binary file: NUL at byte 7 (line 2)")


@pytest.mark.parametrize(
    ("encoded", "message"),
    [
        (b"\x7fELF\x02\x01\x01\x00", "an ELF file; `cuobjdump -ptx FILE` prints the PTX in it"),
        (
            b"\x50\xed\x55\xba\x01",
            "a fat binary of CUDA; `cuobjdump -ptx FILE` prints the PTX in it",
        ),
        (
            gzip.compress(b".version 8.0", mtime=0),
            "compressed with gzip; `gunzip -c FILE | ptx-ls lint -` reads it",
        ),
        (b"PK\x03\x04", "a ZIP archive"),
    ],
)
def test_containers_are_named(encoded: bytes, message: str) -> None:
    check_refused(encoded, message)


def test_other_bytes_stay() -> None:
    check_mixed(b"// gr\xf6\xdfer", "// gr\udcf6\udcdfer")
    check_mixed(b"// \xe2\x82", "// \udce2\udc82")
    check_mixed(b"\xef\xbb\xbf\n\xff", "\n\udcff", had_bom=True)


def test_other_bytes_are_shown_in_figures() -> None:
    assert foreign_bytes(decode(b"\xf6\xdf").text) == r"\xf6\xdf"
    found = FOREIGN.search(decode(b"gr\xf6\xdfer").text)
    assert found is not None
    assert found.span() == (2, 4)


@given(st.binary(max_size=40))
def test_any_bytes_decode_or_are_refused(encoded: bytes) -> None:
    try:
        decoded = decode(encoded)
    except EncodingError:
        return
    assert encode(decoded) == encoded


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8")))
def test_any_text_comes_back(text: str) -> None:
    had_bom = text.startswith("\ufeff")
    check_decoded(text.encode(), text[had_bom:], had_bom=had_bom)
