"""Compares the places in memory that threads of different blocks access."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.affine import AffineForm, TermKind, added
from ptx_ls.values.code_place import ENTRY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.values.affine import AffineTerm
    from ptx_ls.values.function_values import FunctionValues

_SAME_IN_GRID: Final = ("%ntid", "%nctaid")
_OF_THREAD: Final = ("%tid", "%laneid")
_SAME_IN_BLOCKS: Final = (*_OF_THREAD, *_SAME_IN_GRID)
_FIXED: Final = (TermKind.SYMBOL, TermKind.PARAMETER, TermKind.WINDOW)
_SHARED: Final = ".shared"
_UNKNOWN: Final = (TermKind.DEFINITION, TermKind.MERGE, TermKind.RANK)


class VaryingTerm(NamedTuple):
    """A part of an address that may differ between the threads of a grid.

    `term`: the number that is multiplied. `unit`: a number that divides the part. `low`, `high`:
    the least and the largest value of the part.
    """

    term: AffineTerm
    unit: int
    low: int
    high: int

    @property
    def is_unknown(self) -> bool:
        """Whether it is not known which threads have which value."""
        return self.term.kind in _UNKNOWN

    @property
    def negative(self) -> VaryingTerm:
        """The part with the other sign."""
        return self._replace(low=-self.high, high=-self.low)


class Place(NamedTuple):
    """The bytes that an access touches in each thread.

    `symbol`: the variable, or the pointer parameter, that the address begins with. `form`: the
    address. `fixed`: the part of it that is the same in all threads; `varying`: the other ones.
    `n_bytes`: the size of the access. `is_shared`: whether it is in shared memory.
    """

    symbol: Symbol
    form: AffineForm
    fixed: AffineForm
    varying: tuple[VaryingTerm, ...]
    n_bytes: int
    is_shared: bool

    @property
    def unit(self) -> int:
        """A number that divides the distances between the addresses of threads; 0 for one place."""
        return gcd(*(each.unit for each in self.varying))


def place_at(values: FunctionValues, symbol: Symbol, form: AffineForm, n_bytes: int) -> Place:
    """Returns the place at an address that begins with a variable or a pointer parameter."""
    varying = [it for it in form.terms if not _depends_only_on(it[0], _SAME_IN_GRID)]
    fixed = tuple(each for each in form.terms if each not in varying)
    parts = tuple(_part(values, *each) for each in varying)
    plain = AffineForm(form.width, fixed, form.offset)
    return Place(symbol, form, plain, parts, n_bytes, form.space == _SHARED)


def _part(values: FunctionValues, term: AffineTerm, times: int) -> VaryingTerm:
    value = values.term_value(term)
    written = [values.written(each).alignment for each in term.definitions if each != ENTRY]
    ends = (value.signed_low, value.signed_high) if term.is_signed else (value.low, value.high)
    low, high = sorted(each * times for each in ends)
    return VaryingTerm(term, abs(times) * max(value.alignment, gcd(*written)), low, high)


def is_same_in_blocks(form: AffineForm) -> bool:
    """Whether a number surely does not depend on the block."""
    return all(_depends_only_on(term, _SAME_IN_BLOCKS) for term, _ in form.terms)


def _depends_only_on(term: AffineTerm, names: tuple[str, ...]) -> bool:
    """Whether a term is the same wherever some special registers are."""
    if term.kind is TermKind.SPECIAL:
        return term.name.startswith(names)
    if term.kind is TermKind.PRODUCT:
        return all(_depends_only_on(each, names) for each in term.factors)
    return term.kind in _FIXED


def may_exchange(store: Place, load: Place, *, in_block: bool) -> bool:
    """Whether a thread may load what another thread has stored.

    `in_block`: whether the two are threads of one block, otherwise of two blocks. Returns False if
    each thread accesses elements of its own, or if the two are different parts of a buffer, or if
    an unknown index would have to be a given number.
    """
    if store.symbol != load.symbol or (load.is_shared and not in_block):
        return False
    if store.form == load.form:
        return not load.varying if in_block else is_same_in_blocks(load.form)
    apart = _distance(store, load)
    if apart is None:
        return bool(store.varying and load.varying)
    for own, other in (store, load), (load, store):
        if not own.varying and any(each.is_unknown for each in other.varying):
            return False
    terms = [*load.varying, *(each.negative for each in store.varying)]
    return _may_be_between(terms, apart, -load.n_bytes, store.n_bytes)


def are_same_flags(store: Place, wait: Place) -> bool:
    """Whether a store surely writes flags of those that threads wait for.

    Each of its places is one of a flag, or it is one place for each block, which may be a flag.
    """
    if store.symbol != wait.symbol:
        return False
    if store.form == wait.form:
        return True
    apart = _distance(store, wait)
    if apart is None:
        return False
    if wait.unit and not store.unit % wait.unit and not apart % wait.unit:
        return True
    if any(it.is_unknown or _depends_only_on(it.term, _OF_THREAD) for it in store.varying):
        return False
    terms = [*wait.varying, *(each.negative for each in store.varying)]
    return _may_be_between(terms, apart, -1, 1)


def _distance(store: Place, load: Place) -> int | None:
    """Returns how far the fixed parts of two addresses are apart; None if that is unknown."""
    if store.form.width != load.form.width:
        return None
    apart = added(load.fixed, store.fixed, -1)
    return None if apart is None or apart.terms else apart.offset


def _may_be_between(terms: Iterable[VaryingTerm], offset: int, low: int, high: int) -> bool:
    """Whether the sum of some parts and a number may be above `low` and below `high`."""
    terms = [*terms]
    unit = gcd(*(each.unit for each in terms))
    first = max(low + 1, offset + sum(each.low for each in terms))
    last = min(high - 1, offset + sum(each.high for each in terms))
    if unit:
        last = (last - offset) // unit * unit + offset
    return first <= last
