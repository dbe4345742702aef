"""Finds matrix fragments that are read in another way than they were written or read before.

Only the names of registers are compared, so what they hold may still be right.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum, auto
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.fragments import Fragment, FragmentForm
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_OPAQUE: Final = "wmma"
"""The family whose fragments have unknown orders."""
_ACCUMULATORS: Final = ("c", "d")
USES: Final = ("mma", _OPAQUE, "wgmma")
"""The families of instructions that compute with fragments."""


class FragmentFault(Enum):
    """The kind of a mistake in the use of a fragment."""

    ORDER = auto()
    MATRIX = auto()
    SHAPE = auto()
    LAYOUT = auto()
    SEVERAL = auto()
    REPEATED = auto()
    SHARED = auto()
    PART = auto()
    UNREAD = auto()
    LOADED = auto()


class FragmentSuspicion(NamedTuple):
    """A fragment that looks wrong next to others, which have to hold the same values.

    `before`: the one to show. `makers`: those that wrote its registers; if there are none, `before`
    is read, too.
    """

    fault: FragmentFault
    fragment: Fragment
    before: Fragment
    detail: str
    other: str
    makers: tuple[Fragment, ...] = ()


def suspicious_fragments(found: Sequence[Fragment]) -> Iterator[FragmentSuspicion]:
    """Yields the fragments among those of a function, in text order, that look wrong."""
    written: dict[str, Fragment] = {}
    known: dict[tuple[object, ...], Fragment] = {}
    orders = Counter((each.form.matrix, each.registers) for each in found)
    for _, group in groupby(found, key=lambda each: each.found.start):
        own = [*group]
        for fragment in own:
            if fragment.form.family in USES and not fragment.form.is_written:
                suspicion = _within(fragment, own)
                suspicion = suspicion or _against_makers(fragment, written)
                suspicion = suspicion or _against_others(fragment, known, orders)
                if suspicion is not None:
                    yield suspicion
        for fragment in own:
            if fragment.form.is_written:
                written.update(dict.fromkeys(fragment.registers, fragment))


def _within(fragment: Fragment, own: Sequence[Fragment]) -> FragmentSuspicion | None:
    """Compares a fragment that is read with the others of the same instruction."""
    for other in own:
        found = None if other is fragment else _beside(fragment, other)
        if found is not None:
            return FragmentSuspicion(found[0], fragment, other, found[1], "")
    return None


def _beside(fragment: Fragment, other: Fragment) -> tuple[FragmentFault, str] | None:
    """Returns what is wrong with a fragment, given another one of the same instruction."""
    mine, theirs = fragment.registers, other.registers
    shared = next((each for each in mine if each in theirs), "")
    is_accumulator = fragment.form.matrix in _ACCUMULATORS
    if not shared or len({*mine}) == 1 < len(mine):  # such as zero in all registers
        return None
    if is_accumulator and other.form.is_written:
        if _is_permuted(fragment, other):
            return FragmentFault.ORDER, _first_difference(fragment, other)
        repeated = next((each for each in mine if mine.count(each) > 1), "")
        if repeated:
            return (FragmentFault.REPEATED, repeated) if {*mine} < {*theirs} else None
        others = [each for each in mine if each not in theirs]
        return (FragmentFault.PART, others[0]) if others and len(mine) == len(theirs) else None
    if other.form.is_written or is_accumulator:
        return None
    if other.form.matrix in _ACCUMULATORS:
        is_constant = len({*theirs}) == 1 < len(theirs)
        return None if is_constant else (FragmentFault.SHARED, shared)
    # A product of a matrix with its transpose has most registers in both.
    is_mixed = len({*mine} & {*theirs}) == 1 < min(len(mine), len(theirs))
    is_later = (len(mine), -fragment.form.operand) < (len(theirs), -other.form.operand)
    return (FragmentFault.SHARED, shared) if is_mixed and is_later else None


def _is_permuted(fragment: Fragment, other: Fragment) -> bool:
    """Whether two fragments have the same different registers in another order."""
    mine, theirs = fragment.registers, other.registers
    return mine != theirs and len({*mine}) == len(mine) and sorted(mine) == sorted(theirs)


def _against_makers(
    fragment: Fragment, written: Mapping[str, Fragment]
) -> FragmentSuspicion | None:
    """Compares a fragment that is read with those that its registers were written as."""
    form, registers = fragment.form, fragment.registers
    repeated = next((each for each in registers if registers.count(each) > 1), "")
    if repeated:
        maker = written.get(repeated)
        if maker is None or len(maker.registers) == 1 or _is_broadcast(registers):
            return None
        return FragmentSuspicion(FragmentFault.REPEATED, fragment, maker, repeated, "", (maker,))
    makers = tuple(dict.fromkeys(written[name] for name in registers if name in written))
    is_whole = all(name in written for name in registers)
    if not is_whole or any(each.form.family != form.family for each in makers):
        return None
    if len(makers) > 1:
        is_mixed = form.family == _OPAQUE or form.matrix in _ACCUMULATORS
        suspicion = FragmentSuspicion(FragmentFault.SEVERAL, fragment, makers[1], "", "", makers)
        return suspicion if is_mixed else None
    maker = makers[0]
    fault = _misuse(fragment, maker) if len(registers) == len(maker.registers) else None
    return (
        None if fault is None else FragmentSuspicion(fault[0], fragment, maker, *fault[1:], makers)
    )


def _is_broadcast(registers: Sequence[str]) -> bool:
    """Whether each of several registers is there equally often, as in a matrix of equal rows."""
    counts = {registers.count(each) for each in registers}
    return len(counts) == 1 and len({*registers}) > 1


def _misuse(fragment: Fragment, maker: Fragment) -> tuple[FragmentFault, str, str] | None:
    """Returns how the registers of one fragment are used as a different one; None if they are not.

    The elements of fragments of `mma` are known, so these may be used for another matrix.
    """
    form, before = fragment.form, maker.form
    is_same = form.matrix == before.matrix or {form.matrix, before.matrix} <= {*_ACCUMULATORS}
    is_opaque = form.family == _OPAQUE
    if not is_same:
        names = form.matrix.upper(), before.matrix.upper()
        return (FragmentFault.MATRIX, *names) if is_opaque else None
    if _size(form) != _size(before):
        return (FragmentFault.SHAPE, form.shape, before.shape) if is_opaque else None
    if form.layout != before.layout:
        return FragmentFault.LAYOUT, form.layout, before.layout
    if fragment.registers != maker.registers:
        return FragmentFault.ORDER, _first_difference(fragment, maker), ""
    return None


def _size(form: FragmentForm) -> str:
    """Returns the size of a matrix; the depth of a product does not matter for its result."""
    return form.shape.partition("k")[0] if form.matrix in _ACCUMULATORS else form.shape


def _against_others(
    fragment: Fragment,
    known: dict[tuple[object, ...], Fragment],
    orders: Mapping[tuple[str, tuple[str, ...]], int],
) -> FragmentSuspicion | None:
    """Compares a fragment with the first one that has the same registers.

    An order that several instructions have, by `orders`, is intended.
    """
    form, registers = fragment.form, fragment.registers
    key = form.matrix, form.shape, form.family, frozenset(registers)
    before = known.setdefault(key, fragment)
    if orders[form.matrix, registers] > 1 or not _is_permuted(fragment, before):
        return None
    return FragmentSuspicion(
        FragmentFault.ORDER, fragment, before, _first_difference(fragment, before), ""
    )


def _first_difference(fragment: Fragment, other: Fragment) -> str:
    pairs = zip(fragment.registers, other.registers, strict=True)
    return next(name for name, before in pairs if name != before)
