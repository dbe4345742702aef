"""Directives between the head of a function and its body: which may stand there, and together.

Source: PTX ISA, "Performance-Tuning Directives" and "Cluster Dimension Directives", as ptxas
applies them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.mismatch import BadDirective, DirectiveFault
from ptx_ls.semantics.operands import number
from ptx_ls.syntax import parser
from ptx_ls.syntax.places import shifted
from ptx_ls.syntax.record import Kind, Record, Run
from ptx_ls.syntax.tokens import FLOAT, FUNCTION, NUMBER, STRING, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa.reference import Directive
    from ptx_ls.semantics.region import Found, RegionText

_HEADS: Final = (Kind.FUNCTION, Kind.FUNCTION_DECLARATION)
_NAMES: Final = re.compile(r"\.[a-z]\w*+", re.ASCII).findall
_PLAIN: Final = re.compile(
    r"(?:\)|[^.]*+)(?:\s*+\.(?P<name>[a-z]\w*+)\s++[1-9]\d{0,8}(?:\s*+,\s*+[1-9]\d{0,8}){0,2})*"
    r"\s*+[{;]",
    re.ASCII,
).fullmatch
"""What follows the parameters of most kernels: directives with small numbers, and the body."""
_LARGEST: Final = (1 << 32) - 1
_SCOPE: Final = "header"


def check_function_directives(text: RegionText) -> Iterator[BadDirective]:
    """Directives that do not belong to their function, or not beside each other."""
    heads = {read for read in text.distinct if read.is_declaring and _is_head(read)}
    for found in text.statements(text.lines_of(heads)):
        if found.record.kind in _HEADS and _is_doubtful(found.text):
            yield from _check_head(found)


def _is_head(read: Record) -> bool:
    if isinstance(read, Run):
        return any(each.kind in _HEADS for each in read.records)
    return read.kind in _HEADS


def _is_doubtful(head: str) -> bool:
    """Whether what follows the parameters needs a look at its tokens."""
    owner = ".entry" if ".entry" in head else ".func"
    tail = head.rpartition(")")[2] if ")" in head else head.partition(owner)[2]
    names = _NAMES(tail)
    directives = [isa.database().directives.get(name) for name in names]
    return (
        len(set(names)) < len(names)
        or any(
            directive is None
            or owner not in directive.owners
            or directive.requires
            or not directive.arguments
            or not set(names).isdisjoint(directive.conflicts)
            or ("," in tail and "," not in directive.arguments)
            for directive in directives
        )
        or _PLAIN(tail) is None
    )


def _check_head(found: Found) -> Iterator[BadDirective]:
    stream = list(tokenize(found.text))
    owner, tokens = _tail(stream)
    known = isa.database().directives
    placed = [
        (index, token, known[token.string])
        for index, token in enumerate(tokens)
        if token.string in known and _SCOPE in known[token.string].scopes
    ]
    names = [token.string for _, token, _ in placed]
    for place, (index, token, directive) in enumerate(placed):
        fault, others = _fault(directive, owner, names, place, tokens[index + 1 :])
        if fault is not None:
            line, column = token.start_pos
            start = shifted((line - 1, column), found.start)
            end = start[0], start[1] + len(token.string)
            yield BadDirective(token.string, fault, others, start, end)
    last = tokens[-2].string if len(tokens) > 1 else ""
    if owner == ".entry" and last not in ("{", ";") and parser.parse(found.text).problem is None:
        yield BadDirective(owner, DirectiveFault.NO_BODY, (), found.end, found.end)


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
    directive: Directive, owner: str, names: list[str], place: int, rest: list[Token]
) -> tuple[DirectiveFault | None, tuple[str, ...]]:
    if owner and directive.owners and owner not in directive.owners:
        return DirectiveFault.OWNER, directive.owners
    before = names[:place]
    conflicts = tuple(name for name in directive.conflicts if name in before)
    if conflicts:
        return DirectiveFault.CONFLICT, conflicts
    missing = tuple(name for name in directive.requires if name not in names)
    if missing:
        return DirectiveFault.REQUIRED, missing
    if directive.name in before and not directive.repeats:
        return DirectiveFault.REPEATED, ()
    return _argument_fault(directive, rest)


def _argument_fault(
    directive: Directive, rest: list[Token]
) -> tuple[DirectiveFault | None, tuple[str, ...]]:
    """What is wrong with the numbers behind a directive."""
    if directive.arguments and not directive.arguments.startswith("n"):
        return None, ()
    has_number = bool(rest) and rest[0].type in (NUMBER, FLOAT, STRING)
    if has_number != bool(directive.arguments) or (has_number and rest[0].type is STRING):
        return DirectiveFault.NO_NUMBER, (directive.arguments,)
    numbers = list(_numbers(rest))
    most = directive.arguments.count(",") + 1
    if len(numbers) > most:
        return DirectiveFault.ARGUMENTS, (str(most),)
    if directive.positive and 0 in numbers:
        return DirectiveFault.ZERO, ()
    if any(value is not None and value > _LARGEST for value in numbers):
        return DirectiveFault.OVERFLOW, ()
    return None, ()


def _numbers(rest: list[Token]) -> Iterator[int | float | None]:
    """The values of the numbers with commas between them that stand at the beginning."""
    for token in rest:
        if token.type is NUMBER:
            yield number(token.string)
        elif token.string != ",":
            break
