"""Converts bytes of a file to text. PTX is ASCII; comments may contain anything, mostly UTF-8."""

from __future__ import annotations

from typing import Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.patterns import LazyPattern


class EncodingError(ValueError):
    """The bytes are not PTX; the message says what they are, and where it is seen."""


class DecodedText(NamedTuple):
    """The text of a file.

    Attributes:
        text: without the byte order mark.
        had_bom: whether the file starts with a byte order mark, which ptxas rejects.
        is_mixed: whether some bytes are not UTF-8; the text has them as lone surrogates.
    """

    text: str
    had_bom: bool
    is_mixed: bool = False


_UTF_8_BOM = b"\xef\xbb\xbf"
# In this order: the mark of UTF-32 starts with that of UTF-16.
_FOREIGN_BOMS = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_N_EXAMINED: Final = 64
"""The number of bytes that show whether a text without a mark is encoded as UTF-16."""
_CONTAINERS = {
    b"\x7fELF": "an ELF file; `cuobjdump -ptx FILE` prints the PTX in it",
    b"\x50\xed\x55\xba": "a fat binary of CUDA; `cuobjdump -ptx FILE` prints the PTX in it",
    b"\x1f\x8b": "compressed with gzip; `gunzip -c FILE | ptx-ls lint -` reads it",
    b"\x28\xb5\x2f\xfd": "compressed with Zstandard; `zstd -dc FILE | ptx-ls lint -` reads it",
    b"BZh": "compressed with bzip2; `bzcat FILE | ptx-ls lint -` reads it",
    b"\xfd7zXZ\0": "compressed with xz; `xzcat FILE | ptx-ls lint -` reads it",
    b"PK\x03\x04": "a ZIP archive",
    b"BC\xc0\xde": "LLVM bitcode; `llc -march=nvptx64 FILE` compiles it to PTX",
}
"""The first bytes of files that may contain PTX, and what a user can do."""


def decode(encoded: bytes) -> DecodedText:
    """Decodes a file.

    Raises:
        EncodingError: if it is in UTF-16 or UTF-32, or is not text.
    """
    if name := _foreign_encoding(encoded):
        how = f"`iconv -f {name} -t UTF-8 FILE` converts it"
        raise EncodingError(f"encoded as {name}, but PTX must be ASCII or UTF-8; {how}")
    for magic, what in _CONTAINERS.items():
        if encoded.startswith(magic):
            raise EncodingError(what)
    nul = encoded.find(b"\0")
    if nul >= 0:
        raise EncodingError(f"a binary file: NUL at {_place(encoded, nul)}")
    had_bom = encoded.startswith(_UTF_8_BOM)
    try:
        text = encoded.decode("utf-8")
    except UnicodeDecodeError:
        text = encoded.decode("utf-8", "surrogateescape")
        return DecodedText(text[had_bom:], had_bom, is_mixed=True)
    return DecodedText(text[had_bom:], had_bom)


def encode(decoded: DecodedText) -> bytes:
    """Returns the bytes of a file; the inverse of `decode`."""
    return (_UTF_8_BOM if decoded.had_bom else b"") + decoded.text.encode(
        "utf-8", "surrogateescape"
    )


FOREIGN: Final = LazyPattern("[\udc80-\udcff]+")
"""Matches the bytes in a decoded text that are not UTF-8."""


def foreign_bytes(text: str) -> str:
    r"""Returns bytes that `FOREIGN` matches as escapes, such as `\xe9`."""
    return text.encode("utf-8", "surrogateescape").decode("ascii", "backslashreplace")


def _foreign_encoding(encoded: bytes) -> str:
    """Returns UTF-16 or UTF-32 if a text is encoded so; otherwise ""."""
    for bom, name in _FOREIGN_BOMS.items():
        if encoded.startswith(bom):
            return name
    # Without a mark, every second byte of an ASCII text is NUL.
    first, second = encoded[:_N_EXAMINED:2], encoded[1:_N_EXAMINED:2]
    if len(first) == len(second) > 1:
        if not any(second) and all(first):
            return "UTF-16LE"
        if not any(first) and all(second):
            return "UTF-16BE"
    return ""


def _place(encoded: bytes, offset: int) -> str:
    before = encoded[:offset]
    line = 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
    return f"byte {offset} (line {line})"
