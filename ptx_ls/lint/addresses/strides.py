"""How far apart the addresses of neighbouring threads are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.function_values import FunctionValues

_SAME: Final = (TermKind.SYMBOL, TermKind.PARAMETER, TermKind.WINDOW, TermKind.COUNTER)
"""Terms that are the same in all threads of a block, in one iteration of a loop."""
_BLOCKS: Final = ("%ctaid.", "%nctaid.", "%ntid.")


def thread_stride(form: AffineForm, values: FunctionValues) -> int | None:
    """Returns the difference of a form between the first two threads of a block.

    None if it is unknown, because something in the form depends on the thread in another way.
    """
    stride = 0
    for term, times in form.terms:
        parts: AffineForm | None = None
        if term.kind is TermKind.DEFINITION and term.width < form.width:
            parts = values.written(term.definitions[0]).affine
        found = [(term, 1)] if parts is None else parts.terms
        for part, count in found:
            if _is_same_in_block(part):
                continue
            difference = values.difference_of_threads(part)
            if difference is None:
                return None
            stride += difference * times * count
    return stride


def _is_same_in_block(term: AffineTerm) -> bool:
    """Whether a term is the same number in all threads of a block."""
    if term.kind is TermKind.PRODUCT:
        return all(map(_is_same_in_block, term.factors))
    is_of_block = term.kind is TermKind.SPECIAL and term.name.startswith(_BLOCKS)
    return is_of_block or term.kind in _SAME
