"""Finds which constants an instruction has, and what each is for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.instructions.shape_verdicts import shape_verdict
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.written.names import numbers_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa import OperandSpec
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Shape

CONSTANTS: Final = (
    OperandForm.INTEGER,
    OperandForm.FLOAT32,
    OperandForm.FLOAT64,
    OperandForm.DECIMAL,
    OperandForm.EXPRESSION,
)
_MAX_SHAPES: Final = 1 << 14
"""Number of shapes whose constants are kept."""
_IMM: Final = "imm"
"""The flag of vectors in whose place a constant may be, too."""
_INTEGERS: Final = ("bits", "unsigned", "signed")


class ConstantPlace(NamedTuple):
    """A constant among the operands of a shape.

    Attributes:
        path: the indices of the operand, and of the elements in it, that lead to the constant.
        name: the manual's name of the operand.
        type: the type of the constant with its dot; "" for an offset, or if it has none.
        bits: the width of that type if it is one of integers, else 0.
        is_signed: whether it is signed.
        is_offset: whether the constant is added to an address.
        negation: the signs before it.
        form: how it is written.
    """

    path: tuple[int, ...]
    name: str
    type: str
    bits: int
    is_signed: bool
    is_offset: bool
    negation: str
    form: OperandForm

    def of(self, operands: Sequence[OperandSyntax]) -> OperandSyntax:
        """Returns the constant among the operands of a statement."""
        first, *rest = self.path
        found = operands[first]
        for number in rest:
            found = found.elements[number]
        return found


@lru_cache(maxsize=_MAX_SHAPES)
def constant_places(shape: Shape) -> tuple[ConstantPlace, ...] | None:
    """Returns the constants of a shape in the order of the text.

    Returns None if there is a number elsewhere, or no form of the instruction fits.
    """
    operands = shape.operands
    numbers = numbers_in(shape.read.text)
    if not numbers:
        return ()
    found = [*_literals(operands, ())]
    specs = specs_of(shape)
    n_found = sum(len(numbers_in(written.text)) for _, written in found)
    if n_found != len(numbers) or specs is None:
        return None
    return tuple([_place(path, written, operands, specs) for path, written in found])


def verdict_of(shape: Shape) -> isa.Verdict | None:
    """Returns the verdict on a shape, whatever its names are; None if no form of it fits."""
    verdict = shape_verdict(shape, values=False)
    if verdict is None or verdict.form is None or not verdict.is_accepted:
        return None
    if len(verdict.operand_specs) != len(shape.operands):
        return None
    return verdict


def specs_of(shape: Shape) -> tuple[OperandSpec | None, ...] | None:
    """Returns what the operands of a shape are for; None if no form of the instruction fits."""
    verdict = verdict_of(shape)
    return None if verdict is None else verdict.operand_specs


def _literals(
    operands: Sequence[OperandSyntax], path: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], OperandSyntax]]:
    """Yields the constants among some operands, in order, with the paths to them."""
    for number, operand in enumerate(operands):
        if operand.form in CONSTANTS:
            yield (*path, number), operand
        else:
            yield from _literals(operand.elements, (*path, number))


def _place(
    path: tuple[int, ...],
    written: OperandSyntax,
    operands: Sequence[OperandSyntax],
    specs: Sequence[OperandSpec | None],
) -> ConstantPlace:
    spec, whole = specs[path[0]], operands[path[0]]
    is_offset = whole.form in (OperandForm.ADDRESS, OperandForm.IDENTIFIER)
    type_ = "" if spec is None or is_offset else _type_of(spec, whole)
    bits, class_ = isa.database().type_facts.get(type_, (0, ""))
    return ConstantPlace(
        path,
        spec.name if spec is not None else "",
        type_,
        bits if class_ in _INTEGERS and "x" not in type_ else 0,
        class_ == "signed",
        is_offset,
        written.negation,
        written.form,
    )


def _type_of(spec: OperandSpec, whole: OperandSyntax) -> str:
    """Returns the type of a constant, or of one in a vector, in an operand place."""
    is_vector = whole.form is OperandForm.VECTOR
    for row, type_ in zip(spec.alternatives, spec.types, strict=True):
        if row.kind == ("vec" if is_vector else "imm") or (row.kind == "vec" and _IMM in row.flags):
            return type_
        if is_vector and row.kind == "pack":
            bits = isa.database().type_facts.get(type_, (0, ""))[0]
            return f".b{bits // len(whole.elements)}"
    return ""
