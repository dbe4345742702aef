"""Reports a missing state space before a type and a name: `.b32 x;`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.rule import Finding, Repair, SpanEdit
from ptx_ls.syntax.offsets import MAX_EXAMINED
from ptx_ls.syntax.tokens import REG, TYPES, VECTORS, WORD, tokenize

if TYPE_CHECKING:
    from ptx_ls.lint.rule import RuleContext


def missing_state_space(context: RuleContext, place: FunctionPosition) -> Finding | None:
    """Returns a finding if a type and a name at `place` lack a state space; else None."""
    lines = context.lines
    line, column = place
    if line >= len(lines):
        return None
    begin = FunctionPosition((line, max(0, column - MAX_EXAMINED)))
    tokens = [*tokenize(lines[line][begin[1] : column + MAX_EXAMINED])]
    for index, (type_, name) in enumerate(pairwise(tokens)):
        start, end = type_.placed(begin)
        is_there = place in (start, name.placed(begin)[0])
        if is_there and type_.string in TYPES and name.type in (REG, WORD):
            is_single = tokens[index + 2].string in (";", ",", "<", "")
            function = context.function
            is_local = is_single and function is not None and function.start < place
            is_register = name.string.startswith("%") or type_.string == ".pred" or is_local
            space = ".reg" if is_register else ".global"
            is_vector = index > 0 and tokens[index - 1].string in VECTORS
            first, _ = tokens[index - is_vector].placed(begin)
            repair = Repair(f"Insert `{space}`", (SpanEdit(first, first, f"{space} "),))
            message = f"missing state space for `{name.string}`, such as `{space}`"
            return Finding(message, start, end, repairs=(repair,))
    return None
