import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.source.encoding import EncodingError, decode


def check_decoded(encoded: bytes, text: str, *, had_bom: bool = False) -> None:
    decoded = decode(encoded)
    assert decoded.text == text
    assert decoded.had_bom == had_bom


def check_refused(encoded: bytes, message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        decode(encoded)
    assert str(caught.value) == message


def test_empty_file() -> None:
    check_decoded(b"", "")


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
        ("\ufeffret;".encode("utf-16-le"), "UTF-16 (little endian)"),
        ("\ufeffret;".encode("utf-16-be"), "UTF-16 (big endian)"),
        ("\ufeffret;".encode("utf-32-le"), "UTF-32 (little endian)"),
        ("\ufeffret;".encode("utf-32-be"), "UTF-32 (big endian)"),
    ],
)
def test_other_encodings_are_named(encoded: bytes, name: str) -> None:
    check_refused(encoded, f"encoded as {name}, PTX has to be ASCII or UTF-8")


def test_a_binary_is_named() -> None:
    check_refused(b"\x7fELF\x02\x01\x01\x00", "a binary file: NUL at byte 7 (line 1)")


def test_a_wrong_byte_is_placed() -> None:
    check_refused(b"// gr\xf6\xdfer", "not UTF-8: unexpected 0xf6 at byte 5 (line 1)")
    check_refused(b"a\nb\r\nc\rd\xff", "not UTF-8: unexpected 0xff at byte 8 (line 4)")
    check_refused(b"\xef\xbb\xbf\n\xff", "not UTF-8: unexpected 0xff at byte 4 (line 2)")


def test_a_character_cut_off_at_the_end() -> None:
    check_refused(b"// \xe2\x82", "not UTF-8: unexpected 0xe2 at byte 3 (line 1)")


@given(st.binary(max_size=40))
def test_any_bytes_decode_or_are_refused(encoded: bytes) -> None:
    try:
        decoded = decode(encoded)
    except EncodingError:
        return
    bom = b"\xef\xbb\xbf" if decoded.had_bom else b""
    assert bom + decoded.text.encode() == encoded


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8")))
def test_any_text_comes_back(text: str) -> None:
    had_bom = text.startswith("\ufeff")
    check_decoded(text.encode(), text[had_bom:], had_bom=had_bom)
