"""Finds the groups of warps that run different code, as in kernels with specialised warps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.features.synchronization.executing import ALL, named_warps
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.threads.uniformity.launches import BlockShape


class WarpRole(NamedTuple):
    """Some warps of a block: their name, and a set with a bit for each."""

    name: str
    warps: int


def warp_roles(executing: Sequence[int], shape: BlockShape | None) -> tuple[WarpRole, ...]:
    """Returns the groups of warps, the first ones first.

    `executing`: the warps that execute each statement. Warps are specialised if some statements
    are executed by some warps, and others by other ones. Else, there is one group of all warps.
    """
    everyone = 0 if shape is None else (1 << shape.n_warps) - 1
    groups: list[int] = []
    for warps in dict.fromkeys(executing):
        if warps in (0, everyone):
            continue
        joined = warps
        for each in [it for it in groups if it & warps]:
            joined |= each
            groups.remove(each)
        groups.append(joined)
    if shape is None or len(groups) <= 1:
        return (WarpRole(ALL, everyone),)
    rest = everyone
    for each in groups:
        rest &= ~each
    groups += [rest] if rest else []
    groups.sort(key=lambda each: each & -each)
    return tuple(WarpRole(named_warps(each, shape), each) for each in groups)
