"""Checks array elements such as `table[%r1]`: the array, the index and where they are used.

Source: PTX ISA, "Arrays as Operands", as ptxas applies it.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.instructions.operands import SPECIAL, has_index, misuse, misused_offset
from ptx_ls.semantics.symbols.symbols import FUNCTION_KINDS, UNKNOWN_TYPE, SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax import parser
from ptx_ls.syntax.offsets import along, shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.parsing import instruction_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Facts, Symbol
    from ptx_ls.syntax.operands import OperandSyntax

_INDEXED: Final = "n["
"""A text that the shape of every statement with an array element contains."""
_COUNTING: Final = (OperandForm.IDENTIFIER, OperandForm.INTEGER, OperandForm.EXPRESSION)
_NO_INTEGERS: Final = (".pred", ".f16", ".f16x2", ".f32", ".f64", ".b128")


class IndexFault(Enum):
    """The kind of an error in an array element."""

    NO_ARRAY = auto()
    INSIDE = auto()
    """The element is within an address, a vector or a list."""
    INDEX = auto()
    """The index is not an integer."""
    SUM = auto()
    """The index is an expression other than `register + constant`."""


class BadIndex(NamedTuple):
    """An invalid array element. `text`: the name, the index, or the whole element.

    `symbol`: for NO_ARRAY, the symbol of the name. `type`: for INDEX, the type of a register.
    """

    fault: IndexFault
    text: str
    start: FunctionPosition
    end: FunctionPosition
    symbol: Symbol | None = None
    is_near: bool = True
    type: str = ""


class ArrayIndexCheck:
    """Checks the elements of arrays in one function; `special` gives facts of special registers."""

    def __init__(
        self,
        text: RegionText,
        facts: RegionFacts,
        module: ModuleFacts,
        region: int,
        special: Callable[[str, str], Facts | None],
    ) -> None:
        self._text, self._facts, self._module = text, facts, module
        self._region, self._special = region, special

    def check(self) -> Iterator[BadIndex]:
        """Yields the faults of the elements, in the order of the text."""
        guilty = {shape for shape in self._text.shapes if _INDEXED in shape.text}
        for found in self._text.statements_of(self._text.with_shapes(guilty)):
            if found.record in guilty:
                yield from self._statement(found)

    def _statement(self, found: Found) -> Iterator[BadIndex]:
        written, _ = instruction_parts.of_instruction(parser.parse(found.text).tree)
        for operand in written:
            if _is_element(operand):
                yield from self._element(operand, found)
            for part in operand.elements if operand.form is not OperandForm.IDENTIFIER else ():
                if _is_element(part):
                    yield _bad(IndexFault.INSIDE, part, found)

    def _element(self, operand: OperandSyntax, found: Found) -> Iterator[BadIndex]:
        name = operand.text.partition("[")[0].strip()
        symbol, is_near = self._symbol(name, found)
        if symbol is not None and not symbol.dimensions and symbol.type != UNKNOWN_TYPE:
            start = shifted(operand.start, found.start)
            end = along(start, len(name))
            yield BadIndex(IndexFault.NO_ARRAY, name, start, end, symbol, is_near)
            return
        for index in operand.elements:
            yield from self._index(index, found)

    def _index(self, index: OperandSyntax, found: Found) -> Iterator[BadIndex]:
        is_negative = index.form is OperandForm.IDENTIFIER and index.negation
        if is_negative or misuse(index):
            yield _bad(IndexFault.SUM, index, found)
        elif index.form not in _COUNTING or misused_offset(index):
            yield _bad(IndexFault.INDEX, index, found)
        elif index.form is OperandForm.IDENTIFIER:
            name = index.text.partition("+")[0].strip()
            kind, type_, size = self._meaning(name, found)
            if kind in FUNCTION_KINDS or type_ in _NO_INTEGERS or size > 1:
                yield _bad(IndexFault.INDEX, index, found, type_)

    def _meaning(self, name: str, found: Found) -> tuple[str, str, int]:
        """Returns the kind, type and vector size of a name in an index; "", "" and 1 if unknown."""
        symbol, _ = self._symbol(name, found)
        facts = symbol.facts if symbol is not None else self._special(name, name)
        if facts is None or facts.kind not in (SymbolKind.REGISTER, SPECIAL, *FUNCTION_KINDS):
            return "", "", 1
        return facts.kind, facts.type, facts.vector_size

    def _symbol(self, name: str, found: Found) -> tuple[Symbol | None, bool]:
        """Returns the symbol that a name means, and whether this function declares it."""
        symbol = self._facts.lookup(name, found.start)
        if symbol is not None:
            return symbol, True
        return self._module.lookup(name, self._region, found.start), False


def _is_element(operand: OperandSyntax) -> bool:
    return operand.form is OperandForm.IDENTIFIER and has_index(operand)


def _bad(fault: IndexFault, part: OperandSyntax, found: Found, type_: str = "") -> BadIndex:
    start, end = shifted(part.start, found.start), shifted(part.end, found.start)
    return BadIndex(fault, part.text, start, end, type=type_)
