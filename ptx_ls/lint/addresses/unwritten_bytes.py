"""Finds loads of bytes of a variable that nothing writes, though something writes others of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.slices.object_accesses import AccessMode
from ptx_ls.lint.addresses.access import accesses_in, offset_of, variable_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.function_values import function_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.flow.slices.object_accesses import ObjectAccess
    from ptx_ls.lint.addresses.access import Access
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.symbols import Symbol

_MAX_ACCESSES = 64
"""Number of accesses to a variable up to which its bytes are told apart."""
_CHANGING = (AccessMode.WRITE, AccessMode.UPDATE)


class UnwrittenBytes(NamedTuple):
    """The bytes from `first` to `last` of a variable that an access reads, and nothing writes.

    `is_part`: whether something writes others of the bytes that the access reads.
    """

    access: ObjectAccess
    first: int
    last: int
    is_part: bool


def unwritten_bytes(
    seen: CheckInput, symbol: Symbol, accesses: Sequence[ObjectAccess]
) -> UnwrittenBytes | None:
    """Returns the first load of bytes of a variable that nothing writes.

    `accesses`: all that the function does with the variable.
    """
    modes = {each.mode for each in accesses}
    if AccessMode.OTHER in modes or AccessMode.READ not in modes or AccessMode.WRITE not in modes:
        return None
    if len(accesses) > _MAX_ACCESSES:
        return None
    written = set[int]()
    reads: list[tuple[ObjectAccess, range]] = []
    for each in accesses:
        if each.mode is AccessMode.NONE:
            continue
        places = [_place(seen, it, symbol) for it in accesses_in(each.found)]
        known = [it for it in places if it is not None]
        if each.mode is AccessMode.READ:
            reads += [(each, it) for it in known if it]
        elif len(places) != len(known) or not all(known):
            return None
        else:
            written.update(*known)
    for each, place in sorted(reads, key=lambda it: it[0].found.start):
        missing = [byte for byte in place if byte not in written]
        if missing:
            return UnwrittenBytes(each, missing[0], missing[-1], len(missing) < len(place))
    return None


def _place(seen: CheckInput, access: Access, symbol: Symbol) -> range | None:
    """Returns the bytes of a variable that an access surely has; None if that is unknown.

    For a known access to something else, there are no bytes.
    """
    size = access.operand.size
    if size <= 0 or access.operand.is_per_lane:
        return None
    named = variable_of(seen, access.address, access.found.start)
    if named is not None:
        offset = offset_of(access.address, named)
    else:
        values = function_values(seen.function, seen.module)
        form = values.address(access.found, access.operand.number).affine
        base = None if form is None else form.base
        if form is None or base is None or base.symbol != symbol or form.index.terms:
            return None
        offset = form.index.offset
    return None if offset is None else range(offset, offset + size)
