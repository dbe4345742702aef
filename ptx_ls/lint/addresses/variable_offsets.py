"""Finds at which offset in a variable an instruction accesses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.access import accesses_in, offset_of, variable_of
from ptx_ls.values.abstract_value import constant
from ptx_ls.values.affine import number_form
from ptx_ls.values.function_values import function_values

if TYPE_CHECKING:
    from ptx_ls.flow.slices.object_accesses import ObjectAccess
    from ptx_ls.lint.addresses.access import Access
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.values.abstract_value import AbstractValue

_WIDTH: Final = 64


def access_of(found: ObjectAccess) -> Access | None:
    """Returns the access to memory whose address is the operand of an access to a variable."""
    for each in accesses_in(found.found):
        if each.operand.number == found.operand:
            return each
    return None


def offset_in(symbol: Symbol, access: Access, seen: CheckInput) -> AbstractValue | None:
    """Returns what is known of the offset in a variable, as a sum without its address.

    Returns None if the address may be that of something else.
    """
    named = variable_of(seen, access.address, access.found.start)
    if named is not None:
        offset = offset_of(access.address, named) if named == symbol else None
        if offset is None:
            return None
        return constant(_WIDTH, offset)._replace(affine=number_form(_WIDTH, offset))
    values = function_values(seen.function, seen.module)
    form = values.address(access.found, access.operand.number).affine
    base = None if form is None else form.base
    if form is None or base is None or base.symbol != symbol:
        return None
    return values.bounds(form.index, access.found)
