"""Affine forms: sums of multiples of terms, such as `sm + 4*%tid.x + 16`.

A form is a number modulo 2**width. Its terms are whole numbers: the unsigned or the signed reading
of what a register, a parameter or a special register holds.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import pointed_space
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.known_bits import as_signed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ptx_ls.semantics.symbols.symbols import Symbol

GENERIC: Final = "generic"
_CLUSTER: Final = ".shared::cluster"
MAX_TERMS: Final = 8
"""Maximum number of terms of a form."""
_PARTS_OF_SPACES: Final = {"::cta": "", "::entry": "", "::func": ""}


class TermKind(StrEnum):
    """The kind of a term."""

    SYMBOL = "symbol"
    """The address of a variable in its own state space."""
    PARAMETER = "parameter"
    """A parameter of the function, or a part of one."""
    SPECIAL = "special register"
    COUNTER = "loop counter"
    """How many iterations of a loop are finished."""
    DEFINITION = "definition"
    """The value that an instruction writes to a register."""
    MERGE = "merge"
    """The value of a register where several definitions of it meet."""
    PRODUCT = "product"
    """The product of the two factors in `factors`."""
    WINDOW = "window"
    """The generic address of the start of a state space."""
    RANK = "rank"
    """The number that `mapa` adds to an address to reach another block of the cluster."""


class AffineTerm(NamedTuple):
    """A whole number that an affine form multiplies.

    Attributes:
        kind: what it is the value of.
        name: of the symbol, parameter, special register, register or state space.
        width: the number of bits of the value.
        is_signed: whether the number is the signed reading of these bits.
        symbol: the declaration of a symbol or parameter.
        offset: where the value begins in a parameter, in bytes.
        definitions: the uses that write it, for a definition, merge or rank.
        factors: the factors of a product.
        head: the number of the first block of the loop, for a counter.
        is_stable: whether it has one value in each execution of the function.
    """

    kind: TermKind
    name: str
    width: int
    is_signed: bool = False
    symbol: Symbol | None = None
    offset: int = 0
    definitions: tuple[int, ...] = ()
    factors: tuple[AffineTerm, ...] = ()
    head: int = -1
    is_stable: bool = True

    def __str__(self) -> str:
        if self.kind is TermKind.PRODUCT:
            return "*".join(map(str, self.factors))
        if self.kind is TermKind.WINDOW:
            return f"generic({self.name})"
        if self.kind is TermKind.RANK:
            return "rank"
        return f"{self.name}+{self.offset}" if self.offset else self.name


Terms = tuple[tuple[AffineTerm, int], ...]
"""Terms with their coefficients, in a canonical order."""


class AffineForm(NamedTuple):
    """A number modulo 2**width: the sum of `terms`, each times its coefficient, and `offset`.

    Coefficients and offset are signed, and as close to 0 as possible.
    """

    width: int
    terms: Terms
    offset: int

    @property
    def base(self) -> AffineTerm | None:
        """The term that an address begins with.

        It is the address of a symbol; without one, a parameter or another value as wide as the
        form. None if there are several, or none that is added exactly once.
        """
        symbols = [it for it, _ in self.terms if it.kind is TermKind.SYMBOL]
        if symbols:
            is_added = len(symbols) == 1 and (symbols[0], 1) in self.terms
            return symbols[0] if is_added else None
        for kinds in (_POINTERS[:1], _POINTERS[1:]):
            found = [it for it, times in self.terms if times == 1 and self._may_point(it, kinds)]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def _may_point(self, term: AffineTerm, kinds: tuple[TermKind, ...]) -> bool:
        return term.kind in kinds and term.width == self.width

    @property
    def index(  # type: ignore[override]  # hides tuple.index, which is not used
        self,
    ) -> AffineForm:
        """The form without its base, and without what converts addresses."""
        base = self.base
        rest = [it for it in self.terms if it[0] != base and it[0].kind not in _CONVERSIONS]
        return AffineForm(self.width, tuple(rest), self.offset)

    @property
    def windows(self) -> dict[str, int]:
        """The state spaces whose start is added, with the coefficients."""
        return {it.name: times for it, times in self.terms if it.kind is TermKind.WINDOW}

    @property
    def is_mapped(self) -> bool:
        """Whether it is an address in another block of the cluster."""
        return any(it.kind is TermKind.RANK for it, _ in self.terms)

    @property
    def space(self) -> str:
        """The state space that the number points into; "" if it is unknown."""
        base, windows = self.base, self.windows
        found = ""
        if base is not None and base.symbol is not None:
            if base.kind is TermKind.SYMBOL:
                found = plain_space(base.symbol.space)
            else:
                found = pointed_space(base.symbol)
        if not found and len(windows) == 1:
            found = next(iter(windows))
        return _CLUSTER if found == ".shared" and self.is_mapped else found

    @property
    def view(self) -> str:
        """The kind of address that the number is: `generic`, a state space, or "" if unknown."""
        windows, base = self.windows, self.base
        if base is not None and base.kind is TermKind.SYMBOL and base.symbol is not None:
            own = plain_space(base.symbol.space)
            if not windows:
                return _CLUSTER if self.is_mapped else own
            return GENERIC if windows == {own: 1} else ""
        if len(windows) == 1:
            ((space, times),) = windows.items()
            return GENERIC if times == 1 else space if times == -1 else ""
        return ""

    def __str__(self) -> str:
        text = ""
        for term, times in sorted(self.terms, key=_shown_order):
            sign = "-" if times < 0 else "+"
            factor = "" if abs(times) == 1 else f"{abs(times)}*"
            text += f" {sign} {factor}{term}" if text else f"{'-' * (times < 0)}{factor}{term}"
        if self.offset or not text:
            sign = "-" if self.offset < 0 else "+"
            text += f" {sign} {abs(self.offset)}" if text else str(self.offset)
        return text


_POINTERS: Final = (
    TermKind.PARAMETER,
    TermKind.DEFINITION,
    TermKind.MERGE,
)
_CONVERSIONS: Final = (TermKind.WINDOW, TermKind.RANK)
_ORDER: Final = (TermKind.SYMBOL, TermKind.PARAMETER, TermKind.WINDOW, TermKind.RANK)


def _shown_order(item: tuple[AffineTerm, int]) -> int:
    kind = item[0].kind
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def are_equal(one: AffineForm | None, other: AffineForm | None) -> bool:
    """Whether two forms are known and equal."""
    return one is not None and one == other


def without_conversions(form: AffineForm) -> AffineForm:
    """Returns a form without what converts it to an address of another kind."""
    terms = [it for it in form.terms if it[0].kind not in _CONVERSIONS]
    return form._replace(terms=tuple(terms))


def plain_space(space: str) -> str:
    """Returns a state space without the part that is its default, as in `.shared::cta`."""
    for part in _PARTS_OF_SPACES:
        space = space.removesuffix(part)
    return space


def form_of(width: int, terms: Iterable[tuple[AffineTerm, int]], offset: int) -> AffineForm | None:
    """Returns the form with these terms, of which several may be the same; None if too many."""
    total: dict[AffineTerm, int] = {}
    for term, times in terms:
        total[term] = total.get(term, 0) + times
    kept = [(term, _reduced(times, width)) for term, times in total.items()]
    kept = [item for item in kept if item[1]]
    if len(kept) > MAX_TERMS:
        return None
    kept.sort(key=_canonical)
    return AffineForm(width, tuple(kept), _reduced(offset, width))


def _canonical(item: tuple[AffineTerm, int]) -> tuple[object, ...]:
    term = item[0]
    return term.kind, term.name, term.offset, term.definitions, term.head, term.is_signed, str(term)


def _reduced(number: int, width: int) -> int:
    return as_signed(number & (1 << width) - 1, width)


def number_form(width: int, number: int) -> AffineForm:
    """Returns the form of a constant."""
    return AffineForm(width, (), _reduced(number, width))


def term_form(width: int, term: AffineTerm) -> AffineForm:
    """Returns the form of a term."""
    return AffineForm(width, ((term, 1),), 0)


def added(left: AffineForm, right: AffineForm, times: int = 1) -> AffineForm | None:
    """Returns the sum of a form and a multiple of another one of the same width."""
    moved = [(term, each * times) for term, each in right.terms]
    return form_of(left.width, (*left.terms, *moved), left.offset + right.offset * times)


def scaled(form: AffineForm, times: int) -> AffineForm | None:
    """Returns a multiple of a form."""
    moved = [(term, each * times) for term, each in form.terms]
    return form_of(form.width, moved, form.offset * times)


def resized(form: AffineForm, width: int) -> AffineForm | None:
    """Returns the low bits of a form; for a larger width, the same sum of whole numbers."""
    return form_of(width, form.terms, form.offset)


def multiplied(left: AffineForm, right: AffineForm) -> AffineForm | None:
    """Returns a product, if one factor is a constant, or both are single terms."""
    for one, other in ((left, right), (right, left)):
        if not one.terms:
            return scaled(other, one.offset)
    if len(left.terms) != 1 or len(right.terms) != 1 or left.offset or right.offset:
        return None
    ((first, times), (second, more)) = left.terms[0], right.terms[0]
    if TermKind.PRODUCT in (first.kind, second.kind):
        return None
    factors = tuple(sorted((first, second), key=str))
    product = AffineTerm(
        TermKind.PRODUCT,
        "*".join(each.name for each in factors),
        first.width + second.width,
        is_signed=first.is_signed or second.is_signed,
        factors=factors,
        is_stable=first.is_stable and second.is_stable,
    )
    return form_of(left.width, [(product, times * more)], 0)


def substituted(
    form: AffineForm, replacement: Callable[[AffineTerm], AffineForm | None]
) -> AffineForm | None:
    """Returns a form with some terms replaced by forms; None if it has too many terms then."""
    terms: list[tuple[AffineTerm, int]] = []
    offset = form.offset
    for term, times in form.terms:
        other = replacement(term)
        if other is None:
            terms.append((term, times))
        else:
            terms += [(each, own * times) for each, own in other.terms]
            offset += other.offset * times
    return form_of(form.width, terms, offset)
