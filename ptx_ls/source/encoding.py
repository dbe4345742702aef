"""From the bytes of a file to text. PTX is ASCII; comments and strings may hold UTF-8."""

from typing import NamedTuple


class EncodingError(ValueError):
    """The bytes are not UTF-8 text; the message tells what they are and where it shows."""


class DecodedText(NamedTuple):
    """The text of a file.

    Attributes:
        text: without the byte order mark.
        had_bom: whether the file starts with a byte order mark, which ptxas refuses.
    """

    text: str
    had_bom: bool


_UTF_8_BOM = b"\xef\xbb\xbf"
# In this order: the mark of UTF-32 starts with that of UTF-16.
_FOREIGN_BOMS = {
    b"\xff\xfe\0\0": "UTF-32 (little endian)",
    b"\0\0\xfe\xff": "UTF-32 (big endian)",
    b"\xff\xfe": "UTF-16 (little endian)",
    b"\xfe\xff": "UTF-16 (big endian)",
}


def decode(encoded: bytes) -> DecodedText:
    """Decodes a file.

    Raises:
        EncodingError: if it is in another encoding, or no text at all.
    """
    for bom, name in _FOREIGN_BOMS.items():
        if encoded.startswith(bom):
            raise EncodingError(f"encoded as {name}, PTX has to be ASCII or UTF-8")
    nul = encoded.find(b"\0")
    if nul >= 0:
        raise EncodingError(f"a binary file: NUL at {_place(encoded, nul)}")
    had_bom = encoded.startswith(_UTF_8_BOM)
    try:
        # Not by the codec that drops the mark: its error offsets do not count the mark.
        text = encoded.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"0x{encoded[error.start]:02x}"
        place = _place(encoded, error.start)
        raise EncodingError(f"not UTF-8: unexpected {byte} at {place}") from None
    return DecodedText(text[1:] if had_bom else text, had_bom)


def encode(decoded: DecodedText) -> bytes:
    """The bytes of a file, as `decode` reads them."""
    return (_UTF_8_BOM if decoded.had_bom else b"") + decoded.text.encode()


def _place(encoded: bytes, offset: int) -> str:
    before = encoded[:offset]
    line = 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
    return f"byte {offset} (line {line})"
