"""Reads the name, the parameters and the return values of plain function heads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.plain.heads import HEAD, PARAMETER

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]
_NOWHERE: Final = (0, 0)


class PlainHead(NamedTuple):
    """A head: its name with the offset, and the spans of its lists, which are empty if missing."""

    name: str
    start: int
    linkage: str
    is_kernel: bool
    is_definition: bool
    returns: Span
    parameters: Span


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


def plain_head(text: str) -> PlainHead | None:
    """Returns a statement as a head; None if it is not a plain one."""
    match = HEAD(text)
    if match is None:
        return None
    return PlainHead(
        match["name"],
        match.start("name"),
        match["linkage"].strip(),
        match["kind"] == "entry",
        match["end"] == "{",
        match.span("returns") if match["returns"] else _NOWHERE,
        match.span("parameters") if match["parameters"] else _NOWHERE,
    )


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
