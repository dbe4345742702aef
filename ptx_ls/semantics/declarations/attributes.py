"""Checks the attributes in `.attribute(...)`.

Source: PTX ISA, "Variable and Function Attribute Directive: .attribute".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.problems.declarations import BadDirective, DirectiveFault
from ptx_ls.semantics.problems.module import NeedsLinking
from ptx_ls.syntax.tokens import FUNCTION, NUMBER, SPACE, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_ATTRIBUTE: Final = ".attribute"
_MANAGED: Final = ".managed"
_UNIFIED: Final = ".unified"
_SPACE: Final = ".global"
_FUNCTION: Final = ".func"
"""The directive of functions, which have at most one attribute, unlike variables."""
_NUMBERS: Final = ["(", "0", ",", "0", ")"]
"""The tokens after `.unified`, with 0 for a number."""


def check_attributes(text: RegionText, facts: RegionFacts) -> Iterator[BadDirective | NeedsLinking]:
    """Yields attributes that do not exist, have wrong arguments, or cannot be where they are.

    Also yields those that ptxas accepts only in a module to be linked with others.
    """
    is_directive = any(_ATTRIBUTE in directive.text for directive in facts.directives)
    if not is_directive and not text.declarations_with(_ATTRIBUTE):
        return
    for found in text.statements(text.declaring, declaring_only=True):
        if _ATTRIBUTE in found.text and found.start not in facts.unnamed:
            yield from _check_statement(found)


def _check_statement(found: Found) -> Iterator[BadDirective | NeedsLinking]:
    stream = list(tokenize(found.text))
    owner = next((token.string for token in stream if token.type in (FUNCTION, SPACE)), "")
    is_given = False
    for index, token in enumerate(stream):
        if token.string != _ATTRIBUTE:
            continue
        for name, arguments in _items(stream[index + 2 :]):
            fault = _fault(name.string, arguments, owner)
            if is_given and owner == _FUNCTION and fault is None:
                fault = DirectiveFault.REPEATED, ()
            is_given = True
            start, end = name.placed(found.start)
            if fault is not None:
                yield BadDirective(name.string, *fault, start, end)
            elif name.string == _UNIFIED:
                yield NeedsLinking(name.string, start, end)


def _items(tokens: list[Token]) -> Iterator[tuple[Token, list[str]]]:
    """Yields each attribute in a list with its arguments, as tokens with 0 for numbers."""
    depth = 0
    name: Token | None = None
    arguments: list[str] = []
    for token in tokens:
        if not depth and token.string in (",", ")"):
            if name is not None:
                yield name, arguments
            name, arguments = None, []
            if token.string == ")":
                return
            continue
        if name is None:
            name = token
            continue
        depth += (token.string == "(") - (token.string == ")")
        arguments.append("0" if token.type is NUMBER else token.string)


def _fault(
    name: str, arguments: list[str], owner: str
) -> tuple[DirectiveFault, tuple[str, ...]] | None:
    if name not in (_MANAGED, _UNIFIED):
        return DirectiveFault.ATTRIBUTE, (_MANAGED, _UNIFIED)
    if arguments != (_NUMBERS if name == _UNIFIED else []):
        return (DirectiveFault.PAIR if name == _UNIFIED else DirectiveFault.NO_NUMBER), ()
    owners = (_SPACE, ".func") if name == _UNIFIED else (_SPACE,)
    return None if owner in owners else (DirectiveFault.OWNER, owners)
