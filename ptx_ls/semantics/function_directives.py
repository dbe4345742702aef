"""Directives between the head of a function and its body: which may stand there, and together.

Source: PTX ISA, "Performance-Tuning Directives" and "Cluster Dimension Directives", as ptxas
applies them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.mismatch import BadDirective, DirectiveFault
from ptx_ls.syntax.places import shifted
from ptx_ls.syntax.record import Kind, Record, Run
from ptx_ls.syntax.tokens import FUNCTION, NUMBER, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa.reference import Directive
    from ptx_ls.semantics.region import Found, RegionText

_HEADS: Final = (Kind.FUNCTION, Kind.FUNCTION_DECLARATION)
_NAMES: Final = re.compile(r"\.[a-z]\w*+", re.ASCII).findall
_SIZES: Final = 3
"""Numbers that `.maxntid` and its like take."""
_SCOPE: Final = "header"


def check_function_directives(text: RegionText) -> Iterator[BadDirective]:
    """Directives that do not belong to their function, or not beside each other."""
    heads = {read for read in set(text.records) if _is_head(read)}
    lines = [n for n, read in enumerate(text.records) if read in heads]
    for found in text.statements(lines):
        if found.record.kind in _HEADS and _is_doubtful(found.text):
            yield from _check_head(found)


def _is_head(read: Record) -> bool:
    if isinstance(read, Run):
        return any(piece.record.kind in _HEADS for piece in read.pieces)
    return read.kind in _HEADS


def _is_doubtful(head: str) -> bool:
    """Whether what follows the parameters needs a look at its tokens."""
    owner = ".entry" if ".entry" in head else ".func"
    tail = head.rpartition(")")[2] if ")" in head else head.partition(owner)[2]
    names = _NAMES(tail)
    directives = [isa.database().directives.get(name) for name in names]
    return len(set(names)) < len(names) or any(
        directive is None
        or owner not in directive.owners
        or directive.requires
        or not set(names).isdisjoint(directive.conflicts)
        or tail.count(",") >= _SIZES
        for directive in directives
    )


def _check_head(found: Found) -> Iterator[BadDirective]:
    owner, tokens = _tail(list(tokenize(found.text)))
    known = isa.database().directives
    placed = [
        (index, token, known[token.string])
        for index, token in enumerate(tokens)
        if token.string in known and _SCOPE in known[token.string].scopes
    ]
    names = [token.string for _, token, _ in placed]
    for number, (index, token, directive) in enumerate(placed):
        fault, others = _fault(directive, owner, names, number, tokens[index + 1 :])
        if fault is not None:
            line, column = token.start_pos
            start = shifted((line - 1, column), found.start)
            end = start[0], start[1] + len(token.string)
            yield BadDirective(token.string, fault, others, start, end)


def _tail(tokens: list[Token]) -> tuple[str, list[Token]]:
    """`.entry` or `.func`, and the tokens behind the parameters."""
    owner = next((token.string for token in tokens if token.type is FUNCTION), "")
    depth = last = 0
    for index, token in enumerate(tokens):
        depth += (token.string == "(") - (token.string == ")")
        if token.string == ")" and not depth:
            last = index
    return owner, tokens[last:]


def _fault(
    directive: Directive, owner: str, names: list[str], number: int, rest: list[Token]
) -> tuple[DirectiveFault | None, tuple[str, ...]]:
    if owner and directive.owners and owner not in directive.owners:
        return DirectiveFault.OWNER, directive.owners
    before = names[:number]
    conflicts = tuple(name for name in directive.conflicts if name in before)
    if conflicts:
        return DirectiveFault.CONFLICT, conflicts
    missing = tuple(name for name in directive.requires if name not in names)
    if missing:
        return DirectiveFault.REQUIRED, missing
    if directive.name in before and not directive.repeats:
        return DirectiveFault.REPEATED, ()
    most = directive.arguments.count(",") + 1
    if "nx" in directive.arguments and _length(rest) > most:
        return DirectiveFault.ARGUMENTS, (str(most),)
    return None, ()


def _length(rest: list[Token]) -> int:
    """How many numbers with commas between them stand at the beginning."""
    count = 0
    for token in rest:
        if token.type is NUMBER:
            count += 1
        elif token.string != ",":
            break
    return count
