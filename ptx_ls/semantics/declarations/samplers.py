"""Checks the samplers in a module that separates them from textures (`texmode_independent`).

Source: PTX ISA, "Texture and Sampler References", as ptxas applies it. It requires no sampler for
`tex.base`, `tex.grad` and multisample textures.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.declarations.opaque_values import MODES
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax import parser
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.syntax.operands import OperandSyntax

_INDEPENDENT: Final = "texmode_independent"
_GEOMETRIES: Final = frozenset({"1d", "2d", "3d", "cube", "a1d", "a2d", "a3d", "acube"})
_OPCODES: Final = ("tex", "txq")
_ASKED: Final = ("txq.filter_mode", "txq.addr_mode_")
"""Queries of a sampler."""
_TEXTURE: Final = ".texref"
_OPERANDS_WITH_SAMPLER: Final = 3
"""Texture, sampler and coordinates."""
_WIDE_BITS: Final = 64
_OTHERS: Final = (".texref", ".surfref")


class BadSampler(NamedTuple):
    """A texture without a sampler; `found`: the operand in place of the sampler, or ""."""

    texture: str
    found: str
    start: FunctionPosition
    end: FunctionPosition


class IgnoredField(NamedTuple):
    """A field of a texture's initial value that belongs in the initial value of its sampler."""

    name: str
    start: FunctionPosition
    end: FunctionPosition


def check_samplers(
    text: RegionText, facts: RegionFacts, module: ModuleFacts
) -> Iterator[BadSampler | IgnoredField]:
    """Yields textures that are read without a sampler in a module that requires one.

    Also yields the fields of textures for filters and borders, which ptxas ignores.
    """
    if _INDEPENDENT not in module.context.target:
        return
    for found in text.statements(text.declarations, declaring_only=True):
        if _TEXTURE in found.text:
            yield from _fields(found)
    for found in text.statements_of(text.with_opcodes(_OPCODES)):
        if isinstance(found.record, Shape) and _reads(found.record):
            yield from _check(found, facts, module)


def _fields(found: Found) -> Iterator[IgnoredField]:
    for token, after in pairwise(tokenize(found.text)):
        if token.string in MODES and after.string == "=":
            yield IgnoredField(token.string, *token.placed(found.start))


def _reads(shape: Shape) -> bool:
    opcode, *modifiers = shape.opcode.split(".")
    if modifiers[:1] == ["level"]:
        del modifiers[0]
    is_sampled = opcode == "tex" and len(modifiers) > 1 and modifiers[0] in _GEOMETRIES
    return is_sampled or shape.opcode.startswith(_ASKED)


def _check(found: Found, facts: RegionFacts, module: ModuleFacts) -> Iterator[BadSampler]:
    written, _ = instruction_parts.of_instruction(parser.parse(found.text).tree)
    address = next((each for each in written if each.form is OperandForm.ADDRESS), None)
    if address is None:
        return
    elements = address.elements
    if len(elements) == _OPERANDS_WITH_SAMPLER - 1:
        second = elements[1]  # coordinates, unless these are after the brackets
        if second.form is OperandForm.VECTOR or _is_no_sampler(second.text, found, facts, module):
            yield _bad(elements[0], "", found)
    elif len(elements) in (1, _OPERANDS_WITH_SAMPLER):
        sampler = elements[len(elements) // 2]
        if _is_no_sampler(sampler.text, found, facts, module):
            yield _bad(sampler, sampler.text, found)


def _bad(part: OperandSyntax, name: str, found: Found) -> BadSampler:
    return BadSampler(
        part.text, name, shifted(part.start, found.start), shifted(part.end, found.start)
    )


def _is_no_sampler(name: str, found: Found, facts: RegionFacts, module: ModuleFacts) -> bool:
    """Whether a name is certainly not a sampler, such as a texture or a narrow register."""
    symbol = facts.lookup(name, found.start) or module.lookup(name)
    if symbol is None:
        return False
    if symbol.kind is SymbolKind.REGISTER:
        digits = symbol.type.lstrip(".busf")
        return digits.isdigit() and decimal(digits) < _WIDE_BITS
    return symbol.type in _OTHERS
