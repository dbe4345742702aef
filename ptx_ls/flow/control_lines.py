"""Detects whether an edit of a function leaves its control flow unchanged."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Final

from ptx_ls.document.braces import braces
from ptx_ls.document.facts import combined
from ptx_ls.document.versions import Version, Versions
from ptx_ls.flow.reader import has_instruction, is_control

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.chunk import Chunk
    from ptx_ls.document.facts import Node
    from ptx_ls.document.function import Function
    from ptx_ls.syntax.record import Record

_MAX_KEPT_CODES: Final = 1 << 12
"""Number of records whose codes are cached."""
_OTHER, _INSTRUCTION, _CONTROL = range(3)


def control_node(function: Function) -> Node:
    """Returns a node that is the same object until an edit changes the control flow of a function.

    For a function whose body is not closed, or whose chunks share lines, this is the function
    itself, which each edit replaces.
    """
    is_whole = braces(function).close is not None and not function.shares_lines
    return _control_versions(function) if is_whole else function


def _have_the_same_flow(before: Chunk, after: Chunk) -> bool:
    """Whether two chunks have the same labels, branches, braces and ends in the same places."""
    codes = [*map(_code_of, after.records)]
    if [*map(_code_of, before.records)] != codes:
        return False
    is_control = [code == _CONTROL for code in codes]
    pairs = [zip(chunk.lines, chunk.records, strict=True) for chunk in (before, after)]
    first, second = ([*compress(each, is_control)] for each in pairs)
    return first == second


@lru_cache(maxsize=_MAX_KEPT_CODES)
def _code_of(read: Record) -> int:
    if is_control(read):
        return _CONTROL
    return _INSTRUCTION if has_instruction(read) else _OTHER


_VERSION: Final = Version("control lines", _have_the_same_flow)


def _versions_of(function: Function) -> Iterator[object]:
    return map(_VERSION, function.leaves())


@combined(_versions_of)
def _control_versions(versions: tuple[object, ...]) -> Versions:
    """Returns a version for each chunk, which changes only if control flow in the chunk does."""
    return Versions(versions)
