"""The sizes of blocks and clusters that the directives of a kernel state.

Source: PTX ISA, "Performance-Tuning Directives" and "Cluster Dimension Directives".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.region_text import RegionText

Shape = tuple[int, int, int]
"""The numbers of threads, or of blocks, in each dimension."""
_THREADS: Final = ".reqntid"
_MAX_THREADS: Final = ".maxntid"
_BLOCKS: Final = ".reqnctapercluster"
_MAX_BLOCKS: Final = ".maxclusterrank"
_DIRECTIVES: Final = (_THREADS, _MAX_THREADS, _BLOCKS, _MAX_BLOCKS)
_MAX_DIMENSIONS: Final = 3
_ENTRY: Final = ".entry"
MAX_THREADS: Final = 1024
"""Maximum number of threads of a block."""

_COMMENT: Final = "/"
"""With this, a comment may begin, which may contain anything."""


class LaunchSizes(NamedTuple):
    """The sizes that a kernel may be launched with.

    Attributes:
        threads: the exact shape of a block; None if it is not stated.
        max_threads: the largest number of threads of a block.
        blocks: the exact shape of a cluster; None if it is not stated.
        max_blocks: the largest number of blocks of a cluster.
    """

    threads: Shape | None = None
    max_threads: int = MAX_THREADS
    blocks: Shape | None = None
    max_blocks: int | None = None


NO_BOUNDS: Final = LaunchSizes()


def launch_sizes(text: RegionText) -> LaunchSizes:
    """Returns what the directives of a kernel say; nothing for other functions."""
    heads = [found for found in text.of_kind(Kind.FUNCTION) if _ENTRY in found.text]
    head = heads[0].text if len(heads) == 1 else ""
    places = [place for name in _DIRECTIVES if (place := head.find(name)) >= 0]
    if not places:
        return NO_BOUNDS
    stated = dict(_stated(head[0 if _COMMENT in head else min(places) :]))
    threads, blocks = _shape(stated.get(_THREADS)), _shape(stated.get(_BLOCKS))
    most = stated.get(_MAX_THREADS)
    ranks = stated.get(_MAX_BLOCKS)
    return LaunchSizes(
        threads,
        min(MAX_THREADS, _volume(threads or _shape(most))),
        blocks,
        ranks[0] if ranks and ranks[0] else None,
    )


def _stated(head: str) -> Iterator[tuple[str, list[int]]]:
    """Yields each of the directives with its numbers."""
    name, numbers = "", list[int]()
    for token in tokenize(head):
        if token.string in _DIRECTIVES:
            if name:
                yield name, numbers
            name, numbers = token.string, []
        elif name and token.string != ",":
            value = integer(token.string)
            if value is None:
                yield name, numbers
                name = ""
            else:
                numbers.append(value)
    if name:
        yield name, numbers


def _shape(numbers: list[int] | None) -> Shape | None:
    """Returns the sizes in three dimensions; None if the directive is missing or wrong."""
    if not numbers or len(numbers) > _MAX_DIMENSIONS or 0 in numbers:
        return None
    first, second, third = (*numbers, 1, 1)[:_MAX_DIMENSIONS]
    return first, second, third


def _volume(shape: Shape | None) -> int:
    return MAX_THREADS if shape is None else shape[0] * shape[1] * shape[2]
