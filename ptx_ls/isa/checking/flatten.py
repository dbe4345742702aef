"""Coordinates that follow the brackets of a texture instead of being inside them.

ptxas flattens all operands before it checks them, so it reads `[texture, sampler], {x, y}` as
`[texture, sampler, {x, y}]`, which is the manual's notation. This applies only to operands with the
flag `outside` in the data, and only if there are two names in the brackets.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptx_ls.isa.checking.verdict import Verdict, Violation, ViolationKind
from ptx_ls.isa.notation.table import FormRow
from ptx_ls.isa.operand import Operand, OperandKind


def incomplete_address(form: FormRow, operands: Sequence[Operand]) -> int | None:
    """Returns the index of an address whose last part may be the next operand, or None."""
    for index, (row, operand) in enumerate(zip(form.operands, operands[:-1], strict=False)):
        is_outside = bool(row.parts) and any(
            "outside" in spec.flags for spec in row.parts[-1].specs
        )
        if is_outside and operand.kind is OperandKind.ADDRESS:
            return index if len(operand.elements) == len(row.parts) - 1 else None
    return None


def gather(operands: Sequence[Operand], index: int) -> list[Operand]:
    """Returns the operands, with the operand after address `index` moved into the address."""
    address, part = operands[index : index + 2]
    whole = address._replace(elements=(*address.elements, part))
    return [*operands[:index], whole, *operands[index + 2 :]]


def spread(verdict: Verdict, operands: Sequence[Operand], index: int) -> Verdict:
    """Converts an accepting verdict on gathered operands to one on the written operands.

    A lenient violation in it says where the coordinates belong.
    """
    moved = Violation(
        ViolationKind.OPERAND_KIND,
        ("operand", index + 1),
        operands[index + 1].text or operands[index + 1].kind.value,
        note="coordinates belong inside the brackets",
        lenient=True,
    )
    others = [violation for violation in verdict.violations if violation.part[0] != "operand"]
    specs = verdict.operand_specs
    return verdict._replace(
        violations=(*others, moved),
        operand_specs=(*specs[: index + 1], None, *specs[index + 1 :]),
    )
