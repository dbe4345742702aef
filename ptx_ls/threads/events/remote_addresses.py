"""Tells which addresses are in the shared memory of another block of the cluster.

Source: PTX ISA, "mapa".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.values.affine import TermKind, number_form

if TYPE_CHECKING:
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.function_values import FunctionValues

_OWN_RANK: Final = "%cluster_ctarank"


def is_remote(values: FunctionValues, form: AffineForm, *, is_in_cluster: bool) -> bool:
    """Whether an address may be in another block than the own one.

    `is_in_cluster`: whether the kernel surely runs in clusters of several blocks; otherwise, rank 0
    may be that of the only block.
    """
    ranks = [term for term, _ in form.terms if term.kind is TermKind.RANK]
    return any(not _is_own(values, rank, is_in_cluster=is_in_cluster) for rank in ranks)


def rank_of(values: FunctionValues, form: AffineForm) -> AffineForm | None:
    """Returns the rank of the block that an address of one `mapa` is in; None if it is unknown."""
    ranks = [term for term, times in form.terms if term.kind is TermKind.RANK and times == 1]
    if len(ranks) != 1 or len(ranks[0].definitions) != 1:
        return None
    rank = _rank(values, ranks[0].definitions[0])
    return rank.affine if rank.constant is None else number_form(rank.width, rank.constant)


def _rank(values: FunctionValues, definition: int) -> AbstractValue:
    """Returns the rank that a `mapa` names."""
    instruction = values.given.decoder.of_use(definition)
    return values.operand(instruction.found, len(instruction.operands) - 1)


def _is_own(values: FunctionValues, rank: AffineTerm, *, is_in_cluster: bool) -> bool:
    """Whether the rank in a `mapa` is surely that of the own block."""
    for use in rank.definitions:
        own = _rank(values, use)
        form = own.affine
        is_special = (
            form is not None
            and not form.offset
            and len(form.terms) == 1
            and form.terms[0][1] == 1
            and form.terms[0][0].name == _OWN_RANK
        )
        if not is_special and not (own.constant == 0 and not is_in_cluster):
            return False
    return bool(rank.definitions)
