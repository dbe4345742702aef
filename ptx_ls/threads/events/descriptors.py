"""Finds the shared memory that the descriptor of a matrix names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.values.affine import AffineForm, TermKind, resized, without_conversions

if TYPE_CHECKING:
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.function_values import FunctionValues

MIN_BYTES: Final = 16
"""Number of bytes that every copy of unknown size, and every matrix, has at least."""
_MAX_DEPTH: Final = 16
"""Number of instructions between an address and the descriptor that is made of it."""
_UNIT: Final = 16
"""Number of bytes that 1 in the address field of a descriptor means."""
_PRODUCT: Final = "tcgen05.mma"
_FEW_ROWS: Final = ".ws"
_OF_A: Final = "a-desc"
_INSTRUCTION: Final = "idesc"
_TRANSPOSES: Final = 1 << 15
"""The bit of an instruction descriptor that transposes A."""
_STRIDE_AT: Final = 32
_STRIDE: Final = (1 << 14) - 1 << _STRIDE_AT
"""The field of a descriptor with the distance of groups of eight rows."""
_LAST_GROUP: Final = 7
_ROW: Final = 5
"""A row of a group of eight: of most tiles, other warps store it than the first row."""
_SWIZZLE_AT: Final = 61
_MODES: Final = 7
_ROW_BYTES: Final = {0: 16, 1: 128, 2: 128, 4: 64, 6: 32}
"""The number of bytes of a row in a group of eight, by the swizzling mode of a descriptor."""
_ALIGNMENT: Final = 1 << 10
"""The alignment of variables and slots that is assumed if an address in them is swizzled."""
_WINDOW: Final = 1 << 18
"""Number of bytes that a descriptor can address."""
_WIDTH: Final = 32
"""Width of addresses in shared memory."""
_SHIFTS: Final = ("shr", "bfe")
"""Instructions that turn an address into the field of a descriptor."""


def descriptor_start(values: FunctionValues, site: EventSite, operand: str) -> AffineForm | None:
    """Returns where the matrix begins that a descriptor names; None if that is unclear."""
    number = site.operand(operand)
    instruction = values.given.decoder.of_statement(site.found)
    if number is None or number >= len(instruction.operands):
        return None
    named = values.given.register_and_offset(instruction, instruction.operands[number])
    if named is None:
        return None
    forms = _starts_in(values, named[0], _UNIT, {named[0]})
    return next(iter(forms)) if forms is not None and len(forms) == 1 else None


def later_row(values: FunctionValues, site: EventSite, operand: str) -> int:
    """Returns how many bytes after its start a matrix surely has another row; 0 if that is unclear.

    One thread names all of A for `tcgen05.mma`. A has at least 64 rows, in groups of eight, and the
    descriptor says how far the groups are apart if the instruction does not transpose A.
    """
    number, given = site.operand(operand), site.operand(_INSTRUCTION)
    is_product = site.opcode.startswith(_PRODUCT) and _FEW_ROWS not in site.opcode
    if not is_product or operand != _OF_A or number is None or given is None:
        return 0
    if not values.operand(site.found, given).zeros & _TRANSPOSES:
        return 0
    value = values.operand(site.found, number)
    if (value.zeros | value.ones) & _STRIDE != _STRIDE:
        return 0
    last = ((value.ones & _STRIDE) >> _STRIDE_AT) * _UNIT * _LAST_GROUP
    start = descriptor_start(values, site, operand)
    n_bytes = _ROW_BYTES.get(value.ones >> _SWIZZLE_AT)
    is_known = value.zeros >> _SWIZZLE_AT == ~(value.ones >> _SWIZZLE_AT) & _MODES
    if start is None or n_bytes is None or not is_known or last % (8 * n_bytes):
        return last
    if any(times % _ALIGNMENT for term, times in start.terms if term.kind is not TermKind.SYMBOL):
        return last
    inside = start.offset % _ALIGNMENT
    return last + _swizzled(inside + _ROW * n_bytes, n_bytes) - inside


def _swizzled(place: int, n_bytes: int) -> int:
    """Returns where a byte of rows is if the number of its row changes its place in the row."""
    return place ^ place >> 3 & n_bytes - _UNIT


def _starts_in(
    values: FunctionValues, use: int, unit: int, seen: set[int]
) -> frozenset[AffineForm] | None:
    """Returns the shared addresses that a value is made of; None if that is unclear.

    `unit`: the number of bytes that 1 in the value means.
    """
    flow, given = values.flow, values.given
    form = values.form(use)
    if form is not None and form.base is not None and form.base.kind is TermKind.SYMBOL:
        plain = resized(without_conversions(form), _WIDTH)
        return None if plain is None or form.space != ".shared" else frozenset({plain})
    if len(seen) > _MAX_DEPTH:
        return None
    definitions = flow.definitions(use)
    if len(definitions.writes) != 1 or definitions.from_entry:
        return None
    instruction = given.decoder.of_use(definitions.writes[0])
    added = 0
    if form is not None and len(form.terms) == 1:
        term, times = form.terms[0]
        if times == 1 and term.kind is TermKind.DEFINITION and len(term.definitions) == 1:
            instruction = given.decoder.of_use(term.definitions[0])
            added = form.offset * unit % _WINDOW
    if instruction.name in _SHIFTS:
        unit = 1
    found, ways = set[AffineForm](), flow.uses.ways
    for each in instruction.uses:
        if ways[each] & READS and not ways[each] & GUARDS and each not in seen:
            seen.add(each)
            inner = _starts_in(values, each, unit, seen)
            if inner is None:
                return None
            found |= inner
    return frozenset(_moved(each, added) for each in found)


def _moved(form: AffineForm, added: int) -> AffineForm:
    """Returns an address in shared memory after a number of bytes is added in a descriptor."""
    return form._replace(offset=(form.offset + added) % _WINDOW) if added else form
