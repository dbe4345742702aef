"""The mbarrier objects of a function, and what its statements do with them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import MBARRIER_ARRIVALS, MBARRIER_WAITS, address_of, number_of
from ptx_ls.values.affine import TermKind, resized, without_conversions
from ptx_ls.values.affine_values import is_stable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

INIT: Final = "mbarrier init"
INVAL: Final = "mbarrier inval"
EXPECT: Final = "mbarrier expect"
COMPLETE: Final = "mbarrier complete"
ARRIVALS: Final = MBARRIER_ARRIVALS
PARTIAL: Final = frozenset({"mbarrier partial arrive", "mbarrier partial drop"})
TRACK: Final = "mbarrier track"
UNCOUNTED: Final = "mbarrier track uncounted"
WAITS: Final = MBARRIER_WAITS
_PREFIX: Final = "mbarrier"
_WIDTH: Final = 32
OBJECT: Final = 8
"""Number of bytes of an object."""


class MbarrierUse(NamedTuple):
    """A statement that does something with an mbarrier object.

    Attributes:
        number: the number of its site.
        action: what it does, as in `ptx_ls.isa.event_words.ACTIONS`.
        form: the address of the object; None if it is unknown.
        amount: the number that belongs to it: arrivals, bytes, a count, a parity; None if unknown.
        is_remote: whether the object is in another block of the cluster.
        symbol: the variable that the object is in.
        is_constant: whether the object is at a constant place in that variable.
    """

    number: int
    action: str
    form: AffineForm | None
    amount: int | None
    is_remote: bool
    symbol: Symbol | None = None
    is_constant: bool = False

    def may_be(self, other: MbarrierUse) -> bool:
        """Whether both may be about the same object."""
        one, two = self.symbol, other.symbol
        if self.form is None or other.form is None or one is None or two is None:
            return True
        if one != two:
            return not (one.is_definition or two.is_definition)  # `.extern` arrays share memory
        if not (self.is_constant and other.is_constant):
            return True
        return abs(self.form.offset - other.form.offset) < OBJECT

    def surely_is(self, other: MbarrierUse) -> bool:
        """Whether both are about the same object, each time they are executed."""
        return self.form is not None and self.form == other.form and is_stable(self.form)


def mbarrier_uses(values: FunctionValues, sites: Iterable[EventSite]) -> Iterator[MbarrierUse]:
    """Yields what some statements of a function do with mbarrier objects, in order."""
    for number, site in enumerate(sites):
        for sync in site.syncs:
            if not sync.action.startswith(_PREFIX) or not sync.operand:
                continue
            form = address_of(values, site, sync.operand)
            is_remote = form is not None and form.is_mapped
            plain = None if form is None else resized(without_conversions(form), _WIDTH)
            amount = number_of(values, site, sync.argument) if sync.argument else sync.amount
            symbol = _symbol(plain)
            is_constant = symbol is not None and plain is not None and len(plain.terms) == 1
            yield MbarrierUse(number, sync.action, plain, amount, is_remote, symbol, is_constant)


def _symbol(form: AffineForm | None) -> Symbol | None:
    base = None if form is None else form.base
    return base.symbol if base is not None and base.kind is TermKind.SYMBOL else None


class MbarrierObjects:
    """The uses of mbarrier objects in a function."""

    def __init__(self, sites: AsyncSites) -> None:
        self.sites = sites

    @cached_property
    def uses(self) -> tuple[MbarrierUse, ...]:
        """All uses in order."""
        return tuple(mbarrier_uses(self.sites.values, self.sites.sites))

    def doing(self, *actions: str) -> list[MbarrierUse]:
        """Returns the uses with some actions."""
        return [each for each in self.uses if each.action in actions]

    def like(self, use: MbarrierUse, *actions: str) -> list[MbarrierUse]:
        """Returns the uses with some actions that may be about the same object."""
        return [each for each in self.doing(*actions) if each.may_be(use)]

    @cached_property
    def has_remote(self) -> bool:
        """Whether objects of other blocks of the cluster take part, so that others arrive, too."""
        return any(each.is_remote for each in self.uses) or any(
            site.known is not None
            and any(it.space == "shared::cluster" for it in site.known.events.accesses)
            and any(part in site.found.text for part in _OF_CLUSTER)
            for site in self.sites.sites
        )

    def completed_by(self, number: int) -> MbarrierUse | None:
        """Returns the object that a copy signals when it completes."""
        found = (it for it in self.uses if it.number == number and it.action == COMPLETE)
        return next(found, None)


_OF_CLUSTER: Final = (".multicast", "cta_group::2")
"""Parts of instructions that signal objects of several blocks."""


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def mbarrier_objects(sites: AsyncSites) -> MbarrierObjects:
    """Returns the mbarrier objects of a function."""
    return MbarrierObjects(sites)
