"""Reads the sizes of arrays in the text of a declaration."""

from __future__ import annotations

from ptx_ls.source.named_tuple import NamedTuple


class WrittenSizes(NamedTuple):
    """The sizes in the brackets after a name, "" for `[]`, and the text after the brackets."""

    sizes: tuple[str, ...]
    rest: str


def sizes_after(text: str) -> WrittenSizes:
    """Returns the sizes at the start of a text, which follows the name in a declaration."""
    found: list[str] = []
    rest = text.lstrip()
    while rest.startswith("[") and "]" in rest:
        size, _, rest = rest[1:].partition("]")
        found.append(size.strip())
        rest = rest.lstrip()
    return WrittenSizes(tuple(found), rest)
