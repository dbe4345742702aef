"""The names in an instruction: by regular expressions where it is plain, else from its tree."""

from __future__ import annotations

import re
from sys import intern
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax import parser
from ptx_ls.syntax.operands import Identifier, of_instruction

if TYPE_CHECKING:
    from ptx_ls.syntax.record import Shape

_PLAIN: Final = re.compile(
    r"[ \t]*+(?:@[ \t]*+!?+[ \t]*+([%\w$]++)[ \t]++)?[a-z][\w.:]*+(?:[ \t]++([^;\"/]*+))?;",
    re.ASCII,
).match
_NAME: Final = re.compile(
    r"(?<![\w$.%])(?!_(?![\w$.]))(?:%[\w$]++|[A-Za-z_$][\w$]*+)(?:\.\w++)*", re.ASCII
)


def names_of(shape: Shape, text: str) -> list[str]:
    """The names of a statement in the order of the shape's identifiers, with their dotted parts."""
    match = _PLAIN(text)
    if match is not None and not shape.has_gap:
        guard, arguments = match.groups()
        names = [guard] if guard else []
        names += _NAME.findall(arguments) if arguments else []
        if len(names) == len(shape.identifiers):
            return names
    return [identifier.full for identifier in of_instruction(parser.parse(text).tree)[1]]


def identifiers_of(shape: Shape, text: str) -> list[Identifier] | tuple[Identifier, ...]:
    """The names of a statement at their places, in the order of the shape's identifiers."""
    match = _PLAIN(text)
    if match is not None and not shape.has_gap and "\n" not in text and "\r" not in text:
        spans = [match.span(1)] if match[1] else []
        if match[2]:
            spans += [name.span() for name in _NAME.finditer(text, *match.span(2))]
        if len(spans) == len(shape.identifiers):
            return [_identifier(text[start:end], start, end) for start, end in spans]
    return of_instruction(parser.parse(text).tree)[1]


def _identifier(full: str, start: int, end: int) -> Identifier:
    # Interned, because thousands of mismatches may keep the same name.
    return Identifier(intern(full.partition(".")[0]), full, (0, start), (0, end))
