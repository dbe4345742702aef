"""Reads the parameters and the return values of plain function heads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.plain.heads import PARAMETER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.syntax.plain.heads import Span


class PlainParameter(NamedTuple):
    """A parameter or return value: its name with the offset, and its declaration.

    `sizes`: the only size if it is an array, None for `[]`.
    """

    name: str
    start: int
    space: str
    type: str
    sizes: tuple[int | None, ...]
    alignment: int | None
    text: str


def plain_parameters(text: str, span: Span) -> Iterator[PlainParameter]:
    """Yields everything that looks like a parameter in a span of a text."""
    for match in PARAMETER(text, *span):
        size, alignment = match["size"], match["alignment"]
        sizes = (integer(size) if size else None,) if match["array"] else ()
        yield PlainParameter(
            match["name"],
            match.start("name"),
            "." + match["space"],
            match["type"],
            sizes,
            integer(alignment) if alignment else None,
            match[0],
        )
