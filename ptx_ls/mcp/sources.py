"""The PTX that a tool works on: a text that the agent sends, or a file below certain folders."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from ptx_ls.files.confinement import confined, open_regular
from ptx_ls.files.search import SUFFIX, reason_of
from ptx_ls.source.encoding import EncodingError, decode

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_BYTES: Final = 16_000_000
"""Maximum size of a text: the answer to a larger one would help no agent."""


LOST: Final = "\ufffd"
"""The character in place of each byte that is not UTF-8."""
_REPLACED: Final = dict.fromkeys(range(0xD800, 0xE000), LOST)
"""For `str.translate`: Python has lone surrogates for such bytes."""


class ToolInputError(ValueError):
    """An argument of a tool is wrong; the message says why, for the agent."""


def text_of(text: str | None, path: str | None, folders: Sequence[str]) -> str:
    """Returns the PTX that a tool works on.

    Args:
        text: the PTX itself, or None.
        path: a `.ptx` file, or None; a relative path begins at the first folder.
        folders: absolute paths; only files below them are read.

    Raises:
        ToolInputError: unless exactly one of both is given, and it can be read.
    """
    if (text is None) == (path is None):
        raise ToolInputError("expected either `text` or `path`")
    if text is not None:
        encoded = text.encode("utf-8", "surrogatepass")
    else:
        encoded = _content(path or "", folders)
    if len(encoded) > MAX_BYTES:
        raise ToolInputError(f"more than {MAX_BYTES:,} bytes; use `ptx-ls lint` in a terminal")
    if text is not None:
        return _readable(text)
    try:
        return _readable(decode(encoded).text)
    except EncodingError as error:
        raise ToolInputError(f"`{path}`: {error}") from None


def _readable(text: str) -> str:
    """Returns a text that JSON can represent: bytes that are not UTF-8 become `LOST`."""
    return text if text.isascii() else text.translate(_REPLACED)


def _content(path: str, folders: Sequence[str]) -> bytes:
    """Returns the bytes of a file, at most one more than are allowed.

    Raises:
        ToolInputError: if it is not a PTX file below the folders, or cannot be read.
    """
    found = confined(str(PurePath(folders[0], path)), folders)
    if found is None:
        below = ", ".join(folders)
        raise ToolInputError(f"`{path}` is not a file below {below}")
    if not path.endswith(SUFFIX) or not found.endswith(SUFFIX):
        raise ToolInputError(f"`{path}` is not a `{SUFFIX}` file")
    try:
        stream = open_regular(found)
        if stream is None:
            raise ToolInputError(f"`{path}` is not a regular file")
        with stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ToolInputError(f"`{path}`: {reason_of(error)}") from None
