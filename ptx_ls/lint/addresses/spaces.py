"""Compares the kind of an address with the kind that an instruction takes.

An address is generic, or an offset in a state space. `cvta` converts the latter to the former, and
`cvta.to` converts it back. In .global, both are the same number.

Source: PTX ISA, "Generic Addressing", "cvta" and "mapa".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import pointed_space
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.affine import GENERIC, TermKind, plain_space

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.values.affine import AffineForm

_GLOBAL: Final = ".global"
_LOCAL: Final = ".local"
_PARAMETER: Final = ".param"
_SHARED: Final = ".shared"
_CLUSTER: Final = ".shared::cluster"


class AddressKind(NamedTuple):
    """The kind of an address.

    Attributes:
        view: `generic`, or the state space in which it is an offset; "" if unknown.
        space: the state space that it points into; "" if unknown.
        symbol: the variable or the pointer parameter on which it is based, if any.
    """

    view: str
    space: str
    symbol: Symbol | None


def kind_of(form: AffineForm) -> AddressKind:
    """Returns the kind of the address with a form."""
    base, windows = form.base, form.windows
    symbol = base.symbol if base is not None else None
    if base is not None and base.kind is TermKind.SYMBOL and symbol is not None:
        own = plain_space(symbol.space)
        return AddressKind(form.view, _mapped(own, form), symbol)
    space = ""
    if base is not None and base.kind is TermKind.PARAMETER and symbol is not None:
        space = pointed_space(symbol)
    view = ""
    if len(windows) == 1:
        ((name, times),) = windows.items()
        view = {1: GENERIC, -1: _mapped(name, form)}.get(times, "")
        space = space or name
    return AddressKind(view, space, symbol if space else None)


def _mapped(space: str, form: AffineForm) -> str:
    return _CLUSTER if space == _SHARED and form.is_mapped else space


def mistaken(kind: AddressKind, needed: str) -> bool:
    """Whether an address is surely not of the kind that an instruction takes."""
    if needed == GENERIC:
        return kind.view not in ("", GENERIC, _GLOBAL)
    needed = plain_space(needed)
    if needed == _PARAMETER and _is_parameter_of_function(kind):
        needed = _LOCAL
    if needed == _CLUSTER:  # an address of the block's own shared memory is one, too
        needed = _SHARED
        kind = kind._replace(view=plain_part(kind.view), space=plain_part(kind.space))
    if kind.space and kind.space != needed and not _is_window(kind.space, needed):
        return True
    if kind.view == GENERIC:
        return needed != _GLOBAL and bool(kind.space)
    return kind.view not in ("", needed)


def _is_parameter_of_function(kind: AddressKind) -> bool:
    """Whether an address is that of a parameter of a device function, which is in .local, too."""
    symbol = kind.symbol
    return symbol is not None and (symbol.kind, symbol.space) == (SymbolKind.PARAMETER, _LOCAL)


def plain_part(space: str) -> str:
    """Returns `.shared` for a part of it."""
    return _SHARED if space.startswith(_SHARED) else space


def _is_window(space: str, needed: str) -> bool:
    """Whether a state space is a part of another one: parameters are in global memory."""
    return (space, needed) == (_PARAMETER, _GLOBAL)
