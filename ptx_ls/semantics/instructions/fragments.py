"""Finds the fragments of matrices in instructions: the registers that hold them, in order.

Source: PTX ISA, "Warp Level Matrix Instructions" and "Asynchronous Warpgroup Level Matrix
Instructions".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.semantics.constants.places import verdict_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.syntax.operands import OperandSyntax

OPCODES: Final = frozenset({"mma", "wmma", "wgmma", "ldmatrix"})
ANY_MATRIX: Final = "x"
"""The matrix of a fragment that `ldmatrix` loads, which may be any."""
_LOADS_ANY: Final = "ldmatrix"
_MAX_SHAPES: Final = 1 << 10
_MATRICES: Final = ("a", "b", "c", "d")
_SUM: Final = "c"
_LOADED_OR_STORED: Final = "r"
_LAYOUTS: Final = {"a": "alayout", "b": "blayout"}
_ROW: Final = ".row"
_COLUMN: Final = ".col"


class FragmentForm(NamedTuple):
    """A fragment among the operands of a shape.

    Attributes:
        numbers: the numbers of its names.
        operand: the number of the operand.
        matrix: `a`, `b`, `c`, `d`, or `ANY_MATRIX`.
        is_written: whether the instruction writes it.
        shape: the shape of the matrices: `.m16n8k16`.
        layout: the order of the elements in memory, `.row` or `.col`; "" if it does not matter.
        family: the opcode without modifiers.
    """

    numbers: tuple[int, ...]
    operand: int
    matrix: str
    is_written: bool
    shape: str
    layout: str
    family: str


class Fragment(NamedTuple):
    """A fragment in an instruction, with the registers that hold it."""

    found: Found
    form: FragmentForm
    registers: tuple[str, ...]


def fragments(text: RegionText) -> Iterator[Fragment]:
    """Yields the fragments in a function, in the order of the text."""
    for found in text.statements_of(text.with_opcodes(OPCODES)):
        shape = found.record
        if isinstance(shape, Shape) and shape.name in OPCODES:
            forms = _forms(shape)
            names = names_of(shape, found.text) if forms else []
            for form in forms:
                yield Fragment(found, form, tuple([names[number] for number in form.numbers]))


@lru_cache(maxsize=_MAX_SHAPES)
def _forms(shape: Shape) -> tuple[FragmentForm, ...]:
    verdict = verdict_of(shape)
    if verdict is None:
        return ()
    found = []
    for number, (operand, spec) in enumerate(
        zip(shape.operands, verdict.operand_specs, strict=True)
    ):
        matrix = "" if spec is None else _matrix(shape, spec.name)
        names = _names(operand)
        if matrix and names and spec is not None:
            form = FragmentForm(
                names,
                number,
                matrix,
                spec.role != "read",
                verdict.slots.get("shape", _shape_in(shape)),
                _layout(matrix, verdict.slots),
                shape.name,
            )
            found.append(form)
            if spec.role not in ("read", "write"):  # the sum that `wgmma` adds to
                found.append(form._replace(matrix=_SUM, is_written=False))
    return tuple(found)


def _shape_in(shape: Shape) -> str:
    _, modifiers = isa.split_modifiers(shape.opcode)
    return next((each for each in modifiers if each[1:2] == "m" and each[2:3].isdigit()), "")


def _matrix(shape: Shape, name: str) -> str:
    """Returns the matrix of an operand; "" if it is not a fragment."""
    if shape.name == _LOADS_ANY:
        return ANY_MATRIX
    if name != _LOADED_OR_STORED:
        return name if name in _MATRICES else ""
    _, modifiers = isa.split_modifiers(shape.opcode)
    return next((each[1:] for each in modifiers if each[1:] in _MATRICES), "")


def _layout(matrix: str, slots: Mapping[str, str]) -> str:
    """Returns the layout of a matrix; "" if it does not affect the fragment."""
    name = _LAYOUTS.get(matrix)
    if name is None:
        return ""
    if name in slots:
        return slots[name]
    if "layout" in slots:
        return slots["layout"]
    return _ROW if matrix == "a" else _COLUMN


def _names(operand: OperandSyntax) -> tuple[int, ...]:
    """Returns the numbers of the names in a vector; () if something else is in it."""
    elements = operand.elements
    if operand.form is not OperandForm.VECTOR or any(each.identifier < 0 for each in elements):
        return ()
    return tuple([each.identifier for each in elements])
