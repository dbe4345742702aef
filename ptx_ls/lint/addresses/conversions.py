"""Checks that `cvta`, `cvta.to` and `mapa` convert the kind of address that they take.

Source: PTX ISA, "cvta" and "mapa".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.problems import WrongAddressSpace
from ptx_ls.lint.addresses.spaces import kind_of, mistaken, plain_part
from ptx_ls.semantics.declarations.storage import pointed_space
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.affine import GENERIC, TermKind, plain_space

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

_CONVERTING: Final = ("cvta", "mapa")
_BACK: Final = ".to"
_GLOBAL: Final = ".global"
_SPACES: Final = (".global", ".shared", ".local", ".const", ".param")
_APART: Final = (".shared", ".local")
"""State spaces that have no memory in common with another one."""
_SOURCE: Final = 1


def wrong_conversion(found: Found, values: FunctionValues) -> WrongAddressSpace | None:
    """Returns what is wrong with the address that a conversion takes from a register."""
    shape = found.record
    if not isinstance(shape, Shape) or shape.name not in _CONVERTING:
        return None
    needed, space = _needed(shape), _space(shape)
    written = written_operands(shape, found.text)
    if len(written) <= _SOURCE:
        return None
    source = written[_SOURCE]
    if source.form is not OperandForm.IDENTIFIER or not _is_register(values, source.text):
        return None
    value = values.operand(found, _SOURCE)
    if value.is_impossible or value.affine is None:
        return None
    kind = kind_of(value.affine)
    if not needed:
        if not (_is_offset(value.affine) and kind.view in _APART):
            return None
        needed = space
    elif space in _APART and _points_elsewhere(value.affine, space):
        needed = space
    elif plain_space(kind.view) == _GLOBAL or not mistaken(kind, needed):
        return None  # conversions of addresses in .global change nothing
    start, end = shifted(source.start, found.start), shifted(source.end, found.start)
    return WrongAddressSpace(source.text, kind.view, needed, kind.space, kind.symbol, start, end)


def _is_offset(form: AffineForm) -> bool:
    """Whether an address is the one of a variable, and is not converted before."""
    return form.base is not None and form.base.kind is TermKind.SYMBOL and not form.windows


def _points_elsewhere(form: AffineForm, space: str) -> bool:
    """Whether only an earlier conversion shows that an address is not one of a state space.

    Otherwise, the access that uses the address is reported.
    """
    base = form.base
    symbol = base.symbol if base is not None else None
    if base is not None and (base.kind is TermKind.SYMBOL or (symbol and pointed_space(symbol))):
        return False
    return len(form.windows) == 1 and space not in form.windows


def _space(shape: Shape) -> str:
    """Returns the state space that a conversion names; "" if it names none."""
    modifiers = modifiers_of(shape.opcode)
    return plain_part(next((each for each in modifiers if each.startswith(_SPACES)), ""))


def _needed(shape: Shape) -> str:
    """Returns the kind of address that a conversion takes; "" if any is right."""
    modifiers = modifiers_of(shape.opcode)
    space = next((each for each in modifiers if each.startswith(_SPACES)), "")
    if _BACK in modifiers or not space:
        return GENERIC
    return "" if space == _GLOBAL else space


def _is_register(values: FunctionValues, text: str) -> bool:
    return values.flow.registers.code(text.partition("+")[0].strip()) >= 0
