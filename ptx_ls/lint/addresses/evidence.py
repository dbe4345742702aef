"""Decides what a function uses as addresses: pointers, variables, or numbers in shared memory."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.access import accesses_in
from ptx_ls.semantics.instructions.memory_operands import ACCESSING, memory_operands
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.values.function_values import FunctionValues

_SHARED: Final = ".shared"
_POINTING: Final = ("", ".global")
"""The state spaces of accesses through pointers from outside."""


def is_global_pointer(symbol: Symbol | None, seen: CheckInput, values: FunctionValues) -> bool:
    """Whether a function uses a parameter as a pointer, or has no shared memory."""
    places = chain.from_iterable(seen.module.names.values())
    declared = chain(seen.facts.declared, (each.symbol for each in places))
    if symbol is None or not any(each.space == _SHARED for each in declared):
        return True
    rows = seen.text.lines_of(seen.text.with_shapes(seen.text.shapes_of(ACCESSING)))
    for found in seen.text.statements(rows):
        for access in accesses_in(found):
            if access.operand.space in _POINTING:
                form = values.address(found, access.operand.number).affine
                if form is not None and form.base is not None and form.base.symbol == symbol:
                    return True
    return False


def names_shared_variables(seen: CheckInput, values: FunctionValues) -> bool:
    """Whether a function accesses shared memory through the address of a variable with a size.

    Arrays of unknown size begin at 0 if there is no other variable.
    """
    shapes = {
        each
        for each in seen.text.shapes_of(ACCESSING)
        if any(it.space.startswith(_SHARED) for it in memory_operands(each))
    }
    for found in seen.text.statements(seen.text.lines_of(seen.text.with_shapes(shapes))):
        for access in accesses_in(found):
            form = values.address(found, access.operand.number).affine
            base = form.base if form is not None else None
            symbol = base.symbol if base is not None and base.kind is TermKind.SYMBOL else None
            if symbol is not None and not symbol.is_unsized:
                return True
    return False
