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
    from ptx_ls.values.affine import AffineForm, AffineTerm

_GLOBAL: Final = ".global"
_LOCAL: Final = ".local"
_PARAMETER: Final = ".param"
_SHARED: Final = ".shared"
_CLUSTER: Final = ".shared::cluster"
CONSTANT: Final = ".const"
WRITABLE: Final = "writable"
"""The kind of address that an instruction which writes takes: of memory other than constants."""
INNER_SPACES: Final = (_SHARED, _LOCAL, _CLUSTER)
"""State spaces into which no pointer from outside of a kernel points."""
_WIDTH: Final = 64
"""Number of bits of a pointer from outside."""


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


def kind_of(form: AffineForm, needed: str = GENERIC, *, from_outside: bool = False) -> AddressKind:
    """Returns the kind of the address with a form, which is `needed` in a state space.

    With `from_outside`, the pointers in parameters are from outside of the kernel.
    """
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
    elif base is not None and not windows and not space and from_outside:
        space = _from_outside(base, needed)
    return AddressKind(view, space, symbol if space else None)


def _from_outside(base: AffineTerm, needed: str) -> str:
    """Returns where a pointer that a kernel gets from outside points; "" if that is unknown.

    Outside of the kernel, there are no addresses of its shared and local memory.
    """
    is_pointer = (
        base.kind is TermKind.PARAMETER and base.width == _WIDTH and base.symbol is not None
    )
    return _GLOBAL if is_pointer and plain_space(needed) in INNER_SPACES else ""


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
