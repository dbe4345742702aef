"""The name, parameters and results of plain function heads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.plain.heads import HEAD, PARAMETER

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]
_NOWHERE: Final = (0, 0)


class PlainHead(NamedTuple):
    """A head: its name with the offset, and the spans of its lists, which are empty without one."""

    name: str
    start: int
    linkage: str
    is_kernel: bool
    is_definition: bool
    returns: Span
    parameters: Span


class PlainParameter(NamedTuple):
    """A parameter or result: its name with the offset, and its declaration.

    `sizes`: its only one if it is an array, None for `[]`.
    """

    name: str
    start: int
    space: str
    type: str
    sizes: tuple[int | None, ...]
    alignment: int | None
    text: str


def plain_head(text: str) -> PlainHead | None:
    """Returns the head that a statement is; None if it is not plain."""
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
    """Yields what looks like a parameter in a span of a text."""
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
