"""Finds the values that a function passes in its calls."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.calls.call_sites import call_sites, position
from ptx_ls.semantics.constants.values import integer_of
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.calls import items_of
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.affine import number_form

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.written.calls import CallPart
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

_PARAMETER: Final = ".param"
_STORED: Final = 1
_PASSED: Final = (OperandForm.IDENTIFIER, OperandForm.INTEGER)
_WIDEST: Final = 64


class PassedValue(NamedTuple):
    """A value that is passed in a call.

    Attributes:
        text: the operand that has it, as written.
        form: the value as a sum; None if that is not known.
        found: the instruction that reads the operand: a store to the argument, or the call.
        span: the place of the operand.
    """

    text: str
    form: AffineForm | None
    found: Found
    span: FunctionSpan


class ArgumentValues:
    """The arguments of the calls of a function.

    Attributes:
        stores: the stores to each variable in .param, by the place where it is declared.
        n_calls: how many calls name each of them as an argument.
    """

    def __init__(self, text: RegionText, facts: RegionFacts) -> None:
        self._text, self._facts = text, facts

    @cached_property
    def stores(self) -> dict[FunctionPosition, list[Found]]:
        """The stores to each variable in .param, by the place where it is declared."""
        shapes = {each for each in self._text.shapes_of(("st",)) if _PARAMETER in each.opcode}
        found: dict[FunctionPosition, list[Found]] = {}
        for store in self._text.statements_of(self._text.with_shapes(shapes)):
            if isinstance(store.record, Shape) and store.record in shapes:
                name = store.text.partition("[")[2].partition("]")[0].partition("+")[0].strip()
                symbol = self._facts.lookup(name, store.start)
                if symbol is not None:
                    found.setdefault(symbol.start, []).append(store)
        return found

    @cached_property
    def n_calls(self) -> dict[FunctionPosition, int]:
        """How many calls name each variable in .param as an argument."""
        found: dict[FunctionPosition, int] = {}
        for call, written in call_sites(self._text):
            for item in items_of(written.arguments):
                symbol = self.variable(call, item)
                if symbol is not None:
                    found[symbol.start] = found.get(symbol.start, 0) + 1
        return found

    def variable(self, call: Found, item: CallPart) -> Symbol | None:
        """Returns the variable in .param that is an argument of a call, if it is one."""
        symbol = self._facts.lookup(item.text, call.start)
        if symbol is None or symbol.space != _PARAMETER or symbol.kind is not SymbolKind.VARIABLE:
            return None
        return symbol

    def store(self, call: Found, item: CallPart) -> Found | None:
        """Returns the only store to the variable that is an argument of a call only."""
        symbol = self.variable(call, item)
        if symbol is None or symbol.dimensions or self.n_calls.get(symbol.start) != 1:
            return None
        stores = self.stores.get(symbol.start, [])
        is_plain = len(stores) == 1 and stores[0].start < call.start
        return stores[0] if is_plain and not stores[0].text.lstrip().startswith("@") else None

    def value(self, call: Found, item: CallPart, values: FunctionValues) -> PassedValue | None:
        """Returns the value of an argument of a call; None if it is not a register or constant."""
        store = self.store(call, item)
        if store is None:
            if self.variable(call, item) is not None:
                return None
            span = position(call, item.start), position(call, item.end)
            number = integer_of(item.text)
            if number is not None:
                return PassedValue(item.text, number_form(_WIDEST, number), call, span)
            return PassedValue(item.text, _form(values.register(call, item.text)), call, span)
        operands = (
            written_operands(store.record, store.text) if isinstance(store.record, Shape) else ()
        )
        if len(operands) != 2 or operands[_STORED].form not in _PASSED:  # noqa: PLR2004
            return None
        source = operands[_STORED]
        span = shifted(source.start, store.start), shifted(source.end, store.start)
        return PassedValue(source.text, _form(values.operand(store, _STORED)), store, span)


def _form(value: AbstractValue | None) -> AffineForm | None:
    """Returns a value as a sum; None if it is not known as one."""
    if value is None or value.constant is None:
        return None if value is None else value.affine
    return number_form(value.width, value.constant)


def bytes_at(found: Found) -> tuple[int, int] | None:
    """Returns which bytes of a parameter or an argument a load or store accesses.

    These are the first one and their number; None if they are unknown.
    """
    if not isinstance(found.record, Shape):
        return None
    operands = memory_operands(found.record)
    if len(operands) != 1 or operands[0].size <= 0:
        return None
    written = written_operands(found.record, found.text)[operands[0].number]
    name, _, offset = written.text.strip("[] ").partition("+")
    first = integer_of(offset.strip()) if offset else 0
    is_plain = written.form is OperandForm.ADDRESS and name.strip().isidentifier()
    return (first, operands[0].size) if is_plain and first is not None else None
