"""Digests by which results are found, and by which damaged ones are recognised."""

from __future__ import annotations

import zlib
from importlib.util import source_hash
from typing import Final

N_BYTES: Final = 20
"""Length of a digest."""
_LENGTH_BYTES: Final = 8


def digest(content: bytes) -> bytes:
    """Returns the hash by which Python recognises sources, another one, and the length.

    `hashlib` is not used, because importing it takes half of what a lint of a small file may spend
    on the cache. Nothing depends on texts with equal digests being hard to construct: who can
    choose a text that is checked can hide findings by simpler means, such as comments in it.
    """
    length = len(content).to_bytes(_LENGTH_BYTES, "little")
    return source_hash(content) + zlib.crc32(content).to_bytes(4, "little") + length


def digest_of_parts(*parts: bytes) -> bytes:
    """Returns a digest of a sequence; others with the same concatenation have another one."""
    return digest(b"".join(map(digest, parts)))
