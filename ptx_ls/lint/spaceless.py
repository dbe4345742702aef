"""Reports a missing state space before a type and a name: `.b32 x;`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import on_row
from ptx_ls.lint.rule import Finding, Repair, SpanEdit
from ptx_ls.syntax.names import NAME_PATTERN
from ptx_ls.syntax.offsets import NEAR, after
from ptx_ls.syntax.tokens import TYPES

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.rule import Surroundings

_TYPED: Final = re.compile(
    rf"(?:(?<=\s)|^)(?:\.v\d\s++)?(?P<type>\.\w++)\s++(?P<name>{NAME_PATTERN})", re.ASCII
).finditer
_HEAD: Final = re.compile(
    r"\s*+(?:\.(?:visible|weak|extern)\s++)*\.(?:entry|func)\b", re.ASCII
).match


def without_space(surroundings: Surroundings, place: FunctionPosition) -> Finding | None:
    """Returns a finding if a type and a name without a state space are at a place; else None."""
    lines = surroundings.lines
    line, column = place
    if line >= len(lines):
        return None
    for match in _TYPED(lines[line], max(0, column - NEAR), column + NEAR):
        if column in (match.start("type"), match.start("name")) and match["type"] in TYPES:
            is_single = after(lines[line], match.end()).lstrip()[:1] in (";", ",", "<", "")
            is_local = is_single and surroundings.first_line(_HEAD) < line
            is_register = match["name"].startswith("%") or match["type"] == ".pred" or is_local
            space = ".reg" if is_register else ".global"
            edit = SpanEdit(*on_row(line, match.start(), match.start()), f"{space} ")
            start, end = on_row(line, *match.span("type"))
            message = f"missing state space of `{match['name']}`, such as `{space}`"
            return Finding(message, start, end, repairs=(Repair(f"Insert `{space}`", (edit,)),))
    return None
