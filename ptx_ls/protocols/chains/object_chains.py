"""Groups the statements that use mbarrier objects by the object that they are about.

An address that depends on the stage of a pipeline is about one of several objects; such objects
form a ring.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.chains.relations import ChainRelation
from ptx_ls.protocols.mbarriers.objects import MbarrierUse, mbarrier_uses
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.affine import AffineForm, TermKind, resized, without_conversions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ptx_ls.protocols.protocol_sites import ProtocolSites
    from ptx_ls.values.affine import AffineTerm
    from ptx_ls.values.function_values import FunctionValues

_STEP: Final = 8
"""Number of bytes of an object."""
_MAX_RING: Final = 64 * _STEP
"""Number of bytes of the largest ring whose range is believed."""
_MAX_MERGED: Final = 16
"""Number of definitions between an address and the variable that it is in."""
_WIDTH: Final = 32
"""Width of addresses in shared memory."""


class MbarrierGroup:
    """An mbarrier object, or the objects of a ring.

    Attributes:
        name: its address, such as `bar+8`; "" if it does not begin with a variable.
        is_ring: whether it has several objects, of which an address names one.
        uses: what statements do with it, in order.
    """

    def __init__(self, name: str, uses: Sequence[MbarrierUse], *, is_ring: bool) -> None:
        self.name, self.uses, self.is_ring = name, uses, is_ring

    @cached_property
    def roles(self) -> Mapping[ChainRelation, list[MbarrierUse]]:
        """The uses by what they do, in the order of `ChainRelation`."""
        found: dict[ChainRelation, list[MbarrierUse]] = {}
        for use in self.uses:
            found.setdefault(ChainRelation.of_action(use.action), []).append(use)
        return {each: found[each] for each in ChainRelation if each in found}

    @cached_property
    def _by_number(self) -> Mapping[int, list[MbarrierUse]]:
        found: dict[int, list[MbarrierUse]] = {}
        for use in self.uses:
            found.setdefault(use.number, []).append(use)
        return found

    def uses_at(self, number: int) -> Sequence[MbarrierUse]:
        """Returns what one statement does with it."""
        return self._by_number.get(number, ())

    @property
    def n_arrivals(self) -> int | None:
        """The number of arrivals that complete a phase; None if it differs, or is unknown."""
        counts = {each.amount for each in self.roles.get(ChainRelation.INIT, ())}
        return next(iter(counts)) if len(counts) == 1 else None


class _ObjectPlace(NamedTuple):
    """The bytes that an address may name, after its base: from `low` up to `high`, if known."""

    base: AffineTerm | None
    low: int
    high: int | None
    use: MbarrierUse

    @property
    def is_fixed(self) -> bool:
        return self.low == self.high


_NO_USE: Final = MbarrierUse(-1, "", None, None, is_remote=False)


def mbarrier_groups(sites: ProtocolSites) -> tuple[MbarrierGroup, ...]:
    """Returns the mbarrier objects of a function that its statements name, by their addresses."""
    by_base: dict[AffineTerm | None, list[_ObjectPlace]] = {}
    for use in mbarrier_uses(sites.values, sites.sites):
        if use.form is not None:
            place = _place(sites, use, use.form)
            by_base.setdefault(place.base, []).append(place)
    found = [each for own in by_base.values() for each in _grouped(own)]
    return tuple(sorted(found, key=lambda each: each.uses[0].number))


def _place(sites: ProtocolSites, use: MbarrierUse, form: AffineForm) -> _ObjectPlace:
    merged = _merged(sites.values, form) if use.symbol is None else None
    if merged is not None:
        return merged._replace(use=use)
    base, index = form.base, form.index
    if not index.terms:
        return _ObjectPlace(base, index.offset, index.offset, use)
    varying = AffineForm(index.width, index.terms, 0)
    bounds = sites.values.bounds(varying, sites.sites[use.number].found)
    if bounds.signed_low >= 0 and bounds.high <= _MAX_RING:
        return _ObjectPlace(base, index.offset + bounds.low, index.offset + bounds.high, use)
    return _ObjectPlace(base, index.offset, None, use)


def _merged(values: FunctionValues, form: AffineForm) -> _ObjectPlace | None:
    """Returns the places of a register that holds one of several addresses in a variable."""
    offsets: set[int] = set()
    bases: set[AffineTerm] = set()
    seen, waiting, is_open = set[int](), [form], False
    while waiting:
        each = waiting.pop()
        base, index = each.base, each.index
        if base is None or (index.terms and base.kind is not TermKind.SYMBOL):
            return None
        if base.kind is TermKind.SYMBOL:
            bases.add(base)
            offsets.add(index.offset)
            is_open |= bool(index.terms)
            continue
        new = [it for it in base.definitions if it not in seen]
        seen.update(new)
        if not base.definitions or len(seen) > _MAX_MERGED:
            return None
        for definition in new:
            own = _plain(values.definition_form(definition))
            if own is None:
                return None
            waiting.append(own._replace(offset=own.offset + index.offset))
    if len(bases) != 1:
        return None
    return _ObjectPlace(bases.pop(), min(offsets), None if is_open else max(offsets), _NO_USE)


def _plain(form: AffineForm | None) -> AffineForm | None:
    return None if form is None else resized(without_conversions(form), _WIDTH)


def _grouped(places: Sequence[_ObjectPlace]) -> Iterator[MbarrierGroup]:
    """Yields the objects at places with the same base."""
    fixed = sorted({each.low for each in places if each.is_fixed})
    starts = sorted({each.low for each in places if not each.is_fixed})
    ends = {each: _end(each, places, fixed, starts) for each in starts}
    members: dict[int, list[_ObjectPlace]] = {}
    for each in places:
        owner = each.low
        for start in starts:
            if start <= each.low <= ends[start]:
                owner = min(owner, start)
        members.setdefault(owner, []).append(each)
    for start, own in members.items():
        own.sort(key=lambda each: each.use.number)
        name = _name(own[0].base, start)
        yield MbarrierGroup(name, [each.use for each in own], is_ring=start in ends)


def _end(
    start: int, places: Iterable[_ObjectPlace], fixed: Sequence[int], starts: Sequence[int]
) -> int:
    """Returns the last object of a ring: as far as addresses reach, or the objects are adjacent."""
    highs = [each.high for each in places if each.low == start and not each.is_fixed]
    known = [each for each in highs if each is not None]
    if len(known) == len(highs):
        return max(known)
    end = start
    while end + _STEP in fixed and end + _STEP not in starts:
        end += _STEP
    return end


def _name(base: AffineTerm | None, offset: int) -> str:
    if base is None or base.symbol is None:
        return ""
    return f"{base.name}+{offset}" if offset else base.name
