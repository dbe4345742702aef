"""Finds accesses that only happen in blocks with more threads than a variable has elements.

Kernels contain code for several sizes of blocks, such as the first step of a reduction, which
only runs if `%ntid.x >= 512`. The variable may be meant for the size with which they are launched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.values.affine import TermKind
from ptx_ls.values.transfer.comparison import MIRRORED

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

_INDEX: Final = "%tid."
_COUNT: Final = "%ntid."
_MORE: Final = {"eq": 0, "ge": 0, "gt": 1}
"""By how much a number is at least larger than the other one if a comparison holds."""


def needs_larger_block(found: Found, n_elements: int, values: FunctionValues) -> bool:
    """Whether a condition before a statement needs a block with more than `n_elements` threads."""
    given = values.given
    if not given.is_kernel or given.bounds.threads is not None:
        return False
    for condition in values.conditions(found):
        for held in condition.facts.comparisons:
            left, right = (
                values.source_form(held.instruction, side, held.width)
                for side in (held.left, held.right)
            )
            operator = held.operator
            if left is not None and not left.terms:
                left, right, operator = right, left, MIRRORED[operator]
            if left is None or right is None or right.terms or operator not in _MORE:
                continue
            fewest = right.offset + _MORE[operator] + _threads_before(left)
            if _is_size(left) and fewest > n_elements:
                return True
    return False


def _is_size(form: AffineForm) -> bool:
    """Whether a form is the index of a thread, or the number of threads of a block."""
    if form.offset or len(form.terms) != 1:
        return False
    [(term, times)] = form.terms
    return times == 1 and term.kind is TermKind.SPECIAL and term.name.startswith((_INDEX, _COUNT))


def _threads_before(form: AffineForm) -> int:
    """Returns 1 for an index, because a block with thread `n` has `n + 1` threads."""
    return int(any(term.name.startswith(_INDEX) for term, _ in form.terms))
