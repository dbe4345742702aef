"""Instructions for one block's tensor memory beside those for a pair of blocks.

Source: PTX ISA, "Tensorcore 5th Generation Instructions": all of a kernel's have the same group.
ptxas looks at each function when it generates code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.problems.module import MixedGroups
from ptx_ls.syntax.places import shifted
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.region_text import RegionText

_OPCODE: Final = "tcgen05"
_GROUP: Final = re.compile(r"\.cta_group::[12](?!\w)", re.ASCII).search


def check_cta_groups(text: RegionText) -> Iterator[MixedGroups]:
    """The first instruction of a region whose group is not that of those before it."""
    groups = {
        shape: named[0]
        for shape in text.shapes_of((_OPCODE,))
        if (named := _GROUP(shape.opcode)) is not None
    }
    if len(set(groups.values())) < 2:  # noqa: PLR2004  they agree
        return
    first = ""
    for found in text.statements():
        group = groups.get(found.record) if isinstance(found.record, Shape) else None
        match = _GROUP(found.text) if group is not None else None
        if group is None or match is None:
            continue
        if first and group != first:
            before = found.text[: match.start()].split("\n")
            line, column = len(before) - 1, len(before[-1])
            start = shifted((line, column), found.start)
            end = start[0], start[1] + len(group)
            yield MixedGroups(group, first, start, end)
            return
        first = first or group
