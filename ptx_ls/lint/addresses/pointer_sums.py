"""Counts the pointers in addresses: each address is one pointer or variable, and an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.problems import InvalidAddress
from ptx_ls.lint.addresses.term_sources import is_size_of_memory, sources_of
from ptx_ls.semantics.declarations.storage import pointed_space
from ptx_ls.values.affine import TermKind, without_conversions

if TYPE_CHECKING:
    from ptx_ls.lint.addresses.access import Access
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.function_values import FunctionValues

_GLOBAL: Final = ".global"
_LOCAL: Final = ".local"
_INNER: Final = (_LOCAL, ".shared", ".shared::cta")
_SMALL: Final = 1 << 16
"""A number from which a part of a local address may be the address of a variable."""
_NARROW: Final = 32
_WIDE: Final = 64
_UNKNOWN: Final = (TermKind.DEFINITION, TermKind.MERGE)
"""Terms that may be anything, such as what is loaded from memory."""
_POINTERS: Final = (TermKind.SYMBOL, TermKind.PARAMETER)
_SEVERAL: Final = 2


def invalid_address(
    access: Access, form: AffineForm, values: FunctionValues
) -> InvalidAddress | None:
    """Returns an address without a pointer, or with several; None for others."""
    if access.operand.space in _INNER:
        return _without_variable(access, form, values)
    if access.operand.space not in ("", _GLOBAL) or form.width != _WIDE:
        return None
    if not form.windows.keys() <= {_GLOBAL} or form.is_mapped:
        return None
    if any(abs(times) >> _NARROW for _, times in form.terms):
        return None  # the upper half is added, too
    may_point = (*_POINTERS, *_UNKNOWN)
    whole = [it for it in form.terms if it[0].width == _WIDE and it[0].kind in may_point]
    if any(times == 1 for _, times in whole):
        is_wrong = _has_several(form, whole)
    else:
        is_wrong = _has_none(form, whole, values)
    if not is_wrong:
        return None
    pointers = [(it.name, times) for it, times in whole]
    is_subtracted = all(times < 0 for _, times in pointers)
    names = tuple(name for name, times in pointers if times > 0 or is_subtracted)
    value = str(without_conversions(form))
    return InvalidAddress(access.address.text, value, names, is_subtracted, *access.span)


def _without_variable(
    access: Access, form: AffineForm, values: FunctionValues
) -> InvalidAddress | None:
    """Returns an address in .local or .shared that surely does not depend on a variable there."""
    if form.windows or form.is_mapped or not form.terms:
        return None
    is_shared = access.operand.space != _LOCAL
    if any(_may_be_variable(*each, values, is_shared=is_shared) for each in form.terms):
        return None
    space, value = access.operand.space, str(without_conversions(form))
    return InvalidAddress(access.address.text, value, (), False, *access.span, space)


def _may_be_variable(
    term: AffineTerm, times: int, values: FunctionValues, *, is_shared: bool
) -> bool:
    """Whether a part of an address may be the address of a variable, or an offset that is one."""
    if term.kind in (TermKind.SYMBOL, TermKind.PARAMETER, TermKind.MERGE):
        return True
    if term.kind is not TermKind.DEFINITION:
        return is_size_of_memory(term.name)  # an offset of dynamic shared memory
    if is_shared and times == 1:
        return True  # all addresses are small numbers
    sources = sources_of(term.definitions[0], values.flow)
    is_large = times == 1 and values.term_value(term).high >= _SMALL
    return is_large or sources.has_variable or (times != 1 and sources.has_data)


def _has_none(
    form: AffineForm, whole: list[tuple[AffineTerm, int]], values: FunctionValues
) -> bool:
    """Whether an address that is not constant surely contains no pointer, or a multiple of one."""
    if any(it.kind in _UNKNOWN for it, _ in whole) or not without_conversions(form).terms:
        return False
    return bool(whole) or not any(_may_be_narrow_pointer(*each, values) for each in form.terms)


def _may_be_narrow_pointer(term: AffineTerm, times: int, values: FunctionValues) -> bool:
    """Whether a number of 32 bits may be a pointer that a program stores in fewer bits."""
    if term.kind is TermKind.PARAMETER:
        return term.width < _WIDE and times == 1
    if term.kind not in _UNKNOWN:
        return False
    if times == 1 or term.kind is TermKind.MERGE:
        return True
    sources = sources_of(term.definitions[0], values.flow)
    return sources.has_variable or sources.has_data


def _has_several(form: AffineForm, whole: list[tuple[AffineTerm, int]]) -> bool:
    """Whether an address is surely the sum of several pointers."""
    if any(times < 0 for _, times in whole):
        return False
    if len(whole) < _SEVERAL:
        return False
    known = [it for it, _ in whole if _is_pointer(it)]
    return len(known) >= _SEVERAL or abs(form.windows.get(_GLOBAL, 0)) >= _SEVERAL


def _is_pointer(term: AffineTerm) -> bool:
    """Whether a term is surely an address."""
    if term.kind is TermKind.SYMBOL:
        return True
    return term.symbol is not None and bool(pointed_space(term.symbol))
