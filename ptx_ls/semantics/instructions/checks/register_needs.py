"""Checks reads of special registers that require a directive on the kernel.

ptxas does not check device functions. If a directive is repeated, the last one counts.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.problems.declarations import BadDirective, DirectiveFault
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax import parser
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.offsets import along, shifted
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.record import Kind, Shape
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_WARP: Final = "WARP_SZ"


def check_register_needs(
    text: RegionText,
    facts: RegionFacts,
    module: ModuleFacts,
    region: int,
    checker: InstructionChecker,
) -> Iterator[BadDirective]:
    """Yields the first use of each register whose directive the kernel lacks or sets to 0."""
    function = facts.function
    if not checker.demanding or function is None or function.kind is not SymbolKind.KERNEL:
        return
    given = _directives(text)
    lacking = {
        name: missing
        for name, required in checker.demanding.items()
        if (missing := tuple(one for one in required if one not in given))
    }
    shapes = {
        shape
        for shape in text.shapes
        if any(identifier.name in lacking for identifier in shape.identifiers)
    }
    for found in text.statements_of(text.with_shapes(shapes)):
        if not isinstance(found.record, Shape) or found.record not in shapes:
            continue
        for identifier in instruction_parts.of_instruction(parser.parse(found.text).tree)[1]:
            start = shifted(identifier.start, found.start)
            name = identifier.name
            declared = facts.lookup(name, start) or module.lookup(name, region, start)
            if name in lacking and declared is None:
                end = along(start, len(name))
                missing = lacking.pop(name)
                yield BadDirective(name, DirectiveFault.REQUIRED, missing, start, end)


def _directives(text: RegionText) -> frozenset[str]:
    """Returns the directives in the kernel's head, except those whose first number is 0."""
    given: set[str] = set()
    for found in text.of_kind(Kind.FUNCTION):
        for token, after in pairwise(tokenize(found.text)):
            if token.string.startswith("."):
                given.discard(token.string)
                if after.string == _WARP or number(after.string) != 0:
                    given.add(token.string)
    return frozenset(given)
